#!/usr/bin/env python3
"""A mailing-list archive: HyperKitty without Mailman, set up as its example project, in one file.

    lists_site.py fill FOLDER          makes the data base in FOLDER and imports FOLDER/*.mbox
    lists_site.py serve FOLDER PORT    serves the archive on 127.0.0.1:PORT
"""

import datetime
import hashlib
import pathlib
import sys

ACTION, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()

import django
import time_machine
from django.conf import settings

# Pages tell how many days old a thread is and what was written of late: the clock stands, shortly
# after the last mail.
time_machine.travel(datetime.datetime(2025, 6, 21, 10, tzinfo=datetime.timezone.utc), tick=False).start()

settings.configure(
    SECRET_KEY="a test site",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    SITE_ID=1,
    USE_TZ=True,
    TIME_ZONE="UTC",
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": FOLDER / "lists.db"}},
    INSTALLED_APPS=["hyperkitty", "django_mailman3", "django.contrib.admin", "django.contrib.auth",
                    "django.contrib.contenttypes", "django.contrib.sessions", "django.contrib.sites",
                    "django.contrib.messages", "django.contrib.staticfiles", "django.contrib.humanize",
                    "rest_framework", "django_gravatar", "compressor", "haystack", "django_extensions",
                    "django_q", "allauth", "allauth.account", "allauth.socialaccount"] +
                   # Not Fedora's, which fails with this allauth.
                   ["allauth.socialaccount.providers." + name
                    for name in ("openid", "github", "gitlab", "google", "twitter", "stackexchange")],
    MIDDLEWARE=["allauth.account.middleware.AccountMiddleware",
                "django.middleware.security.SecurityMiddleware",
                "django.contrib.sessions.middleware.SessionMiddleware",
                "django.middleware.common.CommonMiddleware",
                "django.middleware.csrf.CsrfViewMiddleware",
                "django.contrib.auth.middleware.AuthenticationMiddleware",
                "django.contrib.messages.middleware.MessageMiddleware",
                "django.middleware.clickjacking.XFrameOptionsMiddleware",
                "django_mailman3.middleware.TimezoneMiddleware"],
    TEMPLATES=[{
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {"context_processors": [
            "django.template.context_processors.i18n", "django.template.context_processors.media",
            "django.template.context_processors.static", "django.template.context_processors.tz",
            "django.template.context_processors.request", "django.contrib.auth.context_processors.auth",
            "django.contrib.messages.context_processors.messages",
            "django_mailman3.context_processors.common", "hyperkitty.context_processors.common"]},
    }],
    CACHES={"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}},
    STATIC_URL="/static/",
    STATIC_ROOT=FOLDER / "static",
    # The style sheets are not asked for.
    COMPRESS_ENABLED=False,
    COMPRESS_PRECOMPILERS=(),
    LOGIN_URL="account_login",
    LOGIN_REDIRECT_URL="hk_root",
    LOGOUT_URL="account_logout",
    AUTHENTICATION_BACKENDS=["django.contrib.auth.backends.ModelBackend",
                             "allauth.account.auth_backends.AuthenticationBackend"],
    ACCOUNT_LOGIN_METHODS={"username", "email"},
    ACCOUNT_SIGNUP_FIELDS=["email*", "username*", "password1*", "password2*"],
    ACCOUNT_EMAIL_VERIFICATION="mandatory",
    ACCOUNT_UNIQUE_EMAIL=True,
    # The example has Yahoo's server, which a log-in link would have the site ask.
    SOCIALACCOUNT_PROVIDERS={"openid": {"SERVERS": []}},
    # Nothing listens there.
    MAILMAN_REST_API_URL="http://127.0.0.1:9",
    MAILMAN_REST_API_USER="restadmin",
    MAILMAN_REST_API_PASS="restpass",
    MAILMAN_ARCHIVER_KEY="key",
    MAILMAN_ARCHIVER_FROM=("127.0.0.1",),
    # No page links to a search.
    HAYSTACK_CONNECTIONS={"default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}},
    Q_CLUSTER={"timeout": 300, "retry": 360, "save_limit": 100, "orm": "default", "sync": True},
    FILTER_VHOST=False,
    HYPERKITTY_ENABLE_GRAVATAR=True,
)
django.setup()

from django.contrib import admin
from django.contrib.sites.models import Site
from django.core.management import call_command
from django.urls import include, path, reverse_lazy
from django.views.generic import RedirectView
from hyperkitty.models import MailingList, Sender

urlpatterns = [
    path("", RedirectView.as_view(url=reverse_lazy("hk_root"))),
    path("hyperkitty/", include("hyperkitty.urls")),
    path("", include("django_mailman3.urls")),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
]

DESCRIPTIONS = {
    "announce": "Releases and other news",
    "devel": "How it is made and what comes next",
    "users": "Questions and answers about its use",
}


def fill():
    call_command("migrate", verbosity=0)
    Site.objects.update(domain="lists.test", name="lists.test")
    for name, description in DESCRIPTIONS.items():
        # What Mailman would tell of a list.
        MailingList.objects.create(
            name=f"{name}@lists.test", list_id=f"{name}.lists.test", display_name=name.capitalize(),
            description=description, subject_prefix=f"[{name}] ",
            created_at=datetime.datetime(2022, 6, 30, tzinfo=datetime.timezone.utc))
        call_command("hyperkitty_import", str(FOLDER / f"{name}.mbox"), verbosity=0,
                     list_address=f"{name}@lists.test", no_sync_mailman=True)
    # And of a subscriber: without the number no mail links to who wrote it.
    for sender in Sender.objects.all():
        sender.mailman_id = hashlib.md5(sender.address.encode()).hexdigest()
        sender.save()


def main():
    if ACTION == "fill":
        fill()
    else:
        import logging

        import waitress
        from django.core.wsgi import get_wsgi_application
        logging.getLogger("waitress").setLevel(logging.ERROR)
        waitress.serve(get_wsgi_application(), listen="127.0.0.1:" + sys.argv[3], threads=1)


if __name__ == "__main__":
    main()
