#!/usr/bin/env python3
"""A Mercurial repository of 42 changes to 12 files on two branches, the same one each time.

    hg_repository.py FOLDER         then `hg -R FOLDER serve -a 127.0.0.1 -p 8711` shows it
"""

import os
import random
import subprocess
import sys

FOLDER = sys.argv[1]
START, DAY = 1_700_000_000, 86_400
RANDOM = random.Random(5)
WORDS = [f"{a}{b}" for a in "ba ce di fo gu ha je ki lo mu".split() for b in "n r s t l m x".split()]


def text(lines):
    return "".join(" ".join(RANDOM.choice(WORDS) for _ in range(8)) + "\n" for _ in range(lines))


def hg(*arguments):
    subprocess.run(["hg", "-R", FOLDER, *arguments], check=True, stdout=subprocess.DEVNULL)


def change(name):
    path = os.path.join(FOLDER, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    old = open(path).readlines() if os.path.exists(path) else []
    place = RANDOM.randrange(len(old) + 1)
    with open(path, "w") as file:
        file.write("".join(old[:place]) + text(6) + "".join(old[place + 2:]))


subprocess.run(["hg", "init", FOLDER], check=True)
names = [f"{folder}/{word}.txt" for folder in ("src", "doc", "lib") for word in RANDOM.sample(WORDS, 4)]
for number in range(40):
    if number == 20:
        hg("branch", "stable")
    if number == 27:
        hg("update", "-q", "default")
    for name in RANDOM.sample(names, 2 if number else 12):
        change(name)
    date, message = START + DAY * number, text(1).strip()
    user = RANDOM.choice(["ada", "alan", "grace"])
    hg("commit", "-q", "-A", "-m", message, "-u", user, "-d", f"{date} 0")
    if number % 20 == 19:
        hg("tag", "-q", f"v{number // 20}", "-u", "ada", "-d", f"{date + 60} 0")
