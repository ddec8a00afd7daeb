#!/usr/bin/env python3
"""Questions and answers: fills an Askbot project, or serves it.

    questions_site.py fill FOLDER          30 users, 260 questions over two years
    questions_site.py serve FOLDER PORT    serves it on 127.0.0.1:PORT

FOLDER is a project as `askbot-setup` leaves it, with its data base.
"""

import datetime
import heapq
import os
import random
import sys

import time_machine
from texts import MODULES, Writer

ACTION, FOLDER = sys.argv[1], os.path.abspath(sys.argv[2])
START = datetime.datetime(2024, 1, 8, 9, tzinfo=datetime.timezone.utc)
END = START + datetime.timedelta(days=730)
# Pages tell how long ago all was done: the clock stands while the site is served.
clock = time_machine.travel(START if ACTION == "fill" else END, tick=False).start()

sys.path.insert(0, FOLDER)
os.chdir(FOLDER)
os.environ["DJANGO_SETTINGS_MODULE"] = "project.settings"
import django
django.setup()

from askbot.conf import settings as live_settings
from askbot.models import User
from django.contrib.sites.models import Site
from django.db import connection

NAMES = ["ada", "alan", "barbara", "bjarne", "dennis", "donald", "edsger", "frances", "grace", "guido",
         "hedy", "ivan", "jean", "john", "karen", "katherine", "ken", "larry", "leslie", "margaret",
         "niklaus", "peter", "radia", "robin", "sophie", "steve", "tim", "tony", "whitfield", "yukihiro"]
TOPICS = ["beginner", "debugging", "design", "documentation", "errors", "installation", "linux",
          "performance", "security", "style", "testing", "unicode", "windows"]
QUESTIONS = 260
ASKS = ["How do I use {}?", "{}: why?", "What is the right way to {}?", "Is it true: {}?",
        "{} does not work", "When is {} better?", "Trouble: {}", "Difference between {} and {}"]


class Forum:
    def __init__(self):
        self.random, self.writer = random.Random(5), Writer(5)
        self.pending, self.count, self.questions = [], 0, []

    def at(self, when, do, *arguments):
        self.count += 1
        if when < END:
            heapq.heappush(self.pending, (when, self.count, do, arguments))

    def later(self, when, low, high):
        """Some time from low to high hours after `when`."""
        return when + datetime.timedelta(minutes=self.random.randint(low * 60, high * 60))

    def users(self):
        self.all = []
        for count, name in enumerate(NAMES):
            clock.move_to(START - datetime.timedelta(days=40 - count))
            user = User.objects.create_user(name, f"{name}@questions.test", "secret")
            user.real_name = f"{name.capitalize()} Example"
            user.about = " ".join(self.writer.text(1, 3)) if count % 3 else ""
            user.save()
            # Enough to do all that a user may: to vote, to edit, to close.
            user.receive_reputation(self.random.choice([300, 500, 800, 3000]), "en")
            user.save()
            self.all.append(user)

    def someone(self, but=None):
        # A few write most of it.
        place = min(int(self.random.expovariate(0.12)), len(self.all) - 1)
        user = User.objects.get(pk=self.all[place].pk)
        return self.someone(but) if user.pk == but else user

    def body(self, low, high):
        parts = self.writer.text(low, high)
        if self.questions and self.random.random() < 0.2:
            other = self.random.choice(self.questions)
            parts.append(f"See also [this question](http://questions.test{other.get_absolute_url()}).")
        if self.random.random() < 0.2:
            parts.insert(1, "    import this\n    print(this.d)")
        return "\n\n".join(parts)

    def ask(self, when):
        pick = self.random.choice
        asker = self.someone()
        form = pick(ASKS)
        title = form.format(*[self.writer.heading(2, 5) for _ in range(form.count("{}"))])
        tags = self.random.sample(TOPICS, pick([0, 1, 1, 2]))
        tags.append(MODULES[min(int(self.random.expovariate(0.05)), len(MODULES) - 1)].replace(".", "-"))
        if self.random.random() < 0.3:
            tags.append(pick(MODULES).replace(".", "-"))
        question = asker.post_question(
            title=title, body_text=self.body(2, 8), tags=" ".join(sorted(set(tags))),
            wiki=self.random.random() < 0.04, timestamp=when)
        self.questions.append(question)
        for _ in range(pick([0, 0, 1, 1, 2, 3])):
            self.at(self.later(when, 1, 60), self.comment, question)
        for _ in range(pick([0, 0, 1, 1, 1, 2, 2, 3, 4, 6])):
            self.at(self.later(when, 1, 400), self.answer, question)
        for _ in range(pick([0, 0, 1, 2, 3, 5])):
            self.at(self.later(when, 1, 900), self.vote, question)
        if self.random.random() < 0.3:
            self.at(self.later(when, 1, 100), self.edit, question)
        if self.random.random() < 0.25:
            self.at(self.later(when, 1, 100), self.follow, question)
        if self.random.random() < 0.05:
            self.at(self.later(when, 200, 900), self.close, question)

    def fresh(self, post):
        return type(post).objects.get(pk=post.pk)

    def answer(self, when, question):
        question = self.fresh(question)
        if question.thread.closed:
            return
        answerer = self.someone(but=question.author_id)
        if question.thread.posts.filter(post_type="answer", author=answerer).exists():
            return
        answer = answerer.post_answer(question=question, body_text=self.body(1, 7), timestamp=when)
        for _ in range(self.random.choice([0, 0, 1, 2])):
            self.at(self.later(when, 1, 60), self.comment, answer)
        for _ in range(self.random.choice([0, 1, 2, 4])):
            self.at(self.later(when, 1, 900), self.vote, answer)
        if self.random.random() < 0.25:
            self.at(self.later(when, 1, 50), self.edit, answer)
        if self.random.random() < 0.35:
            self.at(self.later(when, 1, 90), self.accept, answer)

    def comment(self, when, post):
        post = self.fresh(post)
        self.someone().post_comment(parent_post=post, timestamp=when,
                                    body_text=" ".join(self.writer.text(1, 2))[:290])

    def vote(self, when, post):
        post = self.fresh(post)
        user = self.someone(but=post.author_id)
        (user.downvote if self.random.random() < 0.12 else user.upvote)(post, timestamp=when)

    def edit(self, when, post):
        post = self.fresh(post)
        text = post.text + "\n\n" + self.writer.text(1, 2)[0]
        editor = User.objects.get(pk=post.author_id)
        comment = self.random.choice(["", "typo", "more details", "clearer"])
        do = editor.edit_question if post.post_type == "question" else editor.edit_answer
        do(post, body_text=text, revision_comment=comment, timestamp=when, force=True)

    def accept(self, when, answer):
        answer = self.fresh(answer)
        asker = User.objects.get(pk=answer.thread._question_post().author_id)
        asker.accept_best_answer(answer=answer, timestamp=when, force=True)

    def follow(self, when, question):
        self.someone().toggle_favorite_question(self.fresh(question), timestamp=when)

    def close(self, when, question):
        User.objects.get(pk=self.all[0].pk).close_question(
            self.fresh(question), reason="Duplicate question", timestamp=when)

    def fill(self):
        self.users()
        for count in range(QUESTIONS):
            self.at(START + datetime.timedelta(days=count * 2.75, minutes=count * 37 % 600), self.ask)
        while self.pending:
            when, _, do, arguments = heapq.heappop(self.pending)
            clock.move_to(when)
            do(when, *arguments)
        for question in self.questions:
            thread = self.fresh(question).thread
            type(thread).objects.filter(pk=thread.pk).update(
                view_count=self.random.randint(5, 400) + 12 * thread.answer_count)


def main():
    if ACTION == "fill":
        Site.objects.update(domain="questions.test", name="questions.test")
        # Mail goes nowhere, and no picture comes from elsewhere.
        for name in ("DEFAULT_NOTIFICATION_DELIVERY_SCHEDULE_Q_ASK",
                     "DEFAULT_NOTIFICATION_DELIVERY_SCHEDULE_Q_ANS",
                     "DEFAULT_NOTIFICATION_DELIVERY_SCHEDULE_Q_ALL",
                     "DEFAULT_NOTIFICATION_DELIVERY_SCHEDULE_Q_SEL",
                     "DEFAULT_NOTIFICATION_DELIVERY_SCHEDULE_M_AND_C"):
            live_settings.update(name, "n")
        live_settings.update("ENABLE_GRAVATAR", False)
        live_settings.update("APP_URL", "http://questions.test")
        # A power failure would do no harm here.
        connection.cursor().execute("PRAGMA synchronous = OFF")
        Forum().fill()
    else:
        import waitress
        from django.core.wsgi import get_wsgi_application
        waitress.serve(get_wsgi_application(), listen="127.0.0.1:" + sys.argv[3], threads=1)


if __name__ == "__main__":
    main()
