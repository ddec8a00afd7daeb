#!/usr/bin/env python3
"""Fills Fossil repositories with tickets and wiki pages.

    fossil_fill.py REPOSITORY...      60 tickets and 40 wiki pages each
"""

import subprocess
import sys

from texts import MODULES, Writer

TICKETS, PAGES = 60, 40
CHOICES = {"status": ["Open", "Open", "Closed", "Fixed"], "type": ["Code_Defect", "Feature_Request"],
           "severity": ["Critical", "Important", "Minor", "Cosmetic"], "subsystem": ["api", "build", "docs"]}


def fossil(repository, *arguments, text=None):
    subprocess.run(["fossil", *arguments, "-R", repository], input=text, text=True, check=True,
                   stdout=subprocess.DEVNULL)


def fill(repository, writer):
    for _ in range(TICKETS):
        fields = {"title": writer.heading(), "comment": "\n\n".join(writer.text(3, 9))}
        fields.update({name: writer.random.choice(values) for name, values in CHOICES.items()})
        fossil(repository, "ticket", "add", *[word for field in fields.items() for word in field])
    names = [name.replace(".", " ") for name in MODULES[:PAGES]]
    for name in names:
        seen = " ".join(f"[{other}]" for other in writer.random.sample(names, 3))
        text = f"# {name}\n\n" + "\n\n".join(writer.text(6, 14)) + f"\n\nSee {seen}.\n"
        fossil(repository, "wiki", "create", name, "-M", "markdown", text=text)


if __name__ == "__main__":
    for number, repository in enumerate(sys.argv[1:]):
        fill(repository, Writer(number))
