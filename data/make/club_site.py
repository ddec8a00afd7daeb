#!/usr/bin/env python3
"""An association of gardeners: fills Tendenci, or serves it.

    club_site.py fill          its sample pages and menus, and 300 articles, 130 news, 220 events, 110 firms, 80
                               answers, 50 jobs and 102 topics of the forums
    club_site.py serve PORT    serves it on 127.0.0.1:PORT

Settings come from the environment and club_settings.py, as club.sh writes it.
"""

import datetime
import functools
import random
import sys

import time_machine
from texts import Writer

ACTION = sys.argv[1]
NOW = datetime.datetime(2025, 3, 3, 9)
# Calendars begin today, what is yet to come is not shown: the clock stands.
clock = time_machine.travel(NOW.replace(tzinfo=datetime.timezone.utc), tick=False).start()

import django
django.setup()

from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application

DAY, HOUR = datetime.timedelta(days=1), datetime.timedelta(hours=1)
FIRST = ["Ada", "Alan", "Barbara", "Dennis", "Donald", "Edsger", "Frances", "Grace", "Jean", "Karen"]
LAST = ["Arden", "Birch", "Cole", "Dale", "Frost", "Gray", "Hall", "Ives"]
TAGS = ["apples", "balcony", "bees", "bulbs", "compost", "drought", "grafting", "hedges", "herbs", "lawn", "mulch",
        "orchids", "pests", "pruning", "roses", "seeds", "soil", "tools", "trees", "water"]
SECTIONS = {"Garden": ["Flowers", "Vegetables", "Trees"], "House": ["Balcony", "Greenhouse"],
            "Association": ["Members", "Board", "History"], "Science": ["Soil", "Climate"]}
KINDS = ["Course", "Excursion", "Lecture", "Market"]
TOWNS = ["Ashford", "Brookfield", "Carlton", "Dunmore", "Eastbury"]
TRADES = {"Nurseries": ["Trees", "Perennials"], "Tools": ["Repairs", "Machines"], "Advice": ["Design", "Soil tests"]}
FORUMS = [("Growing", ["Vegetables", "Fruit", "Flowers"]), ("Association", ["Meetings", "For sale", "This site"])]


class Club:
    def __init__(self):
        self.random, self.writer = random.Random(16), Writer(16)
        self.staff = User.objects.create_superuser("office", "office@club.test", "Secret-1-for-all")
        self.users = [User.objects.create_user(f"{first}.{last}".lower(), f"{first}@club.test".lower(), None,
                                               first_name=first, last_name=last)
                      for first, last in zip(FIRST * 2, LAST * 3) if self.random.random() < 0.7]

    def chance(self, share):
        return self.random.random() < share

    def slug(self, text, seen=set()):
        """The text's words, with a number where they have been used."""
        base = "-".join("".join(letter if letter.isalnum() else " " for letter in text.lower()).split())[:60]
        slug, number = base, 2
        while slug in seen:
            slug, number = f"{base}-{number}", number + 1
        seen.add(slug)
        return slug

    def html(self, low, high):
        return "".join(f"<p>{part}</p>" for part in self.writer.text(low, high))

    def save(self, model, day=None, **values):
        """A record that everyone may see."""
        record = model(creator=self.staff, owner=self.staff, creator_username="office", owner_username="office",
                       allow_anonymous_view=True, status=True, status_detail="active", **values)
        record.save()
        if day:
            model.objects.filter(pk=record.pk).update(create_dt=day, update_dt=day)
        return record

    def tags(self):
        return ", ".join(sorted(self.random.sample(TAGS, self.random.randint(1, 3))))

    def categorize(self, record):
        from tendenci.apps.categories.models import Category
        section = self.random.choice(sorted(SECTIONS))
        Category.objects.update(record, section, "category")
        if self.chance(0.7):
            Category.objects.update(record, self.random.choice(SECTIONS[section]), "sub_category")

    def writings(self):
        """Articles and news: of both, most have an author, tags and a section."""
        from tendenci.apps.articles.models import Article
        from tendenci.apps.news.models import News
        from tendenci.apps.user_groups.models import Group
        group = Group.objects.order_by("pk").first()
        for model, count in ((Article, 300), (News, 130)):
            for number in range(count):
                heading = self.writer.heading()
                day = NOW - (1 + number * 1000 // count) * DAY
                person = self.random.choice(self.users)
                record = self.save(
                    model, day, headline=heading, slug=self.slug(heading), timezone="UTC",
                    summary=" ".join(self.writer.text(1, 2)), body=self.html(5, 20), release_dt=day,
                    release_dt_local=day, tags=self.tags() if self.chance(0.8) else "",
                    first_name=person.first_name, last_name=person.last_name,
                    **({"group": group} if model is Article else {}))
                if model is News:
                    record.groups.add(group)
                if self.chance(0.9):
                    self.categorize(record)

    def events(self):
        from tendenci.apps.events.models import Event, EventGroup, Organizer, Place, RegistrationConfiguration
        from tendenci.apps.events.models import Type, TypeColorSet
        from tendenci.apps.user_groups.models import Group
        group = Group.objects.order_by("pk").first()
        kinds = [Type.objects.create(name=name, color_set=TypeColorSet.objects.order_by("pk")[at])
                 for at, name in enumerate(KINDS)]
        places = [Place.objects.create(name=f"{town} hall", address=f"{3 + at} High Street", city=town)
                  for at, town in enumerate(TOWNS)]
        for number in range(220):
            begin = NOW - 250 * DAY + number * 2 * DAY + self.random.randrange(9) * HOUR
            event = self.save(
                Event, title=self.writer.heading(), description=self.html(2, 10), type=self.random.choice(kinds),
                start_dt=begin, end_dt=begin + self.random.choice([2, 3, 6, 30]) * HOUR, timezone="UTC",
                place=self.random.choice(places), tags=self.tags() if self.chance(0.5) else "",
                registration_configuration=RegistrationConfiguration.objects.create())
            EventGroup.objects.create(event=event, group=group)
            if self.chance(0.6):
                person = self.random.choice(self.users)
                Organizer.objects.create(name=person.get_full_name()).event.add(event)

    def firms(self):
        from tendenci.apps.categories.models import Category
        from tendenci.apps.directories.models import Category as Trade, Directory
        trades = {name: (Trade.objects.create(name=name, slug=self.slug("trade " + name)),
                         [Trade.objects.create(name=part, slug=self.slug(f"trade {name} {part}"))
                          for part in parts]) for name, parts in TRADES.items()}
        for trade, parts in trades.values():
            for part in parts:
                part.parent = trade
                part.save()
        for number in range(110):
            name = f"{LAST[number % 8]} & {LAST[(number * 3 + number // 8) % 8]} {self.random.choice(TOWNS)}"
            trade, parts = trades[self.random.choice(sorted(trades))]
            firm = self.save(
                Directory, headline=name, slug=self.slug(name), timezone="UTC", body=self.html(2, 6),
                summary=" ".join(self.writer.text(1, 1)), city=self.random.choice(TOWNS), list_type="regular",
                activation_dt=NOW - 100 * DAY, tags=self.tags() if self.chance(0.7) else "")
            firm.cats.add(trade)
            if self.chance(0.7):
                firm.sub_cats.add(self.random.choice(parts))

    def answers(self):
        from tendenci.apps.help_files.models import HelpFile, Topic
        topics = [Topic.objects.create(title=name, content=" ".join(self.writer.text(1, 2)))
                  for name in ("Beds", "Diseases", "Membership", "Orchards", "Ponds", "Website")]
        for number in range(80):
            question = self.writer.heading(5, 9) + "?"
            answer = self.save(HelpFile, question=question, slug=self.slug(question), answer=self.html(2, 8),
                               is_faq=self.chance(0.3), is_featured=self.chance(0.2),
                               level=self.random.choice(["basic", "intermediate", "advanced"]))
            answer.topics.add(*self.random.sample(topics, self.random.randint(1, 2)))

    def jobs(self):
        from tendenci.apps.jobs.models import Job
        for number in range(50):
            trade = self.random.choice(['Gardener', 'Forester', 'Florist', 'Teacher'])
            title = f"{trade} in {self.random.choice(TOWNS)}"
            self.save(Job, title=title, slug=self.slug(title), description=self.html(3, 8), list_type="regular",
                      requested_duration=90, activation_dt=NOW - number * DAY, post_dt=NOW - number * DAY,
                      expiration_dt=NOW + 60 * DAY, location=self.random.choice(TOWNS), tags=self.tags())

    def forums(self):
        from tendenci.apps.forums.models import Category, Forum, Post, Topic
        for at, (name, parts) in enumerate(FORUMS):
            category = self.save(Category, name=name, slug=self.slug("forum " + name), position=at)
            for place, part in enumerate(parts):
                forum = Forum.objects.create(category=category, name=part, slug=self.slug(part), position=place,
                                             description=self.writer.heading())
                for number in range(self.random.randint(8, 24)):
                    heading = self.writer.heading()
                    when = NOW - self.random.randrange(20, 400) * DAY
                    topic = Topic.objects.create(forum=forum, name=heading, slug=self.slug(heading), created=when,
                                                 user=self.random.choice(self.users))
                    for post in range(1 + int(self.random.expovariate(0.2))):
                        when += self.random.randrange(1, 30) * HOUR
                        Post.objects.create(topic=topic, body="\n\n".join(self.writer.text(1, 5)), created=when,
                                            user=topic.user if post == 0 else self.random.choice(self.users))

    def settings(self):
        """The site's name and address; its menu leads to the firms, jobs and groups, too."""
        from tendenci.apps.navs.models import NavItem
        for name, value in (("siteurl", "http://club.test"), ("sitedisplayname", "Gardeners' Club"),
                            ("sitegeographiclocation", "Ashford"), ("captcha", "false")):
            call_command("set_setting", "site", "global", name, value)
        for at, (label, url) in enumerate((("Firms", "/directories/"), ("Jobs", "/jobs/"), ("Groups", "/groups/"))):
            NavItem.objects.create(nav_id=1, label=label, url=url, level=1, position=27 + at)

    def fill(self):
        for part in (self.settings, self.writings, self.events, self.firms, self.answers, self.jobs, self.forums):
            part()


def keep():
    """What is the same for all pages, and slow, is worked out once: the site's parts, and categories in use."""
    from tendenci.apps.categories.models import CategoryManager
    from tendenci.apps.registry.sites import RegistrySite
    for kind, name in ((CategoryManager, "get_for_model"), (RegistrySite, "get_registered_apps")):
        setattr(kind, name, functools.cache(getattr(kind, name)))


if __name__ == "__main__":
    if ACTION == "fill":
        call_command("initial_migrate", verbosity=0)
        call_command("deploy")
        call_command("load_tendenci_defaults")
        Club().fill()
    else:
        import waitress
        keep()
        waitress.serve(get_wsgi_application(), listen="127.0.0.1:" + sys.argv[2], threads=1)
