#!/usr/bin/env python3
"""A shop for house and garden in English and German: fills Nereid Webshop, or serves it.

    store_site.py fill          35 categories, 354 products with their variants, 15 articles
    store_site.py serve PORT    serves it on 127.0.0.1:PORT

Settings come from the environment, as store.sh sets it.
"""

import datetime
import random
import sys
from decimal import Decimal

import time_machine
from texts import Writer

ACTION = sys.argv[1]
# Prices and what is in store depend on the day: the clock stands.
clock = time_machine.travel(datetime.datetime(2025, 3, 3, 9, tzinfo=datetime.timezone.utc), tick=False).start()

from trytond.config import config
config.update_etc()
from trytond.pool import Pool
from trytond.transaction import Transaction

PIXEL = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010806000000" "1f15c489"
                      "0000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082")
# A category: slug, name, German slug and name, then its own. Those with "*" show each variant in their lists.
TREE = [
    ("kitchen", "Kitchen", "kueche", "Küche", [
        ("pots-pans", "Pots and pans", "toepfe-pfannen", "Töpfe und Pfannen", [
            ("frying-pans", "Frying pans", "bratpfannen", "Bratpfannen", []),
            ("saucepans", "Saucepans", "stieltoepfe", "Stieltöpfe", [])]),
        ("knives", "Knives", "messer", "Messer", []),
        ("*tableware", "Tableware", "geschirr", "Geschirr", [
            ("plates", "Plates", "teller", "Teller", []),
            ("*cups", "Cups", "tassen", "Tassen", [])]),
        ("baking", "Baking", "backen", "Backen", [])]),
    ("garden", "Garden", "garten", "Garten", [
        ("tools", "Garden tools", "gartengeraete", "Gartengeräte", [
            ("spades", "Spades", "spaten", "Spaten", []),
            ("shears", "Shears", "scheren", "Scheren", [])]),
        ("watering", "Watering", "bewaesserung", "Bewässerung", []),
        ("*seeds", "Seeds", "samen", "Samen", [
            ("herbs", "Herbs", "kraeuter", "Kräuter", []),
            ("*vegetables", "Vegetables", "gemuese", "Gemüse", [])])]),
    ("living", "Living room", "wohnen", "Wohnen", [
        ("lamps", "Lamps", "lampen", "Lampen", [
            ("table-lamps", "Table lamps", "tischlampen", "Tischlampen", []),
            ("floor-lamps", "Floor lamps", "stehlampen", "Stehlampen", [])]),
        ("*textiles", "Textiles", "textilien", "Textilien", [
            ("*cushions", "Cushions", "kissen", "Kissen", []),
            ("curtains", "Curtains", "vorhaenge", "Vorhänge", [])]),
        ("clocks", "Clocks", "uhren", "Uhren", [])]),
    ("workshop", "Workshop", "werkstatt", "Werkstatt", [
        ("hand-tools", "Hand tools", "handwerkzeug", "Handwerkzeug", [
            ("hammers", "Hammers", "haemmer", "Hämmer", []),
            ("saws", "Saws", "saegen", "Sägen", [])]),
        ("*screws", "Screws", "schrauben", "Schrauben", [])]),
    # Products of these are in a category of the others, too.
    ("gifts", "Gifts", "geschenke", "Geschenke", [
        ("under-20", "Gifts under 20", "unter-20", "Geschenke unter 20", []),
        ("wedding", "Wedding", "hochzeit", "Hochzeit", [])]),
    ("offers", "Offers", "angebote", "Angebote", []),
    ("new", "New in store", "neu", "Neu eingetroffen", []),
]
MAKERS = ["Arden", "Birk", "Calder", "Dorn", "Elm", "Falk", "Gray", "Holm"]
KINDS = ["Classic", "Compact", "Country", "Family", "Light", "Master", "Modern", "Studio", "Travel", "Vintage"]
VARIANTS = [["S", "M", "L"], ["RED", "BLUE", "GREEN", "WHITE"], ["SMALL", "LARGE"], ["OAK", "ASH"]]
# Topics of articles: name in the address, title, German title, how many.
TOPICS = [("guides", "Guides", "Ratgeber", 8), ("news", "News", "Neuigkeiten", 4), ("service", "Service", "Service", 3)]


class Store:
    def __init__(self):
        self.random, self.writer = random.Random(15), Writer(15)
        self.pool = Pool()
        self.places = []

    def new(self, model, german=None, **values):
        """A record, its German words beside the English ones."""
        record, = self.pool.get(model).create([values])
        if german:
            with Transaction().set_context(language="de"):
                self.pool.get(model).write([self.pool.get(model)(record.id)], german)
        return record

    def find(self, model, *what):
        return self.pool.get(model).search(list(what), limit=1)[0]

    def base(self):
        """The company, where it sells and to whom."""
        euro = self.new("currency.currency", name="Euro", symbol="€", code="EUR",
                        rates=[("create", [{"rate": 1, "date": datetime.date(2020, 1, 1)}])])
        house = self.new("party.party", name="House & Garden Ltd", addresses=[("create", [{"city": "Ostend"}])])
        company = self.new("company.company", party=house.id, currency=euro.id, timezone="UTC")
        User = self.pool.get("res.user")
        User.write([User(Transaction().user)], {"companies": [("add", [company.id])], "company": company.id})
        with Transaction().set_context(User.get_preferences(context_only=True), company=company.id):
            self.website(company, euro)
            self.fill()

    def website(self, company, euro):
        prices = self.new("product.price_list", name="Shop", company=company.id, price="list_price",
                          lines=[("create", [{"formula": "unit_price"}])])
        term = self.new("account.invoice.payment_term", name="At once", lines=[("create", [{"type": "remainder"}])])
        channel = self.new(
            "sale.channel", name="Webshop", code="WEB", company=company.id, currency=euro.id, source="webshop",
            warehouse=self.find("stock.location", ("type", "=", "warehouse")).id, payment_term=term.id,
            invoice_method="order", shipment_method="order", price_list=prices.id)
        guest = self.new("nereid.user", party=self.new("party.party", name="Guest").id, name="Guest",
                         email="guest@example.org", company=company.id)
        english, german = (
            self.new("nereid.website.locale", code=code, currency=euro.id,
                     language=self.find("ir.lang", ("code", "=", code)).id) for code in ("en", "de"))
        folder = self.new("nereid.static.folder", name="pictures", description="Pictures")
        picture = self.new("nereid.static.file", name="none.png", folder=folder.id, file_binary=PIXEL)
        self.menu = self.new("nereid.cms.menuitem", type_="view", title="Main")
        self.home = self.new("nereid.cms.menuitem", type_="view", title="Home")
        self.foot = self.new("nereid.cms.menuitem", type_="view", title="Foot")
        self.new("nereid.website", name="store.test", company=company.id, application_user=Transaction().user,
                 default_locale=english.id, locales=[("add", [german.id])], guest_user=guest.id, channel=channel.id,
                 currencies=[("add", [euro.id])], default_product_image=picture.id, copyright_year_range="2025",
                 cms_root_menu=self.menu.id, homepage_menu=self.home.id, cms_root_footer=self.foot.id)

    def item(self, parent, record, title, german):
        """A line of a menu that leads to a record."""
        return self.new("nereid.cms.menuitem", {"title": german}, type_="record", title=title, parent=parent.id,
                        record=str(record))

    def node(self, line, parent=None):
        slug, name, german_slug, german, below = line
        node = self.new(
            "product.tree_node", {"name": german, "slug": german_slug}, name=name, slug=slug.lstrip("*"),
            type_="catalog", parent=parent and parent.id, products_per_page=8,
            display="product.product" if slug.startswith("*") else "product.template",
            description=self.writer.text(1, 2)[0] if self.random.random() < 0.6 else "")
        if parent is None:
            self.item(self.menu, node, name, german)
        if not below:
            self.places.append(node)
        for child in below:
            self.node(child, node)
        return node

    def product(self, number, node):
        """Most have a German text; some are of several sizes or colours."""
        name = f"{self.random.choice(MAKERS)} {node.name.lower().rstrip('s')} {self.random.choice(KINDS)} {number}"
        slug = name.lower().replace(" ", "-")
        german = None
        if self.random.random() < 0.7:
            german = {"description": " ".join(self.writer.text(3, 6)),
                      "long_description": " ".join(self.writer.text(4, 12))}
        unit = self.find("product.uom", ("name", "=", "Unit"))
        variants = self.random.choice(VARIANTS) if self.random.random() < 0.6 else [""]
        template = self.new(
            "product.template", german, name=name, type="goods", salable=True, default_uom=unit.id, sale_uom=unit.id,
            list_price=Decimal(self.random.randrange(500, 20000)) / 100, code=f"A{number:04}",
            description=" ".join(self.writer.text(3, 6)), long_description=" ".join(self.writer.text(4, 12)),
            products=[("create", [{
                "suffix_code": f"-{variant}" if variant else "", "displayed_on_eshop": True,
                "uri": slug + (f"-{variant.lower()}" if variant else "")} for variant in variants])])
        nodes = [node]
        if number % 3 == 0:
            nodes.append(self.random.choice(self.shelves))
        if number % 4 == 1:
            nodes.append(self.random.choice(self.places))
        for place in dict.fromkeys(nodes):
            for product in template.products:
                self.new("product.product-product.tree_node", product=product.id, node=place.id,
                         sequence=self.random.randrange(100))
        return template.products[0]

    def fill(self):
        nodes = [self.node(line) for line in TREE]
        shelves = {"under-20", "wedding", "offers", "new"}
        self.shelves = [node for node in self.places if node.slug in shelves]
        self.places = [node for node in self.places if node.slug not in shelves]
        products = [self.product(number, self.places[number % len(self.places)]) for number in range(1, 355)]
        Product = self.pool.get("product.product")
        for product in products:
            others = self.random.sample(products, 3)
            Product.write([product], {"cross_sells": [("add", [other.id for other in others if other != product])]})
        for title, german, chosen in [("Our favourites", "Unsere Lieblinge", self.random.sample(products, 6)),
                                      ("For spring", "Für den Frühling", nodes[:4])]:
            parent = self.new("nereid.cms.menuitem", {"title": german}, type_="view", title=title, parent=self.home.id)
            for record in chosen:
                self.item(parent, record, record.name, record.name)
        for slug, title, german, count in TOPICS:
            topic = self.new("nereid.cms.article.category", {"title": german}, title=title, unique_name=slug,
                             articles_per_page=3, sort_order="sequence")
            self.item(self.menu if slug != "service" else self.foot, topic, title, german)
            for number in range(count):
                heading = self.writer.heading()
                self.new("nereid.cms.article", uri=f"{slug}-{number + 1}", title=heading, content_type="html",
                         content="".join(f"<p>{part}</p>" for part in self.writer.text(6, 16)), state="published",
                         sequence=number, categories=[("add", [topic.id])])


def once(function, key):
    """The function, its results kept under their key; not kept without one."""
    kept = {}

    def given(*arguments, **named):
        name = key(*arguments, **named)
        if name is None:
            return function(*arguments, **named)
        if name not in kept:
            kept[name] = function(*arguments, **named)
        return kept[name]
    return given


def application():
    from secure_cookie.session import FilesystemSessionStore

    from nereid import Nereid
    from nereid.sessions import Session

    app = Nereid()
    app.config.update(SECRET_KEY="a test site, its key known to all", DATABASE_NAME="store")
    app.session_interface.session_store = FilesystemSessionStore("store/sessions", session_class=Session)
    app.initialise()
    # The rules of addresses and the menus are the same for all pages: work them out once (a menu: per language).
    Website, Item = app.pool.get("nereid.website"), app.pool.get("nereid.cms.menuitem")
    Website.get_url_adapter = once(Website.get_url_adapter, lambda website, app: website.id)
    Item.get_menu_item = once(Item.get_menu_item, lambda item, max_depth: (
        item.id, max_depth, Transaction().language) if item.title in ("Main", "Foot") else None)
    return app


if __name__ == "__main__":
    Pool.start()
    if ACTION == "fill":
        pool = Pool("store")
        pool.init()
        with Transaction().start("store", 1, context={"language": "en"}) as transaction:
            Store().base()
            transaction.commit()
    else:
        import waitress
        waitress.serve(application(), listen="127.0.0.1:" + sys.argv[2], threads=1)
