#!/usr/bin/env python3
"""A forge of four projects and their forks: fills a Kallithea site, or serves it.

    forge_site.py fill FOLDER    10 users, 12 forks, 60 pull requests, comments and gists of a year
    forge_site.py serve FOLDER PORT    serves it on 127.0.0.1:PORT

FOLDER has forge.ini, the data base that `kallithea-cli db-create` makes and the folder repositories, bare ones
of git_repositories.py without the .git of their names. All but the users is entered by the site's own forms.
"""

import collections
import collections.abc
import datetime
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import time_machine

ACTION, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
START = datetime.datetime(2021, 1, 11, 9, tzinfo=datetime.timezone.utc)
END = START + datetime.timedelta(days=330)
# Pages tell how long ago all was done: the clock stands while the site is served.
clock = time_machine.travel(START if ACTION == "fill" else END, tick=False).start()
# WebHelpers2 2.0 and bleach 3.1.3 ask for them by the names that Python 3.9 still had.
collections.Sequence, collections.Mapping = collections.abc.Sequence, collections.abc.Mapping
os.chdir(FOLDER)

from paste.deploy import loadapp

application = loadapp(f"config:{FOLDER}/forge.ini")

PEOPLE = ["Ada Byron", "Grace Murray", "Edsger Wybe", "Barbara Jane", "Donald Ervin", "Alan Mathison", "Hedy Eva",
          "Ken Lane", "Radia Joy", "Tony Richard"]
PASSWORD = "not a secret"
PROJECTS = {
    "flask": "The Python micro framework for building web applications. Cookies are signed by "
             "http://forge.test/itsdangerous",
    "itsdangerous": "Safely pass data to untrusted environments. For http://forge.test/flask and others; see "
                    "http://forge.test/w3lib for URLs",
    "w3lib": "Library of web-related functions",
    "tinydb": "A tiny, document oriented database. A cache for http://forge.test/flask",
}
FORKS, REQUESTS, COMMENTS, GISTS = 12, 60, 120, 30
STATES = ["approved", "approved", "rejected", "under_review", ""]
BRANCHES = ["fix", "docs", "cleanup", "speed", "typing", "tests", "errors", "names", "defaults", "wip"]
REMARKS = ["Looks good to me.", "Some remarks below.", "Please see my comments.", "Thanks for this.", "+1", ""]


def git(repository, *arguments, who=None, when=None, **more):
    environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}
    if who:
        for role in ("AUTHOR", "COMMITTER"):
            environment[f"GIT_{role}_NAME"] = who
            environment[f"GIT_{role}_EMAIL"] = who.split()[0].lower() + "@example.org"
            environment[f"GIT_{role}_DATE"] = when.isoformat()
    return subprocess.run(["git", "-C", repository, "-c", "safe.directory=*", "-c", "core.hooksPath=/dev/null", *arguments],
                          env=environment, check=True, stdout=subprocess.PIPE, text=True, **more).stdout


class Forge:
    def __init__(self):
        from texts import Writer
        from webtest import TestApp
        self.random, self.writer = random.Random(31), Writer(31)
        self.browsers = {}
        # Mails and notices are for those who log in: nobody does.
        from kallithea.model import notification
        notification.NotificationModel.create = lambda *arguments, **more: None
        self.browser = lambda: TestApp(application, extra_environ={"HTTP_HOST": "forge.test"})
        self.now = START

    def later(self, low, high):
        """The next thing is done some hours afterwards."""
        self.now += datetime.timedelta(minutes=self.random.randrange(low * 60, high * 60))
        clock.move_to(self.now)

    def prose(self, low, high):
        return "\n\n".join(self.writer.text(low, high))

    def log_in(self, who):
        # A session lasts 30 days.
        key = who, (self.now - START).days // 15
        if key not in self.browsers:
            browser = self.browsers[key] = self.browser()
            forms = browser.get("/_admin/login").forms.values()
            form = [form for form in forms if "password" in form.fields][0]
            form["username"], form["password"] = who.split()[0].lower(), PASSWORD
            answer = form.submit()
            assert answer.status_int == 302, answer
        return self.browsers[key]

    def post(self, who, page, target, fields, **more):
        """Sends a form with the token that a page of the site has for it."""
        browser = self.log_in(who)
        token = re.search(r'_session_csrf_secret_token = \("([^"]+)"', browser.get(page).text)[1]
        answer = browser.post(target, {**fields, "_session_csrf_secret_token": token}, **more)
        assert answer.status_int in (200, 302), (target, answer)
        return answer

    def users(self):
        from kallithea.model import db, meta, user
        from tg.util.webtest import test_context
        with test_context(self.browser()):
            for name in PEOPLE:
                first, last = name.split()
                user.UserModel().create_or_update(
                    first.lower(), PASSWORD, first.lower() + "@example.org", first, last,
                    extern_type="internal", extern_name=first.lower(), cur_user="admin")
            for count, (name, description) in enumerate(PROJECTS.items()):
                project = db.Repository.get_by_repo_name(name)
                project.description = description
                project.owner = db.User.get_by_username(PEOPLE[count].split()[0].lower())
            meta.Session().commit()

    def fork(self, project, who):
        name = f"{project}-{who.split()[0].lower()}"
        page = self.log_in(who).get(f"/{project}/fork")
        form = [form for form in page.forms.values() if "fork_parent_id" in form.fields][0]
        form["repo_name"] = name
        form["description"] = f"{who.split()[0]}'s copy of http://forge.test/{project}"
        assert form.submit().status_int == 302
        return name

    def branch(self, fork, who):
        """A few commits upon a fork's master, under a name of their own."""
        name = f"{self.random.choice(BRANCHES)}-{self.random.randrange(1000)}"
        bare = FOLDER / "repositories" / fork
        with tempfile.TemporaryDirectory() as work:
            git(bare, "worktree", "add", "-q", "-b", name, work, "master")
            # Files of the project as they are: a remark is added, or a passage is removed.
            files = sorted(path for path in git(work, "ls-files").splitlines() if path.endswith((".py", ".md")))
            for _ in range(self.random.choice([1, 1, 1, 2, 3, 5])):
                for path in self.random.sample(files, min(len(files), self.random.choice([1, 1, 2, 3]))):
                    lines = (pathlib.Path(work) / path).read_text("utf-8").splitlines()
                    at = self.random.randrange(len(lines) + 1)
                    if self.random.random() < 0.3:
                        del lines[at:at + self.random.randint(1, 4)]
                    else:
                        lines[at:at] = ["# " + line for line in self.prose(1, 4).splitlines() if line]
                    (pathlib.Path(work) / path).write_text("\n".join(lines) + "\n", "utf-8")
                self.later(1, 6)
                git(work, "commit", "-q", "-a", "--allow-empty", "-m", self.writer.heading(3, 9), who=who, when=self.now)
            git(bare, "worktree", "remove", "--force", work)
        return name

    def fresh(self, name):
        """A push tells the site of its changes."""
        from kallithea.model import db, meta
        from tg.util.webtest import test_context
        with test_context(self.browser()):
            repository = db.Repository.get_by_repo_name(name)
            repository.set_invalidate()
            repository.update_changeset_cache()
            meta.Session().commit()

    def tip(self, name, branch):
        return git(FOLDER / "repositories" / name, "rev-parse", branch).strip()

    def request(self, project, fork, who):
        branch = self.branch(fork, who)
        self.fresh(fork)
        head = self.tip(fork, branch)
        answer = self.post(who, f"/{fork}/pull-request/new", f"/{fork}/pull-request/new", {
            "org_repo": fork, "org_ref": f"branch:{branch}:{head}", "other_repo": project,
            "other_ref": f"branch:master:{self.tip(project, 'master')}",
            "pullrequest_title": self.writer.heading(4, 9), "pullrequest_desc": self.prose(1, 6)})
        number = re.search(r"/pull-request/(\d+)", answer.location)[1]
        page = re.sub(r"^http://[^/]+", "", answer.location)
        files = git(FOLDER / "repositories" / fork, "diff", "--name-only", "master", branch).splitlines()
        for _ in range(self.random.choice([0, 1, 1, 2, 3, 5])):
            self.later(1, 20)
            fields = {"text": self.random.choice(REMARKS) + "\n\n" + self.prose(1, 3)}
            if files and self.random.random() < 0.5:
                fields.update(f_path=self.random.choice(files), line=f"n{self.random.randint(1, 20)}")
            author = self.random.choice(PEOPLE)
            if "line" not in fields and self.random.random() < 0.5:
                author = "Admin"
                fields["changeset_status"] = self.random.choice(STATES)
            self.post(author, page, f"/{project}/pull-request-comment/{number}", fields, xhr=True,
                      headers={"X-Partial-XHR": "1"})
        if self.random.random() < 0.5:
            self.later(1, 20)
            self.post(who, page, f"/{project}/pull-request-comment/{number}",
                      {"text": "", "changeset_status": "", "save_close": "close"}, xhr=True,
                      headers={"X-Partial-XHR": "1"})

    def comment(self, project):
        commits = git(FOLDER / "repositories" / project, "rev-list", "master").split()
        commit = self.random.choice(commits)
        fields = {"text": self.prose(1, 4), "changeset_status": self.random.choice(STATES)}
        if self.random.random() < 0.2:
            fields["text"] += f"\n\nCompare http://forge.test/{project}/changeset/{self.random.choice(commits)}"
        self.post(self.random.choice(PEOPLE), f"/{project}/changeset/{commit}", f"/{project}/changeset-comment/{commit}",
                  fields, xhr=True, headers={"X-Partial-XHR": "1"})

    def gist(self):
        name = self.writer.heading(1, 2).lower().replace(" ", "-")
        name = re.sub(r"[^a-z0-9-]", "", name) + self.random.choice([".txt", ".md", ".py"])
        self.post(self.random.choice(PEOPLE), "/_admin/gists/new", "/_admin/gists", {
            "description": self.writer.heading(3, 9), "filename": name, "content": self.prose(3, 14),
            "lifetime": "-1", "mimetype": "plain", "public": "public"})

    def fill(self):
        self.users()
        forks = []
        for count in range(FORKS):
            self.later(5, 40)
            project, who = list(PROJECTS)[count % 4], PEOPLE[(count * 3 + count // 4) % len(PEOPLE)]
            forks.append((project, self.fork(project, who), who))
        tasks = ["request"] * REQUESTS + ["comment"] * COMMENTS + ["gist"] * GISTS
        self.random.shuffle(tasks)
        for task in tasks:
            self.later(5, 40)
            if task == "request":
                self.request(*self.random.choice(forks))
            elif task == "comment":
                self.comment(self.random.choice(list(PROJECTS)))
            else:
                self.gist()
        print(self.now)
        assert self.now < END


if __name__ == "__main__":
    if ACTION == "fill":
        Forge().fill()
    else:
        import waitress
        waitress.serve(application, listen="127.0.0.1:" + sys.argv[3], threads=1)
