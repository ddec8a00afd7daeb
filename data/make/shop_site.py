#!/usr/bin/env python3
"""A shop: django-oscar with the Whoosh search engine, in one file.

    shop_site.py fill FOLDER          makes the data base in FOLDER and fills it
    shop_site.py serve FOLDER PORT    serves the shop on 127.0.0.1:PORT
"""

import datetime
import pathlib
import random
import sys
from decimal import Decimal

ACTION, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()

import django
from django.conf import settings
from oscar import defaults

OSCAR = {name: value for name, value in vars(defaults).items() if name.startswith("OSCAR_")}
# One thing to refine a list by, not four: Whoosh counts no ranges of prices.
OSCAR["OSCAR_SEARCH_FACETS"] = {
    "fields": {"product_class": OSCAR["OSCAR_SEARCH_FACETS"]["fields"]["product_class"]}, "queries": {}}
OSCAR.update(OSCAR_SHOP_NAME="Green Line", OSCAR_DEFAULT_CURRENCY="EUR", OSCAR_FROM_EMAIL="a@shop.test",
             OSCAR_ALLOW_ANON_REVIEWS=False, OSCAR_MISSING_IMAGE_URL="none.png")
APPS = """Shop analytics.apps.AnalyticsConfig checkout.apps.CheckoutConfig address.apps.AddressConfig
    shipping.apps.ShippingConfig catalogue.apps.CatalogueConfig
    catalogue.reviews.apps.CatalogueReviewsConfig communication.apps.CommunicationConfig
    partner.apps.PartnerConfig basket.apps.BasketConfig payment.apps.PaymentConfig
    offer.apps.OfferConfig order.apps.OrderConfig customer.apps.CustomerConfig
    search.apps.SearchConfig voucher.apps.VoucherConfig wishlists.apps.WishlistsConfig
    dashboard.apps.DashboardConfig dashboard.reports.apps.ReportsDashboardConfig
    dashboard.users.apps.UsersDashboardConfig dashboard.orders.apps.OrdersDashboardConfig
    dashboard.catalogue.apps.CatalogueDashboardConfig dashboard.offers.apps.OffersDashboardConfig
    dashboard.partners.apps.PartnersDashboardConfig dashboard.pages.apps.PagesDashboardConfig
    dashboard.ranges.apps.RangesDashboardConfig dashboard.reviews.apps.ReviewsDashboardConfig
    dashboard.vouchers.apps.VouchersDashboardConfig
    dashboard.communications.apps.CommunicationsDashboardConfig
    dashboard.shipping.apps.ShippingDashboardConfig""".split()
CONTRIBUTED = ["admin", "auth", "contenttypes", "sessions", "messages", "staticfiles", "sites", "flatpages"]

settings.configure(
    SECRET_KEY="a test site",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    SITE_ID=1,
    LANGUAGES=[("en", "English")],
    LANGUAGE_CODE="en",
    USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": FOLDER / "shop.db",
                           "ATOMIC_REQUESTS": True}},
    INSTALLED_APPS=["django.contrib." + app for app in CONTRIBUTED]
    + ["oscar.config." + APPS[0]] + ["oscar.apps." + app for app in APPS[1:]]
    + ["widget_tweaks", "haystack", "treebeard", "sorl.thumbnail", "django_tables2"],
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware",
                "django.middleware.common.CommonMiddleware",
                "django.middleware.csrf.CsrfViewMiddleware",
                "django.contrib.auth.middleware.AuthenticationMiddleware",
                "django.contrib.messages.middleware.MessageMiddleware",
                "django.contrib.flatpages.middleware.FlatpageFallbackMiddleware",
                "oscar.apps.basket.middleware.BasketMiddleware"],
    TEMPLATES=[{
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [FOLDER / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {"context_processors": [
            "django.template.context_processors.request", "django.contrib.auth.context_processors.auth",
            "django.template.context_processors.i18n", "django.contrib.messages.context_processors.messages",
            "oscar.apps.search.context_processors.search_form",
            "oscar.apps.checkout.context_processors.checkout",
            "oscar.apps.communication.notifications.context_processors.notifications",
            "oscar.core.context_processors.metadata"]},
    }],
    AUTHENTICATION_BACKENDS=["oscar.apps.customer.auth_backends.EmailBackend"],
    HAYSTACK_CONNECTIONS={"default": {"ENGINE": "haystack.backends.whoosh_backend.WhooshEngine",
                                      "PATH": str(FOLDER / "index")}},
    STATIC_URL="/static/",
    MEDIA_URL="/media/",
    MEDIA_ROOT=FOLDER / "media",
    THUMBNAIL_DUMMY=True,
    **OSCAR,
)
django.setup()

from django.apps import apps
from django.contrib.auth.models import User
from django.contrib.flatpages.models import FlatPage
from django.contrib.sites.models import Site
from django.core.management import call_command
from django.urls import include, path
from oscar.apps.catalogue.categories import create_from_breadcrumbs
from oscar.apps.catalogue.models import Category, Product, ProductCategory, ProductClass
from oscar.apps.catalogue.reviews.models import ProductReview
from oscar.apps.offer.models import Benefit, Condition, ConditionalOffer, Range
from oscar.apps.partner.models import Partner, StockRecord
from oscar.apps.search.facets import base_sqs
from oscar.apps.search.views.base import BaseSearchView

# The products of a list come from the data base at once, not one by one.
BaseSearchView.get_queryset = lambda view: base_sqs().load_all()

urlpatterns = [path("i18n/", include("django.conf.urls.i18n")),
               path("", include(apps.get_app_config("oscar").urls[0]))]

# Oscar's list to choose the order from, as links, so that it needs no scripts.
SORT = """<span class="sort">Sort by
{% for value, label in form.sort_by.field.choices %}
<a href="?{% get_parameters 'sort_by' %}sort_by={{ value }}">{{ label }}</a>
{% endfor %}</span>"""
FLAT = """{% extends "oscar/layout.html" %}
{% block title %}{{ flatpage.title }} | {{ block.super }}{% endblock %}
{% block content %}<h1>{{ flatpage.title }}</h1>{{ flatpage.content }}{% endblock %}"""

CATEGORIES = {
    "Kitchen": ["Pots and pans", "Knives", "Tableware", "Kettles", "Storage", "Baking"],
    "Garden": ["Tools", "Pots", "Seeds", "Lighting", "Furniture"],
    "Bath": ["Towels", "Mirrors", "Soap dishes", "Shelves"],
    "Bedroom": ["Linen", "Lamps", "Blankets", "Chests"],
    "Office": ["Desks", "Chairs", "Paper", "Pens", "Desk lamps"],
    "Children": ["Toys", "Beds", "Clothes", "Books"],
    "Sale": [],
    "Gifts": ["Under 20", "For cooks", "For gardeners"],
}
MATERIALS = "Oak Steel Linen Ceramic Bamboo Glass Copper Cotton Wool Cork Slate Brass".split()
SERIES = "Alba Birka Colm Dorn Elva Falun Gala Holm Inka Juna Kiln Loma Mora Nord Olma Pila".split()
COLOURS = ["Black", "Blue", "Green", "Red", "White", "Grey"]
PRODUCTS = 430
START = datetime.datetime(2024, 1, 15, 10, tzinfo=datetime.timezone.utc)


class Fill:
    def __init__(self):
        from texts import Writer
        self.random, self.writer = random.Random(5), Writer(5)
        self.products, self.leaves = [], []
        self.partner = Partner.objects.create(name="Warehouse")
        self.kinds = [ProductClass.objects.create(name=name) for name in ("Thing", "Textile", "Book")]

    def run(self):
        for top, below in CATEGORIES.items():
            for name in below or [None]:
                trail = f"{top} > {name}" if name else top
                category = create_from_breadcrumbs(trail)
                category.description = self.writer.text(1, 2)[0]
                category.save()
                if top not in ("Sale", "Gifts"):
                    self.leaves.append(category)
        extra = list(Category.objects.filter(name__in=["Sale", *CATEGORIES["Gifts"]]))
        customers = [User.objects.create(username=f"customer{at}", first_name=name,
                                         email=f"{name.lower()}@example.org")
                     for at, name in enumerate("Ada Alan Brian Clara Dora Emil Hugo Ida Kurt Lena".split())]
        for count in range(PRODUCTS):
            self.product(count, extra, customers)
        self.offers()
        self.pages()

    def product(self, count, extra, customers):
        pick = self.random.choice
        category = pick(self.leaves)
        # Lists of products show four words of a title.
        noun = category.name.split()[-1].lower()
        title = f"{pick(SERIES)} {pick(MATERIALS).lower()} {noun} {count + 100}"
        variants = self.random.random() < 0.14
        product = Product.objects.create(
            structure=Product.PARENT if variants else Product.STANDALONE, title=title,
            upc=f"G{count:05}", product_class=pick(self.kinds),
            description="".join(f"<p>{part}</p>" for part in self.writer.text(2, 7)))
        where = [category] + self.random.sample(extra, pick([0, 0, 0, 1, 1, 2]))
        for one in where:
            ProductCategory.objects.create(product=product, category=one)
        price = Decimal(self.random.randint(300, 24000)) / 100
        if variants:
            for colour in self.random.sample(COLOURS, pick([2, 3, 4])):
                child = Product.objects.create(structure=Product.CHILD, parent=product,
                                               title=f"{title}, {colour.lower()}",
                                               upc=f"G{count:05}-{colour.upper()}")
                self.stock(child, price)
        else:
            self.stock(product, price)
        for customer in self.random.sample(customers, pick([0, 0, 0, 1, 1, 2, 3, 5])):
            ProductReview.objects.create(
                product=product, user=customer, score=self.random.randint(2, 5),
                title=self.writer.heading(2, 6), body=" ".join(self.writer.text(1, 4)),
                status=ProductReview.APPROVED)
        Product.objects.filter(pk=product.pk).update(
            date_created=START + datetime.timedelta(hours=count * 31))
        product.refresh_from_db()
        product.update_rating()
        if self.products and self.random.random() < 0.4:
            for other in self.random.sample(self.products, min(3, len(self.products))):
                product.recommended_products.through.objects.create(primary=product, recommendation=other)
        self.products.append(product)

    def stock(self, product, price):
        StockRecord.objects.create(product=product, partner=self.partner, partner_sku=product.upc,
                                   price=price, price_currency="EUR",
                                   num_in_stock=self.random.choice([0, 3, 12, 40]))

    def offers(self):
        for name in ("Spring sale", "Kitchen week", "Three for two", "Last pieces", "Back to work"):
            goods = Range.objects.create(name=name, is_public=True, description=self.writer.text(1, 2)[0])
            for product in self.random.sample(self.products, 24):
                goods.add_product(product)
            condition = Condition.objects.create(range=goods, type=Condition.COUNT, value=2)
            benefit = Benefit.objects.create(range=goods, type=Benefit.PERCENTAGE, value=10)
            ConditionalOffer.objects.create(name=name, condition=condition, benefit=benefit,
                                            description=self.writer.text(2, 3)[0])

    def pages(self):
        """Pages about the shop, and the newsletters of two years, whose links are counted."""
        site = Site.objects.get_current()
        letters = []
        for month in range(24):
            name = f"{2024 + month // 12}-{month % 12 + 1:02}"
            lines = []
            for product in self.random.sample(self.products, 10):
                link = (f"{product.get_absolute_url()}?utm_source=newsletter&amp;utm_medium=email"
                        f"&amp;utm_campaign={name}")
                lines.append(f'<li><a href="{link}">{product.title}</a></li>')
            self.page(site, f"/newsletter/{name}/", f"Newsletter {name}",
                      f"<p>{self.writer.text(2, 4)[0]}</p><ul>{''.join(lines)}</ul>")
            letters.append(f'<li><a href="/newsletter/{name}/">Newsletter {name}</a></li>')
        self.page(site, "/newsletter/", "Our newsletter", f"<ul>{''.join(letters)}</ul>")
        for name in ("About us", "Delivery", "Returns", "Privacy"):
            self.page(site, f"/{name.lower().replace(' ', '-')}/", name,
                      "".join(f"<p>{part}</p>" for part in self.writer.text(6, 12)))

    @staticmethod
    def page(site, url, title, content):
        FlatPage.objects.create(url=url, title=title, content=content).sites.add(site)


def templates():
    """Oscar's templates with the links to sort by and a footer, and the picture of all things."""
    import oscar
    from PIL import Image
    original = pathlib.Path(oscar.__file__).parent / "templates" / "oscar"
    folder = FOLDER / "templates" / "oscar"
    (folder / "catalogue").mkdir(parents=True)
    (folder / "partials").mkdir()
    browse = (original / "catalogue" / "browse.html").read_text()
    field = """{% include "oscar/partials/form_field.html" with field=form.sort_by style='horizontal' %}"""
    assert field in browse
    browse = browse.replace(field, SORT).replace("{% load i18n %}", "{% load i18n %}{% load display_tags %}", 1)
    (folder / "catalogue" / "browse.html").write_text(browse)
    links = "".join(f'<a href="/{name}/">{name}</a> '
                    for name in ("about-us", "delivery", "returns", "privacy", "newsletter"))
    (folder / "partials" / "footer.html").write_text(f"<footer>{links}</footer>")
    (FOLDER / "media").mkdir()
    Image.new("RGB", (90, 60), "white").save(FOLDER / "media" / "none.png")
    (FOLDER / "templates" / "flatpages").mkdir()
    (FOLDER / "templates" / "flatpages" / "default.html").write_text(FLAT)


def main():
    if ACTION == "fill":
        from django.db import transaction
        FOLDER.mkdir(parents=True, exist_ok=True)
        templates()
        call_command("migrate", verbosity=0)
        with transaction.atomic():
            Fill().run()
        call_command("rebuild_index", interactive=False, verbosity=0)
    else:
        import logging

        import waitress
        from django.core.wsgi import get_wsgi_application
        logging.getLogger("waitress").setLevel(logging.ERROR)
        waitress.serve(get_wsgi_application(), listen="127.0.0.1:" + sys.argv[3], threads=1)


if __name__ == "__main__":
    main()
