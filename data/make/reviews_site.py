#!/usr/bin/env python3
"""Code reviews of a group of programmers: fills a Review Board site, or serves it.

    reviews_site.py fill FOLDER REPOSITORIES    28 users, 320 review requests in eighteen months
    reviews_site.py serve FOLDER PORT           serves it on 127.0.0.1:PORT

FOLDER is a site as `rb-site install` leaves it, its settings as they come; REPOSITORIES is the folder of
bare ones that reviews_repositories.py makes.
"""

import datetime
import heapq
import os
import pathlib
import random
import subprocess
import sys
import uuid

import time_machine
from texts import Writer

ACTION, FOLDER = sys.argv[1], os.path.abspath(sys.argv[2])
START = datetime.datetime(2024, 3, 4, 9, tzinfo=datetime.timezone.utc)
END = START + datetime.timedelta(days=546)
# Lists tell how long ago all was done: the clock stands while the site is served.
clock = time_machine.travel(START if ACTION == "fill" else END, tick=False).start()
# Files have random names: the same ones each time.
lots = random.Random(9)
uuid.uuid4 = lambda: uuid.UUID(int=lots.getrandbits(128), version=4)

os.environ["REVIEWBOARD_SITEDIR"] = FOLDER
import reviewboard
from reviewboard.wsgi import application
reviewboard.initialize()

from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from reviewboard.attachments.forms import UploadFileForm
from reviewboard.diffviewer.models import FileDiff
from reviewboard.reviews.forms import UploadDiffForm
from reviewboard.reviews.models import (
    Comment, FileAttachmentComment, GeneralComment, Group, Review, ReviewRequest, ReviewRequestDraft)
from reviewboard.scmtools import scmtools_registry
from reviewboard.scmtools.models import Repository, Tool

FIRST = ["Ada", "Alan", "Barbara", "Dennis", "Donald", "Edsger", "Frances", "Grace", "Hedy", "Ivan", "Jean", "Karen",
         "Katherine", "Ken", "Leslie", "Margaret", "Niklaus", "Peter", "Radia", "Robin", "Sophie", "Steve", "Tim",
         "Tony", "Ursula", "Vera", "Whitfield", "Yukihiro"]
LAST = ["Arden", "Birch", "Cole", "Dale", "Eastman", "Frost", "Gray"]
GROUPS = {"core": "Core", "documentation": "Documentation", "build": "Build and releases", "security": "Security",
          "storage": "Storage", "web": "Web", "testing": "Testing", "newcomers": "Newcomers"}
REQUESTS = 320
REMARKS = ["Nice.", "Looks good to me.", "Some remarks below.", "Please see my comments.", "Thanks for this.",
           "I would do it in another way."]
CLOSED = ["Pushed to master", "Pushed, thanks for the reviews.", "Landed on the 2.x branch", "", ""]


class Repo:
    """A git repository with the commits that are up for review."""

    def __init__(self, folder, name):
        self.path = pathlib.Path(folder, name + ".git").resolve()
        # Asked for one, the registry writes all tools into the data base.
        tool = scmtools_registry.get_by_name("Git")
        self.model = Repository.objects.create(
            name=name, tool=Tool.objects.get(name="Git"), scmtool_id=tool.scmtool_id, path=str(self.path),
            bug_tracker=f"http://bugs.example.org/{name}/%s")
        self.commits = self.git("rev-list", "--reverse", "--first-parent", "master").split()

    def git(self, *arguments):
        return subprocess.run(["git", "-C", self.path, *arguments], check=True, stdout=subprocess.PIPE).stdout.decode()

    def diff(self, first, last):
        """What the commits from `first` to `last` change, as the tool for posting sends it."""
        old, new = self.commits[first - 1], self.commits[last]
        return old, self.git("diff", "--full-index", "--no-color", "--no-renames", old, new).encode()

    def message(self, at):
        return self.git("log", "-1", "--format=%s", self.commits[at]).strip()


class Board:
    def __init__(self, repositories):
        self.random, self.writer = random.Random(9), Writer(9)
        self.pending, self.count, self.requests = [], 0, []
        self.users, self.groups = [], []
        for at, first in enumerate(FIRST):
            user = User.objects.filter(username=first.lower()).first() or User(username=first.lower())
            user.first_name, user.last_name = first, LAST[at * 3 % len(LAST)]
            user.email = f"{first.lower()}@reviews.test"
            user.set_unusable_password()
            user.save()
            self.users.append(user)
        for name, title in GROUPS.items():
            group = Group.objects.create(name=name, display_name=title, mailing_list=f"{name}@reviews.test")
            group.users.add(*self.random.sample(self.users, self.random.randint(3, 12)))
            self.groups.append(group)
        self.repositories = [Repo(repositories, path.stem) for path in sorted(pathlib.Path(repositories).iterdir())]

    def at(self, when, do, *arguments):
        self.count += 1
        if when < END:
            heapq.heappush(self.pending, (when, self.count, do, arguments))

    def later(self, when, low, high):
        """Some time from low to high hours after `when`."""
        return when + datetime.timedelta(minutes=self.random.randint(low * 60, high * 60))

    def chance(self, share):
        return self.random.random() < share

    def someone(self, *but):
        # A few write and review most of it.
        while True:
            user = self.users[min(int(self.random.expovariate(0.12)), len(self.users) - 1)]
            if user not in but:
                return user

    def prose(self, low, high):
        """Some paragraphs that name other requests as people do."""
        parts = self.writer.text(low, high)
        if self.requests and self.chance(0.25):
            other = self.random.choice(self.requests).pk
            parts.append(self.random.choice([
                f"Builds on /r/{other}/.", f"See http://reviews.test/r/{other}/diff/ for the rest.",
                f"This was part of http://reviews.test/r/{other}/ before.", f"As in http://reviews.test/r/{other}"]))
        return "\n\n".join(parts)

    # What is up for review

    def upload(self, request, repository, first, last):
        base, diff = repository.diff(first, last)
        form = UploadDiffForm(request, data={"base_commit_id": base},
                              files={"path": SimpleUploadedFile("diff", diff)})
        assert form.is_valid(), form.errors
        diffset = form.create()
        draft = ReviewRequestDraft.create(request)
        draft.diffset = diffset
        draft.save()
        return draft

    def attach(self, request, history=None):
        """A file beside the diff: a text or notes."""
        name, text = self.random.choice([
            ("notes.md", "# Notes\n\n" + self.prose(3, 8)), ("design.txt", self.prose(4, 12)),
            ("results.csv", "".join(f"{at},{self.random.randint(1, 999)}\n" for at in range(30)))])
        if history:
            name = history.file_attachments.latest().orig_filename
        data = {"caption": self.writer.heading(1, 3), "attachment_history": history.pk if history else None}
        form = UploadFileForm(request, data=data, files={"path": SimpleUploadedFile(name, text.encode())})
        assert form.is_valid(), form.errors
        form.create()

    def post(self, when):
        # The more that is committed, the more is reviewed.
        weights = [len(repository.commits) for repository in self.repositories]
        repository, author = self.random.choices(self.repositories, weights)[0], self.someone()
        first = self.random.randrange(1, len(repository.commits) - 4)
        request = ReviewRequest.objects.create(user=author, repository=repository.model)
        draft = self.upload(request, repository, first, first)
        draft.summary = repository.message(first) if self.chance(0.3) else self.writer.heading(3, 8)
        draft.description = self.prose(2, 9)
        draft.description_rich_text = self.chance(0.4)
        draft.testing_done = self.prose(1, 3) if self.chance(0.6) else ""
        draft.branch = self.random.choice(["master", "master", "2.x", ""])
        bugs = self.random.sample(range(1, 400), self.random.choice([0, 0, 1, 1, 2]))
        draft.bugs_closed = ",".join(map(str, bugs))
        draft.target_groups.set(self.random.sample(self.groups, self.random.choice([1, 1, 2])))
        draft.target_people.set({self.someone(author) for _ in range(self.random.choice([0, 0, 1, 2]))})
        if self.requests and self.chance(0.12):
            draft.depends_on.set([self.random.choice(self.requests[-20:])])
        draft.save()
        if self.chance(0.2):
            self.attach(request)
        request.publish(author)
        self.requests.append(request)
        self.plan(when, request, repository, first)

    def plan(self, when, request, repository, first):
        """What comes of it: reviews, further diffs, an end."""
        for _ in range(self.random.choice([0, 1, 1, 2, 2, 3])):
            self.at(self.later(when, 1, 60), self.review, request)
        for revision in range(1, self.random.choice([1, 1, 2, 2, 3, 4, 5])):
            when = self.later(when, 8, 90)
            self.at(when, self.update, request, repository, first, min(first + revision, len(repository.commits) - 1))
            if self.chance(0.7):
                self.at(self.later(when, 1, 30), self.review, request)
        if self.chance(0.82):
            self.at(self.later(when, 24, 400), self.close, request)

    def fresh(self, request):
        return ReviewRequest.objects.get(pk=request.pk)

    def update(self, when, request, repository, first, last):
        request = self.fresh(request)
        draft = self.upload(request, repository, first, last)
        draft.changedesc.text = self.prose(1, 4) if self.chance(0.8) else ""
        draft.changedesc.save()
        if self.chance(0.2):
            draft.testing_done = self.prose(1, 4)
        draft.save()
        histories = request.file_attachment_histories.all()
        if histories and self.chance(0.6):
            self.attach(request, histories[0])
        request.publish(request.submitter)

    def close(self, when, request):
        request = self.fresh(request)
        kind = ReviewRequest.SUBMITTED if self.chance(0.85) else ReviewRequest.DISCARDED
        request.close(kind, user=request.submitter, description=self.random.choice(CLOSED))

    # What others say of it

    def issue(self):
        return {"issue_opened": True, "issue_status": Comment.OPEN} if self.chance(0.6) else {}

    def settle(self, when, review):
        """The author did what was asked for, or did not want to."""
        for kind in (review.comments, review.general_comments, review.file_attachment_comments):
            for comment in kind.filter(issue_opened=True).order_by("pk"):
                if self.chance(0.75):
                    comment.issue_status = Comment.RESOLVED if self.chance(0.8) else Comment.DROPPED
                    comment.save()

    def comments(self, request, review):
        diffset = request.get_latest_diffset()
        files = list(FileDiff.objects.filter(diffset=diffset).order_by("pk"))
        for _ in range(self.random.choice([0, 1, 1, 2, 3, 5])):
            comment = Comment.objects.create(
                filediff=self.random.choice(files), first_line=self.random.randint(1, 30),
                num_lines=self.random.randint(1, 6), text=self.prose(1, 3), **self.issue())
            review.comments.add(comment)
        if self.chance(0.2):
            review.general_comments.add(GeneralComment.objects.create(text=self.prose(1, 3), **self.issue()))
        for attachment in request.file_attachments.all()[:1]:
            if self.chance(0.4):
                review.file_attachment_comments.add(FileAttachmentComment.objects.create(
                    file_attachment=attachment, text=self.prose(1, 2), **self.issue()))

    def review(self, when, request):
        request = self.fresh(request)
        if request.status != ReviewRequest.PENDING_REVIEW:
            return
        user = self.someone(request.submitter)
        review = Review.objects.create(
            review_request=request, user=user, ship_it=self.chance(0.35),
            body_top=self.random.choice(REMARKS) if self.chance(0.6) else self.prose(1, 4))
        self.comments(request, review)
        review.publish(user)
        for _ in range(self.random.choice([0, 0, 1, 2])):
            self.at(self.later(when, 1, 40), self.reply, review)
        self.at(self.later(when, 2, 60), self.settle, review)

    def reply(self, when, review):
        review = Review.objects.get(pk=review.pk)
        user = review.review_request.submitter if self.chance(0.7) else self.someone()
        reply = Review.objects.create(review_request=review.review_request, user=user, base_reply_to=review)
        comments = list(review.comments.order_by("pk"))
        if comments and self.chance(0.8):
            first = self.random.choice(comments)
            reply.comments.add(Comment.objects.create(
                filediff=first.filediff, first_line=first.first_line, num_lines=first.num_lines,
                reply_to=first, text=self.prose(1, 2)))
        else:
            reply.body_top, reply.body_top_reply_to = self.prose(1, 2), review
            reply.save()
        reply.publish(user)

    def fill(self):
        gap = (END - START) / REQUESTS
        for count in range(REQUESTS):
            self.at(START + count * gap, self.post)
        while self.pending:
            when, _, do, arguments = heapq.heappop(self.pending)
            clock.move_to(when)
            do(when, *arguments)


if __name__ == "__main__":
    if ACTION == "fill":
        Board(sys.argv[3]).fill()
    else:
        import waitress
        waitress.serve(application, listen="127.0.0.1:" + sys.argv[3], threads=1)
