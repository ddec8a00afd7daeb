#!/usr/bin/env python3
"""Prints what the members of a discussion board wrote in two years, as JSON for board_site.js."""

import datetime
import json
import random

from texts import Writer

BOARDS = {"Announcements": [], "General discussion": [], "Help and support": ["Installing", "Using it", "Errors"],
          "Development": ["Ideas", "Translations"], "Off topic": []}
TAGS = """archive backup beginners build calendar cache colours config console crash csv dates debian docs editor
    encoding export fonts images import keyboard linux login macos mail memory network packaging plugins
    printing release search security sync tables threads undo unicode update windows""".split()
NAMES = """Ada Alan Barbara Claude Dennis Donald Edsger Frances Grace Guido Hedy Jean Karen Katherine Ken Larry
    Leslie Margaret Niklaus Radia Robin Sophie Tony""".split()
GROUPS = {"Translators": 9, "Testers": 14, "Writers": 6, "Helpers": 11}
START, DAY = datetime.datetime(2023, 6, 5, 8, tzinfo=datetime.timezone.utc), 86400
MEMBERS, TOPICS = 75, 320


def main():
    chance, writer = random.Random(12), Writer(12)
    members = []
    for at in range(MEMBERS):
        name = NAMES[at % len(NAMES)] + ["", " M", "_dev", "42"][at // len(NAMES)]
        members.append({"name": name, "joined": START.timestamp() + (at * 7.7 - 60) * DAY,
                        "about": " ".join(writer.text(1, 3)) if chance.random() < 0.4 else "",
                        "signature": writer.heading(3, 6) if chance.random() < 0.3 else "",
                        "follows": chance.sample(range(at), min(at, chance.choice([0, 0, 1, 2, 5])))})
    names = [name for top, below in BOARDS.items() for name in [top, *below]]
    posts, topics = [], []
    for topic in range(TOPICS):
        when = START.timestamp() + topic * 2.15 * DAY
        # Who was a member by then; the first write most.
        here = max(8, sum(member["joined"] < when for member in members))
        count = chance.choice([1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 9, 12, 25 if topic % 5 else 45])
        topics.append({"title": writer.heading(3, 8), "board": chance.choice(names), "views": chance.randint(20, 900),
                       "tags": chance.sample(TAGS, chance.choice([0, 0, 1, 1, 2, 3])),
                       "pinned": topic % 64 == 0, "locked": chance.random() < 0.04})
        first = len(posts)
        pace = chance.choice([3000, 20000, 60000])
        for at in range(count):
            # A post may answer an earlier one, with or without its words, or name another topic as it is copied
            # from the browser: a topic's address has the number of the post last seen there.
            link = chance.choice(posts) if posts and chance.random() < 0.12 else None
            posts.append({
                "topic": topic, "at": at, "member": min(int(chance.expovariate(0.06)), here - 1),
                "time": when + at * pace, "text": "\n\n".join(writer.text(1, 7)),
                "answers": chance.randrange(first, first + at) if at and chance.random() < 0.35 else None,
                "quotes": chance.random() < 0.4, "names": chance.random() < 0.1,
                "link": link and {"topic": link["topic"], "at": link["at"] if chance.random() < 0.7 else None},
                "votes": chance.sample(range(here), chance.choice([0, 0, 0, 1, 2]))})
    groups = {name: chance.sample(range(MEMBERS), count) for name, count in GROUPS.items()}
    print(json.dumps({"boards": BOARDS, "members": members, "topics": topics, "posts": posts, "groups": groups}))


if __name__ == "__main__":
    main()
