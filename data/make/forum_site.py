#!/usr/bin/env python3
"""A discussion board: django-machina, as its documentation sets it up, in one file.

    forum_site.py fill FOLDER          makes the data base in FOLDER and fills it; with SHARE=0.2 in
                                       the environment with a fifth of the topics
    forum_site.py serve FOLDER PORT    serves the board on 127.0.0.1:PORT
"""

import datetime
import os
import pathlib
import random
import sys

ACTION, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()

import django
from django.conf import settings
from machina import MACHINA_MAIN_STATIC_DIR, MACHINA_MAIN_TEMPLATE_DIR

APPS = ("forum", "forum_conversation", "forum_conversation.forum_attachments",
        "forum_conversation.forum_polls", "forum_feeds", "forum_moderation", "forum_search",
        "forum_tracking", "forum_member", "forum_permission")

settings.configure(
    SECRET_KEY="a test site",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    USE_TZ=True,
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": FOLDER / "forum.db"}},
    INSTALLED_APPS=["django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions",
                    "django.contrib.messages", "django.contrib.staticfiles", "mptt", "haystack",
                    "widget_tweaks", "machina"] + ["machina.apps." + app for app in APPS],
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware",
                "django.middleware.common.CommonMiddleware",
                "django.middleware.csrf.CsrfViewMiddleware",
                "django.contrib.auth.middleware.AuthenticationMiddleware",
                "django.contrib.messages.middleware.MessageMiddleware",
                "machina.apps.forum_permission.middleware.ForumPermissionMiddleware"],
    TEMPLATES=[{
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [FOLDER / "templates", MACHINA_MAIN_TEMPLATE_DIR],
        "APP_DIRS": True,
        "OPTIONS": {"context_processors": [
            "django.template.context_processors.request", "django.contrib.auth.context_processors.auth",
            "django.contrib.messages.context_processors.messages",
            "machina.core.context_processors.metadata"]},
    }],
    CACHES={"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
            "machina_attachments": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache",
                                    "LOCATION": "attachments"}},
    HAYSTACK_CONNECTIONS={"default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}},
    STATIC_URL="/static/",
    STATICFILES_DIRS=[MACHINA_MAIN_STATIC_DIR],
    LOGIN_URL="/accounts/login/",
    MACHINA_FORUM_NAME="The Machine Room",
    MACHINA_DEFAULT_AUTHENTICATED_USER_FORUM_PERMISSIONS=[
        "can_see_forum", "can_read_forum", "can_start_new_topics", "can_reply_to_topics",
        "can_edit_own_posts", "can_post_without_approval"],
)
django.setup()

from django.contrib.auth.models import User
from django.contrib.auth.views import LoginView, PasswordResetView
from django.core.management import call_command
from django.urls import include, path
from machina import urls as machina_urls
from machina.apps.forum.models import Forum
from machina.apps.forum_conversation.models import Post, Topic
from machina.apps.forum_permission.shortcuts import assign_perm
from django.contrib.auth.models import AnonymousUser

urlpatterns = [
    path("accounts/login/", LoginView.as_view(template_name="login.html"), name="login"),
    path("accounts/password/", PasswordResetView.as_view(template_name="login.html"), name="password"),
    path("", include(machina_urls)),
]

# What a board adds of its own: a log-in link that leads back.
HEADER = """{% extends "board_base_original.html" %}
{% block header_collapse %}{{ block.super }}<div class="navbar-nav">
<a class="nav-item nav-link" href="{% url 'login' %}?next={{ request.get_full_path|urlencode }}">Log in</a>
</div>{% endblock %}"""
LOGIN = """{% extends "board_base.html" %}{% block sub_title %}Log in{% endblock %}
{% block content %}<h1>Log in</h1><form method="post">{% csrf_token %}{{ form.as_p }}
<input type="hidden" name="next" value="{{ next }}"><button>Log in</button></form>
<p><a href="{% url 'password' %}">Forgotten your password?</a></p>{% endblock %}"""

BOARD = {
    "Announcements": {"News": 18, "Rules and site": 9},
    "Programming": {"Beginners": 70, "Files and data": 55, "Networking": 50, "Concurrency": 40,
                    "Testing": 35},
    "Community": {"Introductions": 40, "Off topic": 35, "Jobs": 14},
}
# Who writes here without an account.
OPEN_TO_GUESTS = ("Beginners", "Introductions")
MEMBERS = """ada alan barbara bertrand brian claude dennis donald edsger frances fred grace guido
    hedy james jean john karen katherine ken kurt larry leslie lois margaret mary niklaus radia
    robin rosa shafi sophie steve susan tim tony yukihiro""".split()
SHARE = float(os.environ.get("SHARE", "1"))
START = datetime.datetime(2023, 2, 1, 8, tzinfo=datetime.timezone.utc)


class Fill:
    def __init__(self):
        from texts import Writer
        self.random, self.writer = random.Random(3), Writer(3)
        self.users, self.topics, self.count = [], [], 0

    def run(self):
        for name in MEMBERS:
            self.users.append(User.objects.create(username=name))
        guests = AnonymousUser()
        for category, forums in BOARD.items():
            parent = Forum.objects.create(name=category, type=Forum.FORUM_CAT)
            for name, topics in forums.items():
                forum = Forum.objects.create(
                    name=name, parent=parent, type=Forum.FORUM_POST,
                    description=self.writer.heading(5, 9))
                for place in (parent, forum):
                    for right in ("can_see_forum", "can_read_forum"):
                        assign_perm(right, guests, place)
                if name in OPEN_TO_GUESTS:
                    for right in ("can_reply_to_topics", "can_start_new_topics",
                                  "can_post_without_approval"):
                        assign_perm(right, guests, forum)
                for _ in range(round(topics * SHARE)):
                    self.topic(forum)
        self.digests(Forum.objects.get(name="News"))

    def topic(self, forum, subject=None, text=None):
        subject = subject or self.writer.heading(3, 9)
        poster = self.random.choice(self.users)
        kind = Topic.TOPIC_STICKY if self.random.random() < 0.03 else Topic.TOPIC_POST
        topic = Topic.objects.create(forum=forum, subject=subject, poster=poster, type=kind,
                                     status=Topic.TOPIC_UNLOCKED, approved=True)
        self.topics.append(topic)
        self.post(topic, poster, subject, text or "\n\n".join(self.writer.text(2, 7)))
        replies = self.random.choice([0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 11, 17, 24, 38])
        for _ in range(0 if text else replies):
            body = "\n\n".join(self.writer.text(1, 5))
            if self.random.random() < 0.1:
                body += "\n\nSee also " + self.link(self.random.choice(self.topics))
            self.post(topic, self.random.choice(self.users), "Re: " + subject, body)

    def post(self, topic, poster, subject, content):
        post = Post.objects.create(topic=topic, poster=poster, subject=subject, content=content,
                                   approved=True)
        self.count += 1
        when = START + datetime.timedelta(hours=self.count * 7, minutes=self.count * 13 % 60)
        Post.objects.filter(pk=post.pk).update(created=when, updated=when)
        Topic.objects.filter(pk=topic.pk).update(last_post_on=when)
        if post.is_topic_head:
            Topic.objects.filter(pk=topic.pk).update(created=when)

    def link(self, topic, arguments=""):
        """A link to a topic as a member or a newsletter writes it."""
        place = f"/forum/{topic.forum.slug}-{topic.forum.pk}/topic/{topic.slug}-{topic.pk}/"
        return f"[{topic.subject}]({place}{arguments})"

    def digests(self, forum):
        """The monthly newsletter, which is put on the board too: its links are counted."""
        topics = list(self.topics)
        for month in range(1, 13):
            counted = f"?utm_source=digest&utm_medium=email&utm_campaign=2024-{month:02}"
            lines = [f"* {self.link(topic, counted)}" for topic in self.random.sample(topics, min(12, len(topics)))]
            self.topic(forum, f"Digest 2024-{month:02}", "Of this month:\n\n" + "\n".join(lines))


def main():
    if ACTION == "fill":
        from django.db import transaction
        templates = FOLDER / "templates"
        templates.mkdir(parents=True)
        machina = pathlib.Path(MACHINA_MAIN_TEMPLATE_DIR)
        original = (machina / "board_base.html").read_text()
        (templates / "board_base_original.html").write_text(original)
        (templates / "board_base.html").write_text(HEADER)
        (templates / "login.html").write_text(LOGIN)
        call_command("migrate", verbosity=0)
        with transaction.atomic():
            Fill().run()
    else:
        import logging

        import waitress
        from django.core.wsgi import get_wsgi_application
        logging.getLogger("waitress").setLevel(logging.ERROR)
        waitress.serve(get_wsgi_application(), listen="127.0.0.1:" + sys.argv[3], threads=1)


if __name__ == "__main__":
    main()
