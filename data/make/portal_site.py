#!/usr/bin/env python3
"""An institute's portal: fills a Plone site, or serves it.

    portal_site.py fill FOLDER          makes the site, its folders, pages, news and events
    portal_site.py serve FOLDER PORT    serves it as http://portal.test/ on 127.0.0.1:PORT

FOLDER is a Zope instance as `mkwsgiinstance` leaves it.
"""

import datetime
import os
import random
import re
import sys
import uuid

import pytz
import time_machine
from texts import MODULES, Writer

ACTION, FOLDER = sys.argv[1], os.path.abspath(sys.argv[2])
# Not at a full second, since Plone cannot read its names of schemas that hold such a time.
START = datetime.datetime(2023, 9, 4, 9, 0, 0, 250000, tzinfo=pytz.utc)
END = datetime.datetime(2025, 10, 15, 10, 0, 0, 250000, tzinfo=pytz.utc)
# Calendars start from today: the clock stands while the site is served.
clock = time_machine.travel(START if ACTION == "fill" else END, tick=False).start()
# Record numbers, permanent links and keys are drawn at random: the same ones each time.
random.seed(6)
lots = random.Random(6)
uuid.uuid4 = lambda: uuid.UUID(int=lots.getrandbits(128), version=4)

import plone.keyring.keyring
plone.keyring.keyring.GenerateSecret = lambda length=64: f"{lots.getrandbits(4 * length):0{length}x}"

from Zope2.Startup.run import make_wsgi_app
application = make_wsgi_app({}, os.path.join(FOLDER, "etc", "zope.conf"))

import transaction
import Zope2
from AccessControl.SecurityManagement import newSecurityManager
from DateTime import DateTime
from plone import api
from plone.app.discussion.interfaces import IConversation
from plone.app.event.portlets import portlet_calendar
from plone.app.portlets.portlets import news
from plone.app.textfield.value import RichTextValue
from plone.namedfile.file import NamedBlobFile
from plone.portlet.collection import collection
from plone.portlets.interfaces import IPortletAssignmentMapping, IPortletManager
from plone.registry.interfaces import IRegistry
from Products.CMFPlone.factory import addPloneSite
from Testing.makerequest import makerequest
from zope.component import createObject, getMultiAdapter, getUtility
from zope.globalrequest import setRequest

SITE = "http://portal.test"
STAFF = ["Ada Example", "Barbara Example", "Donald Example", "Grace Example", "Katherine Example",
         "Niklaus Example", "Radia Example"]
TAGS = ["alumni", "archive", "award", "campus", "conference", "cooperation", "data", "doctorate", "exams",
        "funding", "guests", "jobs", "library", "network", "open science", "patents", "press", "safety",
        "schools", "software", "sport", "students", "teaching", "travel"]
GROUPS = ["Computing", "Languages", "Materials", "Networks"]
PLACES = ["Lecture hall 1", "Lecture hall 2", "Library", "Room 204", "Online"]
ANY = "plone.app.querystring.operation.selection.any"


class Portal:
    def __init__(self, site):
        self.site, self.random, self.writer = site, random.Random(7), Writer(7)
        # What texts may name, and what only members may read.
        self.known, self.members_only, self.when = [], [], START

    def name(self, title):
        return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:40].strip("-")

    def add(self, folder, kind, title, name=None, publish=True, **fields):
        """A new item, an hour to a day and a half after the last one."""
        pick, name = self.random.choice, name or self.name(title)
        if name in folder:
            name += f"-{len(folder)}"
        self.when += datetime.timedelta(minutes=self.random.randint(60, 2000))
        clock.move_to(self.when)
        tags = self.random.sample(TAGS, pick([0, 1, 2, 2, 3])) if kind != "Folder" else []
        item = api.content.create(
            folder, kind, id=name, title=title, subject=tuple(sorted(tags)),
            description=" ".join(self.writer.text(1, 1)) if self.random.random() < 0.7 else "",
            creators=(self.name(pick(STAFF)).split("-")[0],), **fields)
        # Files have no states: they are as open as their folder.
        if publish and kind != "File":
            api.content.transition(item, "publish")
            # As a click on it does: lists are sorted by this date.
            item.setEffectiveDate(DateTime())
            item.reindexObject()
        if publish and kind != "Folder":
            self.known.append(item)
        return item

    def html(self, low, high, links=0.5):
        """Some paragraphs with links such as editors make."""
        parts = self.writer.text(low, high)
        if self.known and self.random.random() < links:
            for _ in range(self.random.choice([1, 1, 2, 3])):
                parts.append("See also " + self.link(self.random.choice(self.known)) + ".")
        if self.members_only and self.random.random() < 0.06:
            item = self.random.choice(self.members_only)
            parts.append(f'The <a href="resolveuid/{item.UID()}">minutes</a> are for members.')
        return RichTextValue("".join(f"<p>{part}</p>" for part in parts), "text/html", "text/x-html-safe")

    def link(self, item):
        path, chance = item.absolute_url_path()[1:], self.random.random()
        address = (
            # What the editor writes, and Plone turns into the item's address.
            f"resolveuid/{item.UID()}" if chance < 0.7 else
            # Written by hand: the last of them is wrong below the top, but Zope finds the page.
            f"{SITE}/{path}" if chance < 0.8 else f"/{path}" if chance < 0.9 else
            f"{SITE}/{path}/" if chance < 0.95 else path)
        return f'<a href="{address}">{item.Title()}</a>'

    def page(self, folder, title, low=5, high=20, **fields):
        return self.add(folder, "Document", title, text=self.html(low, high), **fields)

    def front(self, folder, title, name):
        """A page that is shown in place of its folder's listing."""
        folder.setDefaultPage(self.page(folder, title, name=name).getId())

    def topics(self, count):
        return [f"{module.replace('.', ' ').title()}: {self.writer.heading(2, 4)}"
                for module in self.random.sample(MODULES, count)]

    def collection(self, folder, title, query, **fields):
        layout = fields.pop("layout", "listing_view")
        item = self.add(folder, "Collection", title, sort_on="effective", sort_reversed=True,
                        item_count=10, limit=1000, **fields,
                        query=[{"i": index, "o": ANY, "v": values} for index, values in query])
        item.setLayout(layout)
        return item

    def folders(self):
        site = self.site
        about = self.add(site, "Folder", "About us", "about")
        self.front(about, "The institute", "institute")
        for title in ("History", "Mission", "Directions", "Annual report", "Equal opportunities"):
            self.page(about, title)
        people = self.add(about, "Folder", "People")
        for group in GROUPS:
            staff = self.add(people, "Folder", f"{group} staff", self.name(group))
            staff.setLayout("tabular_view")
            for count in range(8):
                self.page(staff, f"{self.random.choice(STAFF)} {group[0]}{count + 1}", 2, 5)

        members = self.add(site, "Folder", "Intranet", publish=False)
        for count in range(16):
            self.members_only.append(self.add(members, "Document", f"Minutes {count + 1}", publish=False,
                                              text=self.html(3, 8, 0)))

        research = self.add(site, "Folder", "Research")
        self.front(research, "Our research", "overview")
        for group in GROUPS:
            area = self.add(research, "Folder", group)
            self.front(area, f"Research in {group.lower()}", "overview")
            for title in self.topics(5):
                project = self.add(area, "Folder", title)
                project.setLayout(self.random.choice(["listing_view", "summary_view", "full_view"]))
                parts = ["Background", "Methods", "Partners", "Results", "Software"]
                for part in self.random.sample(parts, 4):
                    self.page(project, part)

        teaching = self.add(site, "Folder", "Teaching")
        for year in (2024, 2025):
            for term in ("Summer", "Winter"):
                courses = self.add(teaching, "Folder", f"{term} term {year}")
                courses.setLayout("summary_view")
                for title in self.topics(15):
                    self.page(courses, title, 4, 12)

        service = self.add(site, "Folder", "Service")
        guides = self.add(service, "Folder", "Guides")
        # Links to the next and the last page below each.
        guides.nextPreviousEnabled = True
        for title in self.topics(20):
            self.page(guides, title, 8, 24)
        forms = self.add(service, "Folder", "Forms")
        for title in self.topics(8):
            self.add(forms, "File", title, file=NamedBlobFile(
                self.html(3, 9).raw.encode(), "text/plain", f"{self.name(title)}.txt"))
        links = self.add(service, "Folder", "Links")
        for item in self.random.sample(self.known, 20):
            self.add(links, "Link", f"To {item.Title()}",
                     remoteUrl=f"${{portal_url}}/resolveuid/{item.UID()}")
        papers = self.add(site, "Folder", "Publications")
        for year in (2022, 2023, 2024, 2025):
            volume = self.add(papers, "Folder", f"Publications {year}", str(year))
            volume.setLayout("summary_view")
            for _ in range(25):
                self.page(volume, self.writer.heading(), 3, 10)

    def reports(self):
        """News and events, newest last."""
        step = (END - self.when) / 265
        for count in range(250):
            # After the folders, which take most of the time before.
            self.when = max(self.when, self.when + step - datetime.timedelta(hours=17))
            title = self.writer.heading()
            if count % 5 < 4:
                item = self.add(self.site["news"], "News Item", title, text=self.html(4, 14))
                if self.random.random() < 0.4:
                    self.discuss(item)
            else:
                start = (self.when + datetime.timedelta(days=self.random.randint(3, 60))).replace(
                    hour=self.random.choice([10, 14, 18]), minute=0, second=0, microsecond=0)
                length = self.random.choice([2, 2, 3, 50])
                weekly = "RRULE:FREQ=WEEKLY;COUNT=6" if self.random.random() < 0.15 and length < 4 else None
                self.add(self.site["events"], "Event", title, text=self.html(2, 9), recurrence=weekly,
                         start=start, end=start + datetime.timedelta(hours=length),
                         location=self.random.choice(PLACES), contact_name=self.random.choice(STAFF))
        # What went out by mail, kept on the site.
        letters = self.add(self.site["about"], "Folder", "Newsletters")
        for count in range(4):
            latest = [item for item in self.known if item.portal_type == "News Item"][-5 - 7 * count:][:6]
            tail = f"utm_source=newsletter&amp;utm_medium=email&amp;utm_campaign=issue-{4 - count}"
            lines = "".join(f'<li><a href="{SITE}/news/{item.getId()}?{tail}">{item.Title()}</a></li>'
                            for item in latest)
            text = f"<p>{self.writer.text(3, 3)[0]}</p><ul>{lines}</ul>"
            self.add(letters, "Document", f"Newsletter, issue {4 - count}",
                     text=RichTextValue(text, "text/html", "text/x-html-safe"))

    def discuss(self, item):
        conversation = IConversation(item)
        for count in range(self.random.choice([1, 1, 2, 4])):
            clock.move_to(self.when + datetime.timedelta(minutes=7 * count + 5))
            comment = createObject("plone.Comment")
            comment.text, comment.author_name = self.writer.text(1, 3)[0], self.random.choice(STAFF)
            conversation.addComment(comment)

    def collections(self):
        topics = self.add(self.site, "Folder", "Topics")
        layouts = ["listing_view", "summary_view", "tabular_view", "full_view"]
        for count, tag in enumerate(TAGS[::2]):
            self.collection(topics, tag.capitalize(), [("Subject", [tag])], layout=layouts[count % 4])
        self.collection(topics, "All pages", [("portal_type", ["Document"])])
        self.collection(topics, "News and events", [("portal_type", ["News Item", "Event"])],
                        layout="summary_view")
        latest = self.collection(self.site["research"], "Research news", [
            ("portal_type", ["News Item"]), ("Subject", ["award", "conference", "data", "funding", "network"])])
        self.assign(self.site["research"], "plone.rightcolumn", "research", collection.Assignment(
            header="Research news", uid=latest.UID(), limit=4))

    def assign(self, context, column, name, portlet):
        manager = getUtility(IPortletManager, name=column)
        getMultiAdapter((context, manager), IPortletAssignmentMapping)[name] = portlet

    def fill(self):
        for name in STAFF:
            login = name.split()[0].lower()
            api.user.create(f"{login}@portal.test", login, "a secret of ours",
                            properties={"fullname": name, "location": "Campus",
                                        "description": " ".join(self.writer.text(1, 2))})
        self.folders()
        self.reports()
        self.collections()
        clock.move_to(END - datetime.timedelta(days=2))
        self.site.title, self.site.description = "Institute of Examples", self.writer.text(1, 1)[0]
        self.site.text = self.html(5, 8, 1)
        # Coming events stand in the right column as Plone is set up.
        self.assign(self.site, "plone.rightcolumn", "news", news.Assignment())
        self.assign(self.site["events"], "plone.rightcolumn", "calendar", portlet_calendar.Assignment())


def fill():
    root = makerequest(Zope2.app())
    request = root.REQUEST
    # As the site is seen from outside.
    request.setServerURL("http", "portal.test", "80")
    request.other["VirtualRootPhysicalPath"] = ("", "portal")
    setRequest(request)
    newSecurityManager(None, root.acl_users.getUser("admin").__of__(root.acl_users))
    site = addPloneSite(root, "portal", title="Institute of Examples", distribution_name="classic",
                        setup_content=True, default_language="en", portal_timezone="UTC")
    site.portal_setup.runAllImportStepsFromProfile("profile-plone.app.discussion:default")
    registry = getUtility(IRegistry)
    for name, value in {
        "plone.available_languages": ["en", "de"],
        "plone.use_cookie_negotiation": True,
        # No menus of the whole site on each page.
        "plone.navigation_depth": 1,
        "plone.displayed_types": ("Link", "Folder", "Document", "Collection", "File"),
        # Who wrote a page, and when.
        "plone.allow_anon_views_about": True,
        "plone.app.discussion.interfaces.IDiscussionSettings.globally_enabled": True,
    }.items():
        registry[name] = value
    site.portal_types["News Item"].allow_discussion = True
    Portal(site).fill()
    transaction.commit()


def portal(environ, start_response):
    """As a web server before Zope asks for the site under its own name."""
    environ["PATH_INFO"] = (
        "/VirtualHostBase/http/portal.test:80/portal/VirtualHostRoot" + environ["PATH_INFO"])
    return application(environ, start_response)


if __name__ == "__main__":
    if ACTION == "fill":
        fill()
    else:
        import waitress
        waitress.serve(portal, listen="127.0.0.1:" + sys.argv[3], threads=1)
