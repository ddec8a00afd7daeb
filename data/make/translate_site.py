#!/usr/bin/env python3
"""A site where programs are translated: fills Weblate, or serves it.

    translate_site.py fill FOLDER          two projects, 11 components, 9 languages, 30 translators
    translate_site.py serve FOLDER PORT    serves it on 127.0.0.1:PORT

The data base is PostgreSQL's on a socket in FOLDER/sockets. Strings and translations are those that come with
Django and three packages which Weblate needs anyway.
"""

import datetime
import os
import pathlib
import random
import subprocess
import sys
import types

import time_machine

ACTION, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
UTC = datetime.timezone.utc
START, END = datetime.datetime(2025, 1, 8, 9, tzinfo=UTC), datetime.datetime(2025, 6, 21, 10, tzinfo=UTC)
# Pages tell how long ago something changed: the clock stands while the site is served.
clock = time_machine.travel(START if ACTION == "fill" else END, tick=False).start()

settings = types.ModuleType("translate_settings")
sys.modules["translate_settings"] = settings
import weblate.settings_example as example

for name in dir(example):
    if name.isupper():
        setattr(settings, name, getattr(example, name))
settings.DEBUG, settings.SECRET_KEY, settings.ALLOWED_HOSTS = False, "a test site, its key known to all who read", ["*"]
settings.SITE_DOMAIN, settings.SITE_URL, settings.SITE_TITLE = "translate.test", "http://translate.test", "Translate"
settings.DATA_DIR, settings.CACHE_DIR = str(FOLDER / "data"), str(FOLDER / "data/cache")
settings.STATIC_ROOT, settings.MEDIA_ROOT = str(FOLDER / "data/static"), str(FOLDER / "data/media")
settings.DATABASES = {"default": {"ENGINE": "django.db.backends.postgresql", "NAME": "translate", "USER": "weblate",
                                  "HOST": str(FOLDER / "sockets")}}
# One process, so that its own memory does for what redis would keep; tasks are done at once.
settings.CACHES = {name: {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": name}
                   for name in ("default", "avatar")}
settings.CELERY_TASK_ALWAYS_EAGER, settings.CELERY_BROKER_URL, settings.CELERY_RESULT_BACKEND = True, "memory://", None
settings.COMPRESS_ENABLED = settings.BACKGROUND_ADMIN_CHECKS = settings.ENABLE_AVATARS = False
settings.VCS_FILE_PROTOCOL, settings.VCS_API_DELAY = True, 0
settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
# A visitor may search a few times a minute, and the clock stands.
settings.RATELIMIT_ATTEMPTS = settings.RATELIMIT_SEARCH_ATTEMPTS = 10 ** 9
settings.LOGGING = {"version": 1}
settings.MIDDLEWARE = list(settings.MIDDLEWARE)

os.environ["DJANGO_SETTINGS_MODULE"] = "translate_settings"
import django
django.setup()

from django.core.management import call_command
from django.core.wsgi import get_wsgi_application

LANGUAGES = ["cs", "de", "es", "fr", "it", "nl", "pl", "pt_BR", "sv"]
# Project: components, each a package's folder with its languages.
PROJECTS = {
    "Framework": {"Core": "django/conf", "Administration": "django/contrib/admin", "Documentation": "django/contrib/admindocs",
                  "Accounts": "django/contrib/auth", "Flat pages": "django/contrib/flatpages", "Maps": "django/contrib/gis",
                  "Readable numbers": "django/contrib/humanize", "Databases": "django/contrib/postgres"},
    "Extensions": {"Filters": "django_filters", "One-time passwords": "django_otp", "Schedules": "django_celery_beat"},
}
LICENSES = {"Framework": "BSD-3-Clause", "Extensions": "BSD-3-Clause"}
NAMES = """ada alan barbara claude dennis donald edsger frances grace guido hedy jean karen katherine ken larry
    leslie margaret niklaus radia robin sophie tony anna boris clara david emma felix gerda""".split()
DAY = datetime.timedelta(days=1)


def git(folder, *arguments, when=START):
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}
    for role in ("AUTHOR", "COMMITTER"):
        environment.update({f"GIT_{role}_NAME": "Ada Arden", f"GIT_{role}_EMAIL": "ada@example.org",
                            f"GIT_{role}_DATE": when.isoformat()})
    subprocess.run(["git", "-C", folder, *arguments], env=environment, check=True, stdout=subprocess.DEVNULL)


def repository(project, components):
    """A project's strings, as its programmers would keep them: NAME/LANGUAGE.po of each component."""
    folder = FOLDER / "repositories" / project.lower()
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    packages = pathlib.Path(django.__file__).parent.parent
    for name, place in components.items():
        part = folder / slug(name)
        part.mkdir()
        found = packages / place / "locale"
        for language in LANGUAGES:
            file = found / language / "LC_MESSAGES/django.po"
            if file.exists():
                (part / f"{language}.po").write_bytes(file.read_bytes())
        english = found / "en/LC_MESSAGES/django.po"
        if not english.exists():
            # A list of the strings, made of a translation.
            english = folder / "empty.po"
            subprocess.run(["msgfilter", "--keep-header", "-i", part / "de.po", "-o", english, "sed", "-e", "d"],
                           check=True, stderr=subprocess.DEVNULL)
        (part / "strings.pot").write_bytes(english.read_bytes())
    (folder / "empty.po").unlink(missing_ok=True)
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "Import the translations")
    return f"file://{folder}"


def slug(name):
    return name.lower().replace(" ", "-")


class Translators:
    def __init__(self):
        from texts import Writer
        self.random, self.writer = random.Random(13), Writer(13)

    def projects(self):
        from weblate.trans.models import Component, Project
        origins = {project: repository(project, components) for project, components in PROJECTS.items()}
        for project, components in PROJECTS.items():
            made = Project.objects.create(name=project, slug=slug(project), web=f"http://www.example.org/{slug(project)}",
                                          instructions=self.writer.text(2, 4)[0], access_control=Project.ACCESS_PUBLIC,
                                          contribute_shared_tm=False)
            first = None
            for name in components:
                component = Component(
                    name=name, slug=slug(name), project=made, vcs="git", branch="" if first else "main",
                    repo=f"weblate://{made.slug}/{first}" if first else origins[project], filemask=f"{slug(name)}/*.po",
                    new_base=f"{slug(name)}/strings.pot", file_format="po", license=LICENSES[project],
                    new_lang="contact", push_on_commit=False)
                component.save()
                first = first or component.slug

    def work(self, days):
        """What translators did: mostly a few strings of one component in their language at a time."""
        from weblate.auth.models import User
        from weblate.trans.models import Comment, Suggestion, Translation
        from weblate.utils.state import STATE_APPROVED, STATE_FUZZY, STATE_TRANSLATED
        users = []
        for at, name in enumerate(NAMES):
            clock.move_to(START - (200 - at * 6) * DAY)
            users.append(User.objects.create_user(name, f"{name}@example.org", "secret", full_name=name.capitalize()))
        translations = list(Translation.objects.exclude(component__slug="glossary").exclude(language__code="en")
                            .order_by("component__project__slug", "component__slug", "language__code"))
        when = START
        for _ in range(days):
            when += datetime.timedelta(hours=self.random.randint(14, 34))
            translation = self.random.choice(translations)
            language = LANGUAGES.index(translation.language.code)
            user = users[(language + 9 * min(int(self.random.expovariate(0.9)), 2)) % len(users)]
            units = list(translation.unit_set.order_by("position"))
            begin = self.random.randrange(len(units))
            for unit in units[begin:begin + self.random.randint(1, 6)]:
                when += datetime.timedelta(seconds=self.random.randint(40, 400))
                clock.move_to(when)
                old, kind = unit.get_target_plurals(), self.random.random()
                new = [text + self.random.choice([" ", ".", "!", " …"]) if text else self.writer.heading() for text in old]
                if kind < 0.5:
                    unit.translate(user, new, self.random.choice([STATE_TRANSLATED, STATE_TRANSLATED, STATE_FUZZY]))
                elif kind < 0.6:
                    unit.translate(user, ["" for _ in old], 0)
                elif kind < 0.8:
                    Suggestion.objects.add(unit, new, None, user=user, raise_exception=False)
                else:
                    Comment.objects.add(None, unit, " ".join(self.writer.text(1, 3)), "translation", user=user, timestamp=when)


def fill():
    # What translators wrote before, which only they are shown: slow to make.
    from weblate.memory import tasks
    for task in (tasks.update_memory, tasks.import_memory):
        task.delay = lambda *_, **__: None
    call_command("migrate", verbosity=0)
    work = Translators()
    work.projects()
    work.work(120)
    clock.move_to(END)
    call_command("commit_pending", "--all", "--age=0")


if __name__ == "__main__":
    if ACTION == "fill":
        fill()
    else:
        import logging

        import waitress
        logging.getLogger("waitress").setLevel(logging.ERROR)
        waitress.serve(get_wsgi_application(), listen="127.0.0.1:" + sys.argv[3], threads=1)
