#!/usr/bin/env python3
"""Programmes of three series of conferences: fills pretalx, or serves it.

    talks_site.py fill          10 conferences in three years, 444 talks by 199 people
    talks_site.py serve PORT    serves it on 127.0.0.1:PORT

Settings come from the environment, as talks.sh sets it.
"""

import datetime
import os
import random
import secrets
import sys
import types

import time_machine
from texts import Writer

ACTION = sys.argv[1]
START = datetime.datetime(2022, 1, 10, 9, tzinfo=datetime.timezone.utc)
END = datetime.datetime(2025, 2, 5, 10, tzinfo=datetime.timezone.utc)
# Pages tell what is over and what is to come: the clock stands while the site is served.
clock = time_machine.travel(START if ACTION == "fill" else END, tick=False).start()

import django.utils.crypto

# Talks and people have random names: the same ones each time.
lots = random.Random(11)
django.utils.crypto.secrets = types.SimpleNamespace(choice=lots.choice, compare_digest=secrets.compare_digest)

from django.conf import settings

os.environ["DJANGO_SETTINGS_MODULE"] = "pretalx.settings"
settings.STORAGES = {**settings.STORAGES,
                     "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
settings.VITE_IGNORE, settings.ALLOWED_HOSTS = True, ["*"]
settings.SECRET_KEY = "a test site, its key known to all"
import django
django.setup()

from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django_scopes import scope, scopes_disabled

SITE = "http://talks.test"
FIRST = ["Ada", "Alan", "Barbara", "Dennis", "Donald", "Edsger", "Frances", "Grace", "Hedy", "Jean", "Karen",
         "Katherine", "Ken", "Leslie", "Margaret", "Niklaus", "Radia", "Robin", "Sophie", "Tony"]
LAST = ["Arden", "Birch", "Cole", "Dale", "Eastman", "Frost", "Gray", "Hall", "Ives", "Jordan", "Kent", "Lane",
        "Marsh", "North", "Oakes", "Park"]
ROOMS = ["Great hall", "Library", "Workshop", "Room 104", "Garden room"]
TRACKS = ["Tools", "Data", "Community", "Security", "Teaching", "Networks"]
# Slug, name, first day, days, rooms, how many talks, versions of the schedule, languages.
EVENTS = [
    ("almanac22", "Almanac 2022", (2022, 6, 10), 2, 3, 50, 5, "en,de"),
    ("beacon22", "Beacon Day 2022", (2022, 10, 8), 1, 2, 18, 3, "en"),
    ("almanac23", "Almanac 2023", (2023, 6, 9), 2, 3, 54, 6, "en,de,fr"),
    ("copper23", "Copperplate Camp 2023", (2023, 8, 17), 4, 3, 74, 7, "en,fr"),
    ("beacon23", "Beacon Day 2023", (2023, 10, 7), 1, 2, 20, 3, "en,de"),
    ("almanac24", "Almanac 2024", (2024, 6, 7), 3, 3, 72, 6, "en,de,fr"),
    ("copper24", "Copperplate Camp 2024", (2024, 8, 15), 4, 3, 80, 8, "en,fr"),
    ("beacon24", "Beacon Day 2024", (2024, 10, 12), 2, 2, 36, 4, "en,de"),
    ("winter25", "Winter School 2025", (2025, 2, 10), 3, 2, 40, 4, "de,en"),
    ("almanac25", "Almanac 2025", (2025, 6, 6), 3, 3, 0, 0, "en,de,fr"),
]
DAY, HOUR, MINUTE = (datetime.timedelta(**{unit: 1}) for unit in ("days", "hours", "minutes"))


class Talks:
    def __init__(self):
        from pretalx.person.models import User
        self.random, self.writer, self.known = random.Random(11), Writer(11), []
        self.staff = User.objects.create_user(email="ada@talks.test", name="Ada Arden", password="secret")
        self.people = []

    def chance(self, share):
        return self.random.random() < share

    def prose(self, low, high):
        """Some paragraphs; now and then with an address as people copy it from their browser."""
        parts = self.writer.text(low, high)
        if self.known and self.chance(0.25):
            url = SITE + self.random.choice(self.known)
            if self.chance(0.2):
                url = url.rstrip("/")
            parts.append(self.random.choice([f"See also {url}", f"This goes on from [another talk]({url}).",
                                             f"More of it [here]({url})"]))
        return "\n\n".join(parts)

    def person(self, event):
        from pretalx.person.models import SpeakerProfile, User
        count = min(int(self.random.expovariate(0.012)), 319)
        first, last = FIRST[count % 20], LAST[(count * 7 + count // 20) % 16]
        user, _ = User.objects.get_or_create(email=f"{first}.{last}.{count}@example.org".lower(),
                                             defaults={"name": f"{first} {last}"})
        SpeakerProfile.objects.get_or_create(
            user=user, event=event, defaults={"biography": self.prose(2, 6) if self.chance(0.8) else ""})
        return user

    def event(self, slug, name, first, days, rooms, talks, versions, languages):
        from pretalx.event.models import Event
        from pretalx.event.utils import create_organiser_with_team
        from pretalx.schedule.models import Room
        from pretalx.submission.models import SubmissionType, Track
        begin = datetime.datetime(*first, tzinfo=datetime.timezone.utc)
        clock.move_to(min(begin - 150 * DAY, END - 40 * DAY))
        organiser, team = create_organiser_with_team(name=f"{name} team", slug=f"{slug}org", users=[self.staff])
        with scopes_disabled():
            event = Event.objects.create(
                name=name, slug=slug, organiser=organiser, is_public=True, date_from=begin.date(),
                date_to=(begin + (days - 1) * DAY).date(), timezone="UTC", email=f"{slug}@talks.test",
                locale_array=languages, content_locale_array=languages, locale=languages.split(",")[0],
                landing_page_text=f"# {name}\n\n" + self.prose(6, 12))
        with scope(event=event):
            event.build_initial_data()
            team.limit_events.add(event)
            self.rooms = [Room.objects.create(event=event, name=room, position=at)
                          for at, room in enumerate(ROOMS[:rooms])]
            SubmissionType.objects.create(event=event, name="Workshop", default_duration=90)
            self.tracks = [Track.objects.create(event=event, name=track, color=f"#{at}{at}5588")
                           for at, track in enumerate(TRACKS[:rooms + 2], 1)]
            event.cfp.headline = f"Speak at {name}!"
            event.cfp.text = self.prose(5, 10)
            event.cfp.deadline = begin - 60 * DAY
            event.cfp.save()
            self.known.append(f"/{slug}/")
            submissions = [self.talk(event) for _ in range(talks)]
            for version in range(versions):
                clock.move_to(min(begin - (50 - version * 6) * DAY, END - (versions - version) * DAY))
                self.schedule(event, begin, days, submissions, version, versions)
        return event

    def talk(self, event):
        from pretalx.submission.models import Submission
        submission = Submission.objects.create(
            event=event, title=self.writer.heading(3, 8), submission_type=self.random.choice(
                list(event.submission_types.order_by("pk"))), track=self.random.choice(self.tracks),
            abstract=self.prose(1, 4), description=self.prose(2, 12) if self.chance(0.6) else "",
            content_locale=event.locale, do_not_record=self.chance(0.1), is_featured=self.chance(0.1))
        for user in {self.person(event) for _ in range(self.random.choice([1, 1, 1, 2]))}:
            submission.speakers.add(user)
        submission.accept()
        if self.chance(0.96):
            submission.confirm()
        self.known.append(f"/{event.slug}/talk/{submission.code}/")
        return submission

    def schedule(self, event, begin, days, submissions, version, versions):
        """The first has most of them, each later one a few more; some change places."""
        planned = submissions[:max(4, len(submissions) * (version + versions) // (2 * versions - 1))]
        slots = [(begin + day * DAY + (9 + hour) * HOUR, room)
                 for hour in range(9) for day in range(days) for room in self.rooms]
        if version == 0:
            self.places = list(range(len(slots)))
            self.random.shuffle(self.places)
        else:
            one, other = self.random.sample(range(len(planned)), 2)
            self.places[one], self.places[other] = self.places[other], self.places[one]
        for submission, place in zip(planned, self.places):
            slot = submission.slots.filter(schedule=event.wip_schedule).first()
            if slot:
                slot.start, slot.room = slots[place]
                slot.end = slot.start + submission.get_duration() * MINUTE
                slot.save()
        text = self.writer.text(1, 3)[0] if self.chance(0.7) else ""
        event.wip_schedule.freeze(f"0.{version + 1}" if version < versions - 1 else "1.0", user=self.staff,
                                  notify_speakers=False, comment=text)
        # It is remembered otherwise.
        for name in ("wip_schedule", "current_schedule"):
            event.__dict__.pop(name, None)

    def fill(self):
        for line in EVENTS:
            self.event(*line)


if __name__ == "__main__":
    if ACTION == "fill":
        call_command("migrate", verbosity=0)
        Talks().fill()
    else:
        import waitress
        waitress.serve(get_wsgi_application(), listen="127.0.0.1:" + sys.argv[2], threads=1)
