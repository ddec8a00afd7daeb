#!/usr/bin/env python3
"""Notes of a group of programmers: fills a MoinMoin wiki, or serves it.

    notes_site.py fill FOLDER          12 users, 278 pages in eighteen months
    notes_site.py serve FOLDER PORT    serves it on 127.0.0.1:PORT

FOLDER is a wiki as `moin create-instance` leaves it, its settings as they come.
"""

import datetime
import heapq
import os
import random
import re
import sys
import uuid

import time_machine
from texts import Writer, articles

ACTION, FOLDER = sys.argv[1], os.path.abspath(sys.argv[2])
START = datetime.datetime(2024, 9, 2, 9, tzinfo=datetime.timezone.utc)
END = START + datetime.timedelta(days=546)
# Pages tell how long they took: the clock stands while the wiki is served.
clock = time_machine.travel(START if ACTION == "fill" else END, tick=False).start()

os.chdir(FOLDER)
import moin.macros.RandomItem, moin.macros.RandomQuote  # Loaded, each seeds the lots that it draws.
from moin import current_app, flaskg, user
from moin.app import before_wiki, create_app_ext
from moin.cli.maint import modify_item
from moin.config import AclConfig
from moin.items import Item
from moin.utils import crypto

# Revisions and pages have random names: the same ones each time.
names = random.Random(7)
crypto.uuid4 = lambda: uuid.UUID(int=names.getrandbits(128), version=4)

USERS = ["Ada", "Barbara", "Dennis", "Edsger", "Frances", "Grace", "Ken", "Leslie", "Margaret", "Radia",
         "Sophie", "Tony"]
TAGS = ["beginner", "build", "design", "draft", "ideas", "library", "linux", "meeting", "network", "old",
        "project", "reading", "style", "testing", "text", "tools", "windows"]
PROJECTS = ["Almanac", "Beacon", "Copperplate", "Driftwood", "Ember", "Ferry", "Garnet", "Harbour", "Inkwell",
            "Juniper"]
# Other names of a page, which stand beside its first one.
ALIASES = {"argparse": ["command lines", "optparse2"], "asyncio": ["AsyncIO", "event loop"], "csv": ["CSV"],
           "datetime": ["dates", "DateTime"], "json": ["JSON"], "logging": ["logs"], "re": ["regular expressions"],
           "sqlite3": ["SQLite", "sqlite"], "unittest": ["UnitTest", "unit tests"], "HowTo": ["How-to", "Recipes"],
           "Meetings": ["Minutes"], "Projects": ["Our projects"], "Glossary": ["Terms"], "Modules": ["Library"],
           "Home": ["FrontPage"]}
COMMENTS = ["", "", "", "typo", "more details", "clearer", "new link", "after the meeting", "out of date",
            "tidy up"]
MOIN, MARKDOWN = "text/x.moin.wiki;charset=utf-8", "text/x-markdown;charset=utf-8"
PYTHON, CSV = "text/x-python;charset=utf-8", "text/csv;charset=utf-8"


class Wiki:
    def __init__(self, app):
        self.app, self.random, self.writer = app, random.Random(11), Writer(11)
        self.pending, self.count, self.pages, self.kinds = [], 0, [], {}

    def at(self, when, do, *arguments):
        self.count += 1
        if when < END:
            heapq.heappush(self.pending, (when, self.count, do, arguments))

    def someone(self):
        # A few write most of it.
        return USERS[min(int(self.random.expovariate(0.3)), len(USERS) - 1)]

    def save(self, when, name, text, comment="", who=None, tags=None, kind=MOIN, do=None):
        """A new revision by one of the users, as the editor's page stores it."""
        who = who or self.someone()
        address = {"REMOTE_ADDR": f"10.0.0.{USERS.index(who) + 10}"}
        clock.move_to(when)
        with self.app.test_request_context("/", environ_base=address):
            before_wiki()
            flaskg.user = user.User(name=who, auth_method="moin")
            flaskg.user.valid = True
            flaskg.storage.user = flaskg.user
            item = Item.create(name, itemtype="default", contenttype=kind)
            if do:
                do(item, comment)
                return
            meta = {"itemtype": "default", "contenttype": kind}
            if "revid" in item.meta:
                meta = item.meta_filter(item.prepare_meta_for_modify(item.meta))
            if tags is not None:
                meta["tags"] = sorted(tags)
            all_names = [name.removeprefix("users/")] + ALIASES.get(name, [])
            item._save(meta, text.replace("\n", "\r\n"), names=all_names, comment=comment)

    def title(self, low, high):
        """A heading that can be the name of a page."""
        return re.sub(r"[^\w (),.'-]", "", self.writer.heading(low, high)).strip() or "Other"

    def link(self):
        """To another page, by any of its names; now and then to one that nobody has written."""
        chance = self.random.random()
        other = self.random.choice(self.pages) if self.pages else "Home"
        if chance < 0.06:
            other = self.random.choice(PROJECTS + ["Ideas", "Wishes"]) + "/" + self.title(1, 2)
        elif chance < 0.08:
            other = other.lower()
        elif chance < 0.2:
            other = self.random.choice(ALIASES.get(other, [other]))
        elif chance < 0.26:
            other = "users/" + self.someone()
        elif chance < 0.28:
            other = "help-en/" + self.random.choice(["moin", "markdown", "Home", "MoinWikiMacros"])
        return other

    def list_of(self, pages):
        return "".join(f" * [[{page}]]\n" for page in pages)

    def say(self, kind, other, words=None):
        if kind == MARKDOWN:
            return f"[{words or other}](/{other.replace(' ', '%20')})"
        return f"[[{other}|{words}]]" if words else f"[[{other}]]"

    def body(self, name, low, high, kind=MOIN):
        mark = "#" if kind == MARKDOWN else "="
        end = "" if kind == MARKDOWN else " ="
        parts = [f"{mark} {name.split('/')[-1]}{end}"] if self.random.random() < 0.7 else []
        if kind == MOIN and high > 12:
            parts.append("<<TableOfContents>>")
        for count, part in enumerate(self.writer.text(low, high)):
            if count and self.random.random() < 0.5:
                parts.append(f"{mark * 2} {self.writer.heading(2, 5)}{end and ' =='}")
            if self.random.random() < 0.45:
                words = self.writer.heading(1, 3) if self.random.random() < 0.3 else None
                part += f" See {self.say(kind, self.link(), words)}."
            parts.append(part)
        if self.random.random() < 0.2:
            parts.append("{{{\nimport this\nprint(this.d)\n}}}" if kind == MOIN else "    import this")
        if self.random.random() < 0.3:
            head = "See also:" if kind == MARKDOWN else "=== See also ==="
            parts.append(head + "\n\n" + "\n".join(f" * {self.say(kind, self.link())}" for _ in range(3)))
        return "\n\n".join(parts) + "\n"

    def tags(self, *first):
        return {*first, *self.random.sample(TAGS, self.random.choice([0, 0, 1, 1, 2]))}

    def write(self, when, name, text=None, low=2, high=9, kind=MOIN, tags=(), edits=None, who=None):
        """A new page, and what is done to it later."""
        text = (text or "@body@").replace("@body@", self.body(name, low, high, kind))
        self.kinds[name] = [kind, text]
        self.save(when, name, text, self.random.choice(["", "", "new page"]), who, self.tags(*tags), kind)
        if not name.startswith("users/"):
            self.pages.append(name)
        edits = self.random.choice([0, 0, 1, 1, 2, 3, 5]) if edits is None else edits
        for _ in range(edits):
            later = self.random.randint(30, 60 * 24 * 200)
            self.at(when + datetime.timedelta(minutes=later), self.edit, name)

    def edit(self, when, name):
        kind, text = self.kinds[name]
        chance, parts = self.random.random(), text.split("\n\n")
        comment = self.random.choice(COMMENTS)
        if chance < 0.1:
            # Only the tags are others.
            self.save(when, name, text, "tags", tags=self.tags(), kind=kind)
            return
        if chance < 0.17 and kind != CSV:
            # Somebody spoils it, and somebody else puts it back.
            self.save(when, name, "test test test\n", kind=kind)
            self.save(when + datetime.timedelta(minutes=40), name, text, "put back", kind=kind)
            return
        if kind in (CSV, PYTHON):
            text += self.more(kind)
        elif chance < 0.35 and len(parts) > 3:
            del parts[self.random.randrange(2, len(parts))]
            text = "\n\n".join(parts) + "\n"
        else:
            parts.insert(self.random.randint(1, len(parts)),
                         self.writer.text(1, 3)[0] + f" See {self.say(kind, self.link())}.")
            text = "\n\n".join(parts) + "\n"
        self.kinds[name][1] = text
        self.save(when, name, text, comment, kind=kind)

    def more(self, kind):
        if kind == CSV:
            return "".join(f"{self.writer.heading(1, 2).replace(',', '')},{self.random.randint(1, 90)},"
                           f"{self.someone()}\n" for _ in range(4))
        name = self.random.choice("abcdefgh") + str(self.random.randint(1, 99))
        return f"\ndef {name}(lines):\n    # {self.writer.heading()}\n    return sorted(set(lines))\n"

    def plan(self):
        day, hour = datetime.timedelta(days=1), datetime.timedelta(hours=1)
        pick = self.random.choice
        for count, name in enumerate(USERS):
            self.at(START + count * hour, self.write, f"users/{name}", None, 1, 6)
            if count < 7:
                self.at(START + (20 + count) * day, self.write, f"users/{name}/Drafts", None, 1, 8, MOIN, ["draft"])
        modules = {}
        for module, name, text in articles():
            modules.setdefault(module, []).append((name, text))
        chosen = sorted({*self.random.sample(sorted(modules), 34), *ALIASES} & set(modules))
        self.random.shuffle(chosen)
        fixed = {
            "Home": "= Notes =\n\nWhat we know, and what we want to find again.\n\n" + self.list_of([
                "Modules", "HowTo", "Projects", "Meetings", "Glossary", "Newsletter", "Scripts", "All pages",
                "users/Ada", "help-en/Home"]) + "\n== News ==\n\n{{Newsletter}}\n",
            "Modules": "= Modules =\n\nOur notes on each.\n\n" + self.list_of(chosen),
            "HowTo": "= How to =\n\n<<ItemList(display=\"ChildName\")>>\n",
            "Projects": "= Projects =\n\n<<ItemList(ordered=\"True\")>>\n",
            "Meetings": "= Meetings =\n\nEach second Tuesday.\n\n<<MonthCalendar(year=2026,month=2)>>\n\n"
                        "<<MonthCalendar(year=2026,month=3)>>\n\n<<ItemList(startswith=\"2025\")>>\n",
            "Glossary": "= Glossary =\n\n" + "\n".join(f"{{{{/Term {count}}}}}\n" for count in range(1, 16)),
            "Newsletter": "= Newsletter =\n\nOnce a month, by mail and here.\n\n<<ItemList(item=\"Newsletter\")>>\n",
            "Scripts": "= Scripts =\n\n<<ItemList(display=\"ChildPath\")>>\n",
            "All pages": "= All pages =\n\n<<TitleIndex>>\n",
            "Unfinished": "= Unfinished =\n\n" + self.list_of(f"users/{name}/Drafts" for name in USERS[:7]),
            "users/UserHome": "= Who we are =\n\n" + self.list_of("users/" + name for name in USERS),
        }
        for count, (name, text) in enumerate(fixed.items()):
            self.at(START + (30 + count) * hour, self.write, name, text, 1, 1, MOIN, [], 1 + (name == "Home"), "Ada")
        for count, module in enumerate(chosen):
            first = START + 2 * day + count * 3 * day
            (_, about), *rest = modules[module]
            text = f"= {module} =\n\n{self.quote(about[:4])}\n\n@body@"
            self.at(first, self.write, module, text, 1, 5, MOIN, ["library"])
            some = self.random.sample(rest, min(len(rest), pick([0, 1, 2, 3, 4])))
            for at, (name, about) in enumerate(some):
                text = f"{self.quote(about[:3])}\n\nPart of [[{module}]].\n"
                self.at(first + (at + 1) * 3 * hour, self.write, f"{module}/{name}", text)
        for count in range(34):
            kind = MARKDOWN if count % 3 == 0 else MOIN
            self.at(START + (5 + count * 14) * day, self.write, f"HowTo/{self.title(2, 5)}", None, 4, 16, kind)
        for count, name in enumerate(PROJECTS):
            page, first = f"Projects/{name}", START + (8 + count * 40) * day
            text = "@body@\n== To do ==\n\n{{/Todo}}\n\n== Pages ==\n\n<<ItemList>>\n"
            self.at(first, self.write, page, text, 2, 6, MOIN, ["project"], 3)
            for at, part in enumerate(["Todo", "Design", "Releases", "Numbers"][:pick([1, 2, 3, 4])]):
                text, kind = (self.more(CSV), CSV) if part == "Numbers" else (None, MOIN)
                self.at(first + (at + 2) * hour, self.write, f"{page}/{part}", text, 1, 7, kind, [],
                        4 if part == "Todo" else None)
        for count in range(38):
            when = START + (1 + count * 14) * day
            self.at(when + 9 * hour, self.write, f"Meetings/{when:%Y-%m-%d}", None, 3, 9, MOIN, ["meeting"],
                    pick([0, 0, 1]))
        for count in range(1, 16):
            self.at(START + (3 + count) * day, self.write, f"Glossary/Term {count}", None, 1, 2)
        for count in range(6):
            self.at(START + (9 + count * 50) * day, self.write, f"Scripts/tool{count + 1}.py",
                    self.more(PYTHON) + self.more(PYTHON), 1, 1, PYTHON)
        for count in range(17):
            when = START + (29 + count * 30) * day
            self.at(when, self.newsletter, f"Newsletter/{when:%Y-%m}")
        for count in range(5):
            self.at(START + (300 + 40 * count) * day, self.rename)
            self.at(START + (320 + 40 * count) * day, self.delete)

    def quote(self, parts):
        """Paragraphs of others: what means something to the wiki does not there."""
        return "\n\n".join("`" + part.replace("`", "'") + "`" if re.search(r"\[\[|{{|<<|\|\|", part) else part
                           for part in parts)

    def newsletter(self, when, name):
        month = name.split("/")[1]
        campaign = f"utm_source=newsletter&utm_medium=email&utm_campaign={month}"
        links = "\n".join(f" * [[http://notes.test/{page.replace(' ', '%20')}?{campaign}|{page}]]"
                          for page in self.random.sample(self.pages, 5))
        self.write(when, name, f"@body@\nNew this month:\n\n{links}\n", 1, 4, edits=0, who="Grace")

    def rename(self, when):
        name = self.random.choice([page for page in self.pages if page.startswith("HowTo/")])
        self.save(when, name, None, "a better name", do=lambda item, comment: item.rename(name + " well", comment))
        self.forget(name)
        self.pages.append(name + " well")
        self.kinds[name + " well"] = self.kinds[name]

    def delete(self, when):
        name = self.random.choice([page for page in self.pages if "/" in page and page[0].islower()])
        self.save(when, name, None, "nobody needs it", do=lambda item, comment: item.delete(comment))
        self.forget(name)

    def forget(self, name):
        self.pages.remove(name)
        self.pending = [entry for entry in self.pending if entry[3][:1] != (name,)]
        heapq.heapify(self.pending)

    def fill(self):
        with self.app.app_context():
            before_wiki()
            for name in USERS:
                user.create_user(name, "kept by nobody 1", f"{name.lower()}@notes.test")
            for space in ("help-en", "help-common"):
                folder = modify_item._get_path_to_help(space)
                for meta in sorted(os.listdir(folder)):
                    if meta.endswith(".meta"):
                        meta = os.path.join(folder, meta)
                        modify_item.PutItem(meta, meta[:-5] + ".data", True)
        self.plan()
        while self.pending:
            when, _, do, arguments = heapq.heappop(self.pending)
            do(when, *arguments)
        with self.app.app_context():
            current_app.storage.optimize_index()


def main():
    settings = {"sitename": "Notes", "interwikiname": "Notes"}
    if ACTION == "fill":
        # Whoever is filling it may do all.
        everyone = AclConfig(before="All:read,write,create,destroy,admin", default="", after="", hierarchic=False)
        spaces = ("userprofiles", "help-common", "help-en", "users", "")
        settings["acl_mapping"] = [(space, everyone) for space in spaces]
        settings["create_backend"] = True
    app = create_app_ext("wikiconfig.py", **settings)
    app.cfg.interwiki_map.update({"Self": "http://notes.test/", "Notes": "http://notes.test/"})
    if ACTION == "fill":
        Wiki(app).fill()
    else:
        import waitress
        # For the macros of the help pages that draw lots.
        random.seed(3)
        waitress.serve(app, listen="127.0.0.1:" + sys.argv[3], threads=1)


if __name__ == "__main__":
    main()
