#!/usr/bin/env python3
"""Writes the mboxes of three mailing lists: three years of mails, the same ones each time.

    lists_mboxes.py FOLDER      FOLDER/announce.mbox, FOLDER/devel.mbox and FOLDER/users.mbox
"""

import datetime
import hashlib
import mailbox
import pathlib
import sys
import textwrap
from email.message import EmailMessage
from email.utils import format_datetime

from texts import Writer

HOST = "lists.test"
# How many threads a list has, and of how many mails they are, some of these more often than others.
LISTS = {
    "announce": (30, [1, 1, 1, 1, 2, 2, 3]),
    "devel": (180, [1, 1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10, 12]),
    "users": (200, [1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 6, 8, 11]),
}
START = datetime.datetime(2022, 7, 1, 6, tzinfo=datetime.timezone.utc)
END = datetime.datetime(2025, 6, 20, 18, tzinfo=datetime.timezone.utc)
FIRST = """Ada Alan Barbara Bertrand Brian Claude Dennis Donald Edsger Frances Fred Grace Guido Hedy
    James Jean John Karen Katherine Ken""".split()
LAST = """Abel Bauer Castro Diaz Eriksen Fischer Garcia Haddad Ito Jansen Kowalski Lopez Moreau
    Novak Okafor Petrov Quinn Rossi Silva Tanaka""".split()
PLACES = ("example.com", "example.net", "example.org", "mail.example.com")
ZONES = (-8, -7, -5, -5, -3, 0, 0, 1, 1, 1, 2, 2, 3, 5.5, 8, 9, 10)
GREETINGS = ("Hi,", "Hello,", "Hi all,", "Hello everybody,", "")
PARTINGS = ("Thanks,", "Best regards,", "Regards,", "Cheers,", "")
# A picture of one point, for what people send as a screenshot.
PICTURE = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010806000000"
                        "1f15c4890000000b4944415478da6364f80f0001050101"
                        "27c3a3e60000000049454e44ae426082")


class Person:
    def __init__(self, number, random):
        first = FIRST[number % len(FIRST)]
        last = LAST[(number * 7 + number // len(FIRST)) % len(LAST)]
        self.name = f"{first} {last}"
        self.address = f"{first}.{last}@{random.choice(PLACES)}".lower()
        self.zone = datetime.timezone(datetime.timedelta(hours=random.choice(ZONES)))
        self.signature = f"-- \n{self.name}\n" if random.random() < 0.4 else ""


class Lists:
    def __init__(self):
        self.writer = Writer(7)
        self.random = self.writer.random
        self.people = [Person(number, self.random) for number in range(60)]
        self.count = 0

    def mails(self, name, threads, lengths):
        """All mails of a list, by date."""
        # Some write often and most write seldom, and not the same ones to each list.
        people = self.random.sample(self.people, len(self.people))
        weights = [1 / (rank + 2) for rank in range(len(people))]
        found = []
        for _ in range(threads):
            when = START + (END - START) * self.random.random()
            found += self.thread(name, when, self.random.choice(lengths), people, weights)
        return sorted(found, key=lambda mail: mail.date)

    def thread(self, name, when, length, people, weights):
        subject, mails = self.writer.heading(3, 9), []
        for number in range(length):
            person = self.random.choices(people, weights)[0]
            # Most answer the last mail, some an earlier one.
            parent = self.random.choice(mails[-3:]) if mails else None
            if parent and self.random.random() < 0.6:
                parent = mails[-1]
            if parent:
                when += datetime.timedelta(minutes=int(self.random.expovariate(1 / 900)) + 4)
            if when > END:
                break
            mails.append(self.mail(name, subject, when, person, parent))
        return mails

    def mail(self, name, subject, when, person, parent):
        self.count += 1
        mail = EmailMessage()
        mail.date, mail.person, mail.own = when, person, self.writer.text(2, 10)
        number = hashlib.sha1(f"{name} {self.count}".encode()).hexdigest()[:16]
        mail["Message-ID"] = f"<{number}@{person.address.split('@')[1]}>"
        mail["From"] = f"{person.name} <{person.address}>"
        mail["To"] = f"{name}@{HOST}"
        mail["Date"] = format_datetime(when.astimezone(person.zone))
        mail["Subject"] = f"[{name}] " + ("Re: " if parent else "") + subject
        if parent:
            mail["In-Reply-To"] = parent["Message-ID"]
            mail["References"] = f"{parent['References'] or ''} {parent['Message-ID']}".strip()
        mail.set_content(self.body(mail, parent), cte="8bit")
        if self.random.random() < 0.06:
            self.attach(mail, number)
        mail.set_unixfrom(f"From {person.address} {when:%a %b %d %H:%M:%S %Y}")
        return mail

    def body(self, mail, parent):
        parts = [textwrap.fill(part, 72) for part in mail.own]
        if parent and self.random.random() < 0.8:
            quoted = self.random.sample(parent.own, min(len(parent.own), self.random.randint(1, 2)))
            day = parent.date.astimezone(parent.person.zone)
            lines = [f"On {day:%a, %b %d, %Y at %H:%M %z}, {parent.person.name} wrote:"]
            for part in quoted:
                lines += textwrap.wrap(part, 70, initial_indent="> ", subsequent_indent="> ") + [">"]
            parts.insert(0, "\n".join(lines[:-1]))
        else:
            parts.insert(0, self.random.choice(GREETINGS))
        parting = self.random.choice(PARTINGS)
        parts.append(f"{parting}\n{mail.person.name.split()[0]}" if parting else "")
        parts.append(mail.person.signature)
        return "\n\n".join(part for part in parts if part) + "\n"

    def attach(self, mail, number):
        kind = self.random.choice(("patch", "log", "csv", "png"))
        name = self.writer.heading(1, 2).lower().replace(" ", "-").replace("/", "-") + "." + kind
        if kind == "png":
            mail.add_attachment(PICTURE, "image", "png", filename=name)
        else:
            text = "\n".join(self.writer.text(4, 12)) + "\n"
            subtype = {"patch": "x-patch", "log": "plain", "csv": "csv"}[kind]
            mail.add_attachment(text, subtype=subtype, filename=name)
        # Python would choose another one each time.
        mail.set_boundary(f"===={number}====")


def main():
    folder, lists = pathlib.Path(sys.argv[1]), Lists()
    folder.mkdir(parents=True, exist_ok=True)
    for name, (threads, lengths) in LISTS.items():
        box = mailbox.mbox(folder / f"{name}.mbox")
        box.clear()
        for mail in lists.mails(name, threads, lengths):
            message = mailbox.mboxMessage(mail)
            message.set_from(mail.get_unixfrom()[len("From "):])
            box.add(message)
        box.flush()


if __name__ == "__main__":
    main()
