#!/usr/bin/env python3
"""An institute's events: fills Indico, or serves it.

    events_site.py fill          35 categories, 400 events in nineteen months, 40 users
    events_site.py serve PORT    serves it on 127.0.0.1:PORT

$INDICO_CONFIG names the settings, whose data base is as `indico db prepare` leaves it.
"""

import datetime
import io
import random
import sys
import uuid

import time_machine
from texts import MODULES, Writer

ACTION = sys.argv[1]
START = datetime.datetime(2023, 9, 4, 8, tzinfo=datetime.timezone.utc)
END = datetime.datetime(2025, 1, 15, 10, tzinfo=datetime.timezone.utc)
# Lists tell what is over and what is to come: the clock stands while the site is served.
clock = time_machine.travel(START if ACTION == "fill" else END, tick=False).start()
# Events and forms have random names, too: the same ones each time.
lots = random.Random(8)
uuid.uuid4 = lambda: uuid.UUID(int=lots.getrandbits(128), version=4)

from flask import session
from indico.core.db import db
from indico.core.db.sqlalchemy.descriptions import RenderMode
from indico.modules.attachments.models.attachments import Attachment, AttachmentFile, AttachmentType
from indico.modules.attachments.models.folders import AttachmentFolder
from indico.modules.attachments.operations import add_attachment_link
from indico.modules.categories import Category
from indico.modules.categories.operations import create_category
from indico.modules.events.abstracts.operations import open_cfa
from indico.modules.events.contributions import contribution_settings
from indico.modules.events.contributions.models.persons import (
    AuthorType, ContributionPersonLink, SubContributionPersonLink)
from indico.modules.events.contributions.models.types import ContributionType
from indico.modules.events.contributions.operations import create_contribution, create_subcontribution
from indico.modules.events.features.util import set_feature_enabled
from indico.modules.events.layout import layout_settings
from indico.modules.events.layout.models.menu import EventPage, MenuEntry, MenuEntryType
from indico.modules.events.layout.util import menu_entries_for_event
from indico.modules.events.models.events import EventType
from indico.modules.events.models.persons import EventPerson, EventPersonLink
from indico.modules.events.models.series import EventSeries
from indico.modules.events.notes.models.notes import EventNote
from indico.modules.events.operations import create_event
from indico.modules.events.registration.models.forms import RegistrationForm
from indico.modules.events.registration.models.registrations import PublishRegistrationsMode
from indico.modules.events.registration.util import create_personal_data_fields, create_registration
from indico.modules.events.sessions.operations import create_session
from indico.modules.events.timetable.operations import create_break_entry, create_session_block_entry
from indico.modules.events.tracks.operations import create_track
from indico.modules.events.util import track_time_changes
from indico.modules.news.models.news import NewsItem
from indico.modules.users import User
from indico.modules.users.operations import create_user
from indico.web.flask.app import make_app

SITE = "http://events.test"
FIRST = ["Ada", "Alan", "Barbara", "Dennis", "Donald", "Edsger", "Frances", "Grace", "Hedy", "Jean", "Karen",
         "Katherine", "Ken", "Leslie", "Margaret", "Niklaus", "Radia", "Robin", "Sophie", "Tony"]
LAST = ["Arden", "Birch", "Cole", "Dale", "Eastman", "Frost", "Gray", "Hall", "Ives", "Jordan", "Kent", "Lane",
        "Marsh", "North", "Oakes", "Park"]
PLACES = ["Institute of Examples", "University of Samples", "Laboratory of Drafts", "Academy of Trials"]
ROOMS = ["Auditorium", "Council room", "Library", "Room 1-017", "Room 2-104", "Room 3-011", "Online"]
DAY, HOUR, MINUTE = (datetime.timedelta(**{unit: 1}) for unit in ("days", "hours", "minutes"))
# Department: what it holds, as (category, what its events are called, kind, days between two, how many).
TREE = {
    "Computing": [
        ("Software group", "Software group meeting", "meeting", 14, 40),
        ("Operations", "Operations meeting", "meeting", 14, 40),
        ("Architecture forum", None, "meeting", 35, 12),
        ("Computing seminars", None, "lecture", 21, 20), ("Security", "Security board", "meeting", 60, 8)],
    "Research": [
        ("Detectors", "Detector group meeting", "meeting", 21, 28), ("Theory", "Theory lunch", "meeting", 21, 26),
        ("Theory seminars", None, "lecture", 14, 30), ("Journal club", "Journal club", "meeting", 30, 16),
        ("Materials", "Materials group meeting", "meeting", 28, 22),
        ("Measurements", "Data taking", "meeting", 28, 14)],
    "Collaborations": [
        ("Almanac", "Almanac week", "workshop", 180, 3),
        ("Beacon", "Beacon collaboration meeting", "workshop", 120, 4),
        ("Copperplate", "Copperplate plenary", "workshop", 150, 3),
        ("Editorial board", "Editorial board", "meeting", 45, 10)],
    "Conferences and workshops": [
        ("Conferences", None, "conference", 85, 7), ("Schools", None, "school", 200, 2),
        ("Workshops", None, "workshop", 80, 6)],
    "Colloquia and lectures": [
        ("Colloquium", None, "lecture", 14, 32), ("Academic lectures", None, "series", 60, 7),
        ("Public lectures", None, "lecture", 60, 9)],
    "Administration": [
        ("Council", "Council", "meeting", 90, 6), ("Safety", "Safety committee", "meeting", 75, 7),
        ("Staff association", "Staff assembly", "meeting", 120, 4), ("Travel", None, "meeting", 200, 2)],
    "Training": [("Courses", None, "lecture", 30, 14), ("Induction", "Induction for new colleagues", "meeting", 60, 9)],
}
SUBJECTS = ["Introduction", "News", "Status report", "Minutes of the last meeting", "Any other business", "Round table"]


class Events:
    def __init__(self, app):
        self.app, self.random, self.writer = app, random.Random(8), Writer(8)
        self.users, self.categories, self.known = [], {}, []

    def inside(self, when, do, *arguments):
        """Does something at that time, as a request by one of the users."""
        clock.move_to(min(when, END - DAY))
        with self.app.test_request_context("/", base_url=SITE):
            if self.users:
                session["_user_id"] = self.random.choice(self.users)
            with track_time_changes():
                result = do(*arguments)
            db.session.commit()
        return result

    def title(self):
        head = self.random.choice(MODULES).replace(".", " ").replace("_", " ").title()
        return f"{head}: {self.writer.heading(3, 6)}" if self.random.random() < 0.6 else self.writer.heading(4, 8)

    def chance(self, share):
        return self.random.random() < share

    def link(self):
        """To another event or category, as people copy it from their browser's line."""
        event, contribution, short = self.random.choice(self.known)
        path, chance = f"/event/{event}/", self.random.random()
        if chance < 0.1:
            path = path[:-1]
        elif contribution and chance < 0.4:
            path += f"contributions/{contribution}/"
        elif short and chance < 0.6:
            path = f"/e/{short}"
        elif chance < 0.7:
            path = f"/category/{self.random.choice(list(self.categories.values()))}/"
        return SITE + path

    def html(self, low, high, links=0.3):
        parts = self.writer.text(low, high)
        if self.known and self.chance(links):
            url = self.link()
            parts.append(f'See also <a href="{url}">{self.random.choice([url, "there", "the last one"])}</a>.')
        return "".join(f"<p>{part}</p>" for part in parts)

    # Who and where

    def make_users(self):
        for count in range(40):
            first, last = FIRST[count % len(FIRST)], LAST[count * 5 % len(LAST)]
            data = {"first_name": first, "last_name": last, "affiliation": PLACES[0]}
            user = create_user(f"{first}.{last}.{count}@events.test".lower(), data)
            self.users.append(user.id)

    def make_category(self, parent, title):
        text = " ".join(self.writer.text(1, 3)) if self.chance(0.5) else ""
        category = create_category(Category.get(parent), {"title": title, "description": text})
        self.categories[title] = category.id
        return category.id

    def person(self, event):
        """One of the staff, or a guest."""
        if self.chance(0.6):
            return EventPerson.for_user(User.get(self.random.choice(self.users)), event)
        count = self.random.randrange(120)
        first, last, place = FIRST[count * 7 % len(FIRST)], LAST[count * 3 % len(LAST)], PLACES[1 + count % 3]
        email = f"{first}.{last}.{count}@example.org".lower()
        known = event.persons.filter_by(email=email).first()
        return known or EventPerson(event=event, first_name=first, last_name=last, affiliation=place, email=email)

    def people(self, kind, event, count):
        links = {}
        with db.session.no_autoflush:
            chosen = {person.email: person for person in (self.person(event) for _ in range(count))}
        for at, person in enumerate(chosen.values()):
            link = kind(person=person)
            if kind is ContributionPersonLink:
                link.is_speaker = at == 0
                link.author_type = [AuthorType.primary, AuthorType.secondary][at > 1] \
                    if event.type_ == EventType.conference else AuthorType.none
            elif kind is SubContributionPersonLink:
                link.is_speaker = True
            links[link] = False
        return links

    # Events

    def event(self, category, kind, title, start, length, short=None, **more):
        data = {"title": title, "start_dt": start, "end_dt": start + length, "timezone": "UTC",
                "description": self.html(2, 8) if self.chance(0.6) or kind != EventType.meeting else "", **more}
        place = {"inheriting": False, "venue_name": "Main campus", "room_name": self.random.choice(ROOMS)}
        event = create_event(Category.get(category), kind, {**data, "location_data": place})
        if self.chance(0.3):
            event.keywords = [self.random.choice(MODULES) for _ in range(2)]
        if short and self.chance(0.6):
            event.url_shortcut = f"{short}{event.id}"
        # Its parts are counted in transactions of their own, which wait for what changes the event.
        db.session.commit()
        return event

    def remember(self, event, contributions=()):
        self.known.append((event.id, self.random.choice(contributions).id if contributions else None,
                           event.url_shortcut))

    def attach(self, item, title):
        """Slides, or a link to somewhere."""
        if self.chance(0.3):
            url = self.link() if self.chance(0.3) else "http://example.org/" + title.lower().replace(" ", "-")
            add_attachment_link({"title": title, "link_url": url}, item)
            return
        folder = AttachmentFolder.get_or_create_default(item)
        attachment = Attachment(folder=folder, user=session.user, title=title, type=AttachmentType.file)
        attachment.file = AttachmentFile(user=session.user, filename=f"{title.lower().replace(' ', '_')}.pdf",
                                         content_type="application/pdf")
        attachment.file.save(io.BytesIO(b"%PDF-1.4\n"))

    def note(self, item, low=4, high=14):
        EventNote.get_or_create(item).create_revision(RenderMode.html, self.html(low, high), session.user)

    def talk(self, event, start, minutes, title=None, block=None, **more):
        text = "\n\n".join(self.writer.text(2, 10)) if self.chance(0.5) or more else ""
        contribution = create_contribution(event, {
            "title": title or self.title(), "description": text, "duration": minutes * MINUTE, "start_dt": start,
            "person_link_data": self.people(ContributionPersonLink, event, self.random.choice([1, 1, 1, 2, 3])), **more,
        }, session_block=block)
        if start < END and self.chance(0.5):
            self.attach(contribution, self.random.choice(["Slides", "Slides", "Poster", "Paper", "Talk"]))
        return contribution

    def meeting(self, category, title, start):
        lengths = [self.random.choice([5, 10, 20, 20, 30]) for _ in range(self.random.randint(2, 7))]
        length = (sum(lengths) + 30) * MINUTE
        event = self.event(category, EventType.meeting, title or self.title(), start, length)
        fixed = self.random.sample(SUBJECTS, min(len(lengths), 3))
        talks, when, coffee = [], start, self.chance(0.3)
        for at, minutes in enumerate(lengths):
            talks.append(self.talk(event, when, minutes, fixed[at] if at < len(fixed) and self.chance(0.6) else None))
            when += minutes * MINUTE
            if coffee and at == 1:
                create_break_entry(event, {"title": "Coffee", "start_dt": when, "duration": 15 * MINUTE,
                                           "location_data": {"inheriting": True}})
                when += 15 * MINUTE
        if self.chance(0.3):
            db.session.commit()
            for _ in range(self.random.randint(2, 3)):
                create_subcontribution(talks[-1], {
                    "title": self.title(), "duration": 5 * MINUTE, "description": "",
                    "person_links": list(self.people(SubContributionPersonLink, event, 1))})
        if start < END and self.chance(0.5):
            self.note(event)
            if self.chance(0.3):
                self.note(talks[0], 2, 5)
        if self.chance(0.15):
            self.attach(event, "Agenda")
        self.remember(event, talks)

    def lecture(self, category, title, start, series=None):
        event = self.event(category, EventType.lecture, title or self.title(), start, HOUR, series=series)
        event.person_link_data = self.people(EventPersonLink, event, self.random.choice([1, 1, 1, 2]))
        if start < END and self.chance(0.4):
            self.attach(event, self.random.choice(["Slides", "Recording", "Poster"]))
        self.remember(event)

    def series(self, category, title, start):
        """One subject, on three or four days one after the other."""
        title, series = self.title(), EventSeries()
        for at in range(self.random.randint(3, 4)):
            self.lecture(category, title, start + at * DAY, series)

    def blocks(self, event, days, parallel, talks, **more):
        """A programme: sessions in the morning and the afternoon, lunch in between."""
        done, sessions = [], []
        for day in range(days):
            for hour in (9, 14):
                for _ in range(parallel):
                    if len(sessions) < 3 * parallel or self.chance(0.3):
                        text = self.writer.text(1, 2)[0] if self.chance(0.4) else ""
                        session_data = {"title": self.writer.heading(1, 3), "description": text}
                        sessions.append(create_session(event, session_data))
                    start = event.start_dt.replace(hour=hour) + day * DAY
                    block = create_session_block_entry(self.random.choice(sessions), {
                        "start_dt": start, "title": "", "duration": talks * 25 * MINUTE,
                        "person_links": []}).session_block
                    for at in range(talks):
                        extra = {name: self.random.choice(values) for name, values in more.items()}
                        done.append(self.talk(event, start + at * 25 * MINUTE, 25, block=block, **extra))
            create_break_entry(event, {"title": "Lunch", "start_dt": event.start_dt.replace(hour=12) + day * DAY,
                                       "duration": HOUR, "location_data": {"inheriting": True}})
        return done

    def workshop(self, category, title, start):
        days = self.random.randint(1, 3)
        event = self.event(category, EventType.meeting, title or self.title(), start.replace(hour=9),
                           (days - 1) * DAY + 9 * HOUR, "workshop")
        talks = self.blocks(event, days, 1, self.random.randint(3, 5))
        if self.chance(0.6):
            self.registration(event, start, ["Registration"])
        if start < END:
            self.note(event, 6, 20)
        self.remember(event, talks)

    def registration(self, event, start, titles):
        set_feature_enabled(event, "registration", True)
        for title in titles:
            form = RegistrationForm(event=event, title=title, introduction=self.writer.text(1, 3)[0],
                                    currency="EUR", start_dt=start - 60 * DAY, end_dt=start - 2 * DAY)
            create_personal_data_fields(form)
            if self.chance(0.7):
                form.publish_registrations_public = PublishRegistrationsMode.show_all
                form.publish_registrations_participants = PublishRegistrationsMode.show_all
            db.session.add(form)
            db.session.flush()
            for count in self.random.sample(range(120), self.random.randint(4, 25) if start < END + 60 * DAY else 0):
                first, last = FIRST[count * 7 % len(FIRST)], LAST[count * 3 % len(LAST)]
                create_registration(form, {"first_name": first, "last_name": last, "affiliation": PLACES[count % 4],
                                           "email": f"{first}.{last}.{count}@example.org".lower()},
                                    management=True, notify_user=False)

    def conference(self, category, title, start, days=None):
        days = days or self.random.randint(2, 4)
        name = f"{self.writer.heading(2, 4)}, {start.year}"
        event = self.event(category, EventType.conference, title or name, start.replace(hour=9),
                           (days - 1) * DAY + 9 * HOUR, "conf")
        tracks = [create_track(event, {"title": self.writer.heading(1, 3), "code": f"T{at}",
                                       "description": self.writer.text(1, 4)[0]}) for at in range(1, 5)]
        kinds = [ContributionType(event=event, name=name) for name in ("Talk", "Invited talk", "Poster")]
        db.session.flush()
        talks = self.blocks(event, days, self.random.randint(1, 2), 4, type=kinds, track=tracks)
        contribution_settings.set(event, "published", True)
        forms = ["Registration"] if self.chance(0.6) else ["Participants", "Accompanying persons"]
        self.registration(event, start, forms)
        if start > END + 30 * DAY:
            set_feature_enabled(event, "abstracts", True)
            open_cfa(event)
        layout_settings.set(event, "use_custom_menu", True)
        menu_entries_for_event(event)
        for entry in MenuEntry.query.with_parent(event):
            # Off as Indico comes; on at most conferences.
            if entry.name in ("author_index", "speaker_index"):
                entry.is_enabled = self.chance(0.8)
        for page in ("Venue", "Travel", "Committees", "Social programme")[:self.random.randint(1, 4)]:
            entry = MenuEntry(event=event, type=MenuEntryType.page, title=page)
            page = EventPage(html=self.html(3, 12))
            event.custom_pages.append(page)
            entry.page = page
            db.session.add(entry)
        self.remember(event, talks)

    def school(self, category, title, start):
        self.conference(category, title or f"School on {self.writer.heading(1, 3).lower()}", start, 5)

    def news(self):
        text = self.html(2, 6, 1)
        db.session.add(NewsItem(title=self.writer.heading(3, 6), content=text))

    def fill(self):
        self.inside(START, self.make_users)
        plan = []
        for title, parts in TREE.items():
            department = self.inside(START, self.make_category, 0, title)
            for name, called, kind, gap, count in parts:
                category = self.inside(START, self.make_category, department, name)
                first = START + self.random.randint(1, 24) * DAY + self.random.randint(0, 8) * HOUR
                plan += [(first + at * gap * DAY, len(plan) + at, kind, category, called) for at in range(count)]
        plan += [(START + 60 * at * DAY, -at, "news", None, None) for at in range(1, 9)]
        # Each is announced a few weeks before.
        for when, _, kind, category, called in sorted(plan):
            arguments = () if kind == "news" else (category, called, when)
            self.inside(when - 21 * DAY if when > START + 25 * DAY else START, getattr(self, kind), *arguments)


if __name__ == "__main__":
    app = make_app()
    if ACTION == "fill":
        Events(app).fill()
    else:
        import waitress
        waitress.serve(app, listen="127.0.0.1:" + sys.argv[2], threads=1)
