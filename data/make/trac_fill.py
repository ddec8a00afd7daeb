#!/usr/bin/env python3
"""Fills a Trac environment with a project's tickets and wiki, or lets some weeks pass.

    trac_fill.py fill ENVIRONMENT      components, milestones, 320 tickets, 60 wiki pages
    trac_fill.py change ENVIRONMENT    11 new tickets, 9 closed, 4 otherwise changed, wiki edits
"""

import random
import sys
from datetime import datetime, timedelta, timezone

from texts import Writer, articles
from trac.env import open_environment
from trac.ticket.model import Component, Milestone, Ticket, Version
from trac.wiki.model import WikiPage

DEVELOPERS = ["ada", "barbara", "donald", "edsger", "grace"]
REPORTERS = DEVELOPERS + ["alan", "dennis", "frances", "hedy", "ken", "margaret", "radia"]
COMPONENTS = {"api": "ada", "build": "barbara", "database": "donald", "documentation": "grace",
              "network": "edsger", "packaging": "barbara", "parser": "ada", "security": "donald",
              "translation": "grace", "interface": "edsger"}
# Name, due (in days from the start), done.
MILESTONES = [("1.0", 120, True), ("1.1", 260, True), ("1.2", 400, True), ("2.0", 640, False),
              ("2.1", 760, False), ("3.0", 1000, False), ("someday", None, False)]
VERSIONS = ["1.0", "1.1", "1.2", "2.0-beta"]
TYPES = ["defect", "defect", "defect", "enhancement", "enhancement", "task"]
PRIORITIES = ["blocker", "critical", "major", "major", "major", "minor", "minor", "trivial"]
SEVERITIES = ["crash", "regression", "easy", "unicode", "windows", "performance", "review"]
RESOLUTIONS = ["fixed", "fixed", "fixed", "fixed", "invalid", "wontfix", "duplicate", "worksforme"]
START = datetime(2024, 1, 8, 9, tzinfo=timezone.utc)
CHANGE = START + timedelta(days=560)
# Until the change nobody has closed a ticket of these, or opened one of the last.
QUIET_MILESTONES = ("2.1", "3.0")
NEW_COMPONENT = "translation"


def set_up(env):
    for old in Component.select(env):
        old.delete()
    for old in Milestone.select(env):
        old.delete()
    for old in Version.select(env):
        old.delete()
    for name, owner in COMPONENTS.items():
        component = Component(env)
        component.name, component.owner = name, owner
        component.description = f"All about {name}."
        component.insert()
    for name, due, done in MILESTONES:
        milestone = Milestone(env)
        milestone.name = name
        if due:
            milestone.due = START + timedelta(days=due)
        if done:
            milestone.completed = START + timedelta(days=due + 6)
        milestone.description = f"The work for {name}."
        milestone.insert()
    for count, name in enumerate(VERSIONS):
        version = Version(env)
        version.name = name
        version.time = START + timedelta(days=130 * count)
        version.insert()


class Project:
    def __init__(self, env, seed):
        self.env, self.random, self.writer = env, random.Random(seed), Writer(seed)

    def body(self, low=2, high=7):
        text = "\n\n".join(self.writer.text(low, high))
        if self.random.random() < 0.3:
            text += f"\n\nSee #{self.random.randint(1, 300)} and wiki:{self.page_name()}."
        return text

    def page_name(self):
        return "Module/" + self.random.choice(MODULES_WITH_PAGE)

    def ticket(self, when, milestones, components):
        pick = self.random.choice
        component = pick(components)
        ticket = Ticket(self.env)
        ticket["reporter"] = pick(REPORTERS)
        ticket["summary"] = self.writer.heading(4, 9)
        ticket["description"] = self.body()
        ticket["type"], ticket["priority"] = pick(TYPES), pick(PRIORITIES)
        ticket["component"], ticket["owner"] = component, COMPONENTS[component]
        ticket["milestone"], ticket["version"] = pick(milestones), pick(VERSIONS)
        ticket["keywords"] = ", ".join(sorted(self.random.sample(SEVERITIES, pick([0, 1, 2]))))
        ticket["cc"] = pick(["", "", pick(REPORTERS)])
        ticket["status"] = "new"
        ticket.insert(when=when)
        for _ in range(pick([0, 0, 1, 1, 2, 3])):
            when += timedelta(hours=self.random.randint(2, 90))
            if self.random.random() < 0.3:
                ticket["priority"] = pick(PRIORITIES)
            ticket.save_changes(pick(REPORTERS), self.body(1, 4), when=when)
        return ticket, when

    def close(self, ticket, when):
        ticket["status"], ticket["resolution"] = "closed", self.random.choice(RESOLUTIONS)
        author = ticket["owner"] or "ada"
        ticket.save_changes(author, self.body(1, 2), when=when + timedelta(hours=9))

    def tickets(self):
        early = [name for name in COMPONENTS if name != NEW_COMPONENT]
        for count in range(320):
            when = START + timedelta(days=count * 1.7, minutes=count * 37 % 600)
            reached = min(count * 1.7 // 130, 3)
            names = [name for name, _, _ in MILESTONES][int(reached):int(reached) + 3] + ["someday"]
            ticket, when = self.ticket(when, names, early)
            done = dict((name, done) for name, _, done in MILESTONES)[ticket["milestone"]]
            if ticket["milestone"] in QUIET_MILESTONES:
                continue
            if done or self.random.random() < 0.35:
                self.close(ticket, when)
            elif self.random.random() < 0.4:
                ticket["status"] = self.random.choice(["assigned", "accepted"])
                ticket["owner"] = self.random.choice(DEVELOPERS[:4])
                ticket.save_changes("ada", "", when=when + timedelta(hours=5))

    def wiki(self):
        when = START
        for module, name, text in articles():
            if module != name or module not in MODULES_WITH_PAGE:
                continue
            when += timedelta(days=3, hours=5)
            links = " ".join(f"[wiki:{self.page_name()}]" for _ in range(4))
            page = "Module/" + module
            self.write(page, f"= {module} =\n\n" + "\n\n".join(text) + f"\n\nSee also: {links}\n", when)
            for _ in range(self.random.choice([0, 0, 1, 2])):
                when += timedelta(hours=30)
                old = WikiPage(self.env, page).text
                self.write(page, old + "\n" + self.writer.text(2, 5)[0] + "\n", when)
        index = "".join(f" * [wiki:Module/{name}]\n" for name in MODULES_WITH_PAGE)
        queries = "".join(
            f" * [query:status=!closed&component={name} open in {name}],"
            f" [query:status=closed&component={name}&order=time closed]\n"
            for name in COMPONENTS)
        mine = "".join(
            f" * {name}: [query:owner={name}&status=assigned&status=accepted in work],"
            f" [query:owner={name}&status=!closed&milestone=2.0 for 2.0],"
            f" [query:owner={name}&status=!closed&milestone=3.0 for 3.0]\n" for name in DEVELOPERS)
        reach = "".join(
            f" * [milestone:{name}]: [query:status=closed&milestone={name} done],"
            f" [query:status=!closed&milestone={name}&group=owner open]\n"
            for name, _, _ in MILESTONES)
        keywords = "".join(f" * [query:keywords=~{word}&status=!closed {word}]\n"
                           for word in SEVERITIES)
        front = "= The project =\n\n" + "\n\n".join(self.writer.text(5, 8))
        self.write("WikiStart", f"{front}\n\n * [wiki:Modules]\n * [wiki:Work]\n"
                   " * [report:1 Active tickets], [report:3 by milestone]\n * TitleIndex\n", when)
        self.write("Modules", "= Modules =\n" + index, when)
        self.write("Work", f"= Who does what =\n{mine}\n== Components ==\n{queries}\n"
                   f"== Milestones ==\n{reach}\n== Keywords ==\n{keywords}", when)

    def write(self, name, text, when):
        page = WikiPage(self.env, name)
        page.text = text
        page.save(self.random.choice(DEVELOPERS), "", t=when)

    def change(self):
        when = CHANGE
        # New tickets, the first ones of a component that had none.
        for count in range(11):
            when += timedelta(hours=20)
            components = [NEW_COMPONENT] if count < 4 else list(COMPONENTS)
            self.ticket(when, ["2.0", "2.1", "3.0"], components)
        opened = [Ticket(self.env, id) for id, in self.env.db_query(
            "SELECT id FROM ticket WHERE status <> 'closed' AND id <= 320 ORDER BY id")]
        quiet = [ticket for ticket in opened if ticket["milestone"] in QUIET_MILESTONES]
        closed = self.random.sample(quiet, 5)
        others = [ticket for ticket in opened if ticket not in quiet]
        closed += self.random.sample(others, 4)
        for ticket in closed:
            when += timedelta(hours=7)
            self.close(ticket, when)
        for ticket in self.random.sample([one for one in opened if one not in closed], 4):
            when += timedelta(hours=7)
            ticket["owner"], ticket["milestone"] = "grace", "3.0"
            ticket.save_changes("grace", self.body(1, 3), when=when)
        for name in self.random.sample(MODULES_WITH_PAGE, 3) + ["WikiStart"]:
            when += timedelta(hours=3)
            old = WikiPage(self.env, name if name == "WikiStart" else "Module/" + name)
            self.write(old.name, old.text + "\n" + self.writer.text(2, 4)[0] + "\n", when)


MODULES_WITH_PAGE = sorted({module for module, _, _ in articles()})[:60]


def main():
    action, place = sys.argv[1:]
    env = open_environment(place)
    if action == "fill":
        set_up(env)
        project = Project(env, 1)
        project.tickets()
        project.wiki()
    else:
        Project(env, 2).change()


if __name__ == "__main__":
    main()
