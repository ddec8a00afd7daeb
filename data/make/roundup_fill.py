#!/usr/bin/env python3
"""Fills a Roundup tracker (classic template), lets three weeks pass, or serves it.

    roundup_fill.py fill TRACKER                  22 users, 360 issues over two years, 14 queries
    roundup_fill.py change TRACKER                12 new issues, 9 closed, 14 further messages
    roundup_fill.py serve-before TRACKER PORT     serves it as of the day before the change
    roundup_fill.py serve-after TRACKER PORT      ... and of three weeks later

Roundup dates all that is done by the time it is done at, and its lists tell ages. So the clock is
set here: to each event's time while the tracker is filled, to one day while it is served.
"""

import heapq
import random
import sys
from datetime import datetime, timedelta

import roundup.instance
from roundup.cgi.wsgi_handler import RequestDispatcher
from roundup.date import Date
from roundup.password import Password
from texts import Writer
from waitress import serve

DEVELOPERS = ["ada", "barbara", "donald", "edsger", "grace", "niklaus"]
REPORTERS = ["alan", "dennis", "frances", "hedy", "ivan", "jean", "katherine", "ken", "leslie",
             "margaret", "peter", "radia", "robin", "sophie", "tony", "whitfield"]
ORGANISATIONS = ["", "", "Example Works", "Sample University", "The project"]
KEYWORDS = ["api", "build", "crash", "documentation", "easy", "interface", "network", "packaging",
            "performance", "regression", "security", "translation", "unicode", "windows"]
PRIORITIES = ["critical", "urgent", "bug", "bug", "bug", "feature", "feature", "wish"]
WORKED_ON = ["deferred", "need-eg", "in-progress", "in-progress", "testing"]
FILES = [("trace.txt", "text/plain"), ("fix.patch", "text/x-diff"), ("settings.ini", "text/plain"),
         ("output.log", "text/plain"), ("example.py", "text/x-python")]
START = datetime(2024, 1, 8, 9)
BEFORE, AFTER = START + timedelta(days=742), START + timedelta(days=763)
ISSUES = 360

# Of Roundup's own "not resolved": the unset one and all but the last.
OPEN = "-1,1,2,3,4,5,6,7"
USUAL = "id,activity,title,creator,assignedto,status"
# As people search: name, owner, columns, order, grouping, page size, arguments.
QUERIES = [
    ("Critical and urgent", "grace", USUAL, "-activity", "priority", 50,
     {"status": OPEN, "priority": "1,2"}),
    ("In progress", "grace", USUAL, "-activity", "assignedto", 50, {"status": "5,6"}),
    ("Needs an example", "ada", "id,activity,title,creator", "activity", "", 50, {"status": "4"}),
    ("Easy issues", "ada", "id,title,keyword,assignedto", "-activity", "priority", 50,
     {"status": OPEN, "keyword": "5"}),
    ("Security", "donald", USUAL, "-creation", "status", 50, {"keyword": "11"}),
    ("Newly reported", "barbara", "id,creation,title,creator", "-creation", "", 20, {"status": "1"}),
    ("Resolved", "barbara", "id,activity,title,assignedto", "-activity", "", 100, {"status": "8"}),
    ("Wishes", "niklaus", "id,activity,title,status", "-activity", "status", 50,
     {"status": OPEN, "priority": "4,5"}),
    ("For ada", "ada", USUAL, "-activity", "priority", 50, {"status": OPEN, "assignedto": "3"}),
    ("For grace", "grace", USUAL, "-activity", "priority", 50, {"status": OPEN, "assignedto": "7"}),
    ("By keyword", "barbara", "id,title,keyword,status", "title", "keyword", 100, {"status": OPEN}),
    ("All issues", "edsger", "id,creation,activity,title,status", "-id", "", 20, {}),
    ("Mine", "edsger", USUAL, "-activity", "priority", 50, {"status": OPEN, "assignedto": "6"}),
    ("Windows", "niklaus", USUAL, "title", "status", 50, {"status": OPEN, "keyword": "14"}),
]
PRIVATE = ("Mine", "Windows")


def set_clock(time):
    Date.now = lambda self: time


class Tracker:
    def __init__(self, instance, seed):
        self.db = instance.open("admin")
        self.random, self.writer = random.Random(seed), Writer(seed)
        self.pending, self.count = [], 0

    def at(self, when, do, *arguments):
        self.count += 1
        heapq.heappush(self.pending, (when, self.count, do, arguments))

    def run(self, end):
        """Does what is to be done in the order of time."""
        while self.pending and self.pending[0][0] < end:
            when, _, do, arguments = heapq.heappop(self.pending)
            set_clock(when)
            do(when, *arguments)
        self.db.commit()
        self.db.close()

    def set_up(self):
        for name in KEYWORDS:
            self.db.keyword.create(name=name)
        for name in DEVELOPERS + REPORTERS:
            self.db.user.create(
                username=name, realname=f"{name.capitalize()} Example", roles="User",
                address=f"{name}@roundup.test",
                organisation=self.random.choice(ORGANISATIONS))
        public = []
        for name, owner, columns, sort, group, size, arguments in QUERIES:
            # As Roundup writes down what was searched for.
            url = f"@columns={columns}&@sort={sort}" + (f"&@group={group}" if group else "")
            url += f"&@filter={','.join(arguments)}" if arguments else ""
            url += f"&@pagesize={size}&@startwith=0"
            url += "".join(f"&{key}={value}" for key, value in arguments.items())
            self.db.setCurrentUser(owner)
            user = self.db.user.lookup(owner)
            private = user if name in PRIVATE else None
            query = self.db.query.create(name=name, klass="issue", url=url, private_for=private)
            self.db.user.set(user, queries=self.db.user.get(user, "queries") + [query])
            public += [] if private else [query]
        # What this user has is what the menu shows to all who are not logged in.
        self.db.setCurrentUser("admin")
        self.db.user.set(self.db.user.lookup("anonymous"), queries=public)

    def text(self, low, high):
        text = "\n\n".join(self.writer.text(low, high))
        if self.random.random() < 0.25 and self.db.issue.count():
            issue = self.random.randint(1, self.db.issue.count())
            message = self.random.randint(1, self.db.msg.count())
            text += "\n\n" + self.random.choice([
                f"See issue{issue}.", f"This may be issue {issue} again.",
                f"As msg{message} says.", f"Compare msg{message} of issue{issue}."])
        return text

    def message(self, author, low, high):
        """A message as it comes by mail, and its files: two lists of ids."""
        files = []
        if self.random.random() < 0.08:
            name, kind = self.random.choice(FILES)
            files = [self.db.file.create(name=name, type=kind,
                                         content="\n".join(self.writer.text(4, 12)))]
        number = self.db.msg.count() + 1
        message = self.db.msg.create(
            author=self.db.user.lookup(author), date=Date("."), content=self.text(low, high),
            files=files, messageid=f"<{number}.{author}@roundup.test>")
        return [message], files

    def report(self, when, closes):
        pick = self.random.choice
        author = pick(REPORTERS + DEVELOPERS[:3])
        self.db.setCurrentUser(author)
        # A few are reported by a title alone.
        message, files = [], []
        if self.random.random() < 0.96:
            message, files = self.message(author, 2, 8)
        issue = self.db.issue.create(
            title=self.writer.heading(4, 9), priority=self.db.priority.lookup(pick(PRIORITIES)),
            keyword=self.keywords(pick([0, 0, 1, 1, 2])), messages=message, files=files)
        if self.random.random() < 0.6:
            when += timedelta(hours=self.random.randint(1, 60))
            self.at(when, self.assign, issue)
        for _ in range(pick([0, 0, 1, 1, 2, 2, 3, 3, 4, 5, 7])):
            when += timedelta(hours=self.random.randint(1, 150), minutes=self.random.randint(0, 59))
            self.at(when, self.answer, issue)
        if closes:
            self.at(when + timedelta(hours=self.random.randint(2, 400)), self.close, issue)

    def keywords(self, count):
        return [self.db.keyword.lookup(name) for name in sorted(self.random.sample(KEYWORDS, count))]

    def assign(self, when, issue):
        self.db.setCurrentUser(self.random.choice(DEVELOPERS))
        self.db.issue.set(issue, assignedto=self.db.user.lookup(self.random.choice(DEVELOPERS)))

    def answer(self, when, issue):
        author = self.random.choice(DEVELOPERS + REPORTERS)
        self.db.setCurrentUser(author)
        message, files = self.message(author, 1, 5)
        changes = {"messages": self.db.issue.get(issue, "messages") + message}
        if files:
            changes["files"] = self.db.issue.get(issue, "files") + files
        if author in DEVELOPERS and self.random.random() < 0.4:
            changes["status"] = self.db.status.lookup(self.random.choice(WORKED_ON))
        elif self.random.random() < 0.15:
            changes["priority"] = self.db.priority.lookup(self.random.choice(PRIORITIES))
        elif self.random.random() < 0.15:
            changes["keyword"] = self.keywords(2)
        self.db.issue.set(issue, **changes)

    def close(self, when, issue):
        author = self.random.choice(DEVELOPERS)
        self.db.setCurrentUser(author)
        changes = {"status": self.db.status.lookup(
            self.random.choice(["resolved", "resolved", "resolved", "resolved", "done-cbb"]))}
        if self.random.random() < 0.7:
            message, _ = self.message(author, 1, 2)
            changes["messages"] = self.db.issue.get(issue, "messages") + message
        if int(issue) > 1 and self.random.random() < 0.12:
            changes["superseder"] = [str(self.random.randint(1, int(issue) - 1))]
        self.db.issue.set(issue, **changes)

    def fill(self):
        for count in range(ISSUES):
            when = START + timedelta(days=2 + count * 2.03, minutes=count * 37 % 600)
            self.at(when, self.report, self.random.random() < 0.8 - 0.4 * count / ISSUES)
        self.run(BEFORE)

    def change(self):
        resolved = self.db.status.lookup("resolved")
        opened = [str(issue) for issue in sorted(map(int, self.db.issue.list()))
                  if self.db.issue.get(str(issue), "status") != resolved]
        for count in range(12):
            self.at(BEFORE + timedelta(hours=5 + 35 * count), self.report, False)
        chosen = self.random.sample(opened, 23)
        for count, issue in enumerate(chosen):
            when = BEFORE + timedelta(hours=9 + 20 * count, minutes=count * 7)
            self.at(when, self.close if count < 9 else self.answer, issue)
        self.run(AFTER)


def main():
    action, place, *port = sys.argv[1:]
    if action.startswith("serve"):
        set_clock(BEFORE if action == "serve-before" else AFTER)
        serve(RequestDispatcher(place), host="127.0.0.1", port=int(port[0]), threads=1)
        return
    instance = roundup.instance.open(place)
    if action == "fill":
        set_clock(START)
        instance.init(Password("secret", config=instance.config))
        tracker = Tracker(instance, 1)
        tracker.set_up()
        tracker.fill()
    else:
        Tracker(instance, 2).change()


if __name__ == "__main__":
    main()
