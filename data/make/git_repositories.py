#!/usr/bin/env python3
"""Makes git repositories of a package's releases, as people do who lost a project's history.

    git_repositories.py FOLDER

Every release of PACKAGES is fetched from PyPI; what a release changed becomes several commits
(a few files each), then a tag. Maintenance branches stay at the last release of their series.
Dates and authors follow from the release's place, so that the commits' names are repeatable.
"""

import datetime
import pathlib
import shutil
import subprocess
import sys
import zipfile

PACKAGES = {
    "tinydb": ("A tiny, document oriented database", """
        3.9.0 3.11.1 3.13.0 3.14.2 3.15.2
        4.0.0 4.1.1 4.2.0 4.3.0 4.4.0 4.5.2 4.6.1 4.7.1 4.8.0"""),
    "w3lib": ("Library of web-related functions", """
        1.12.0 1.13.0 1.14.3 1.15.0 1.16.0 1.17.0 1.18.0 1.19.0 1.20.0 1.21.0 1.22.0
        2.0.1 2.1.2 2.2.1 2.3.1"""),
    "itsdangerous": ("Safely pass data to untrusted environments", """
        1.1.0 2.0.0 2.0.1 2.1.0 2.1.2 2.2.0"""),
    "flask": ("The Python micro framework for building web applications", """
        0.12.4 1.0.4 1.1.2 2.0.3 2.1.3 2.2.5 2.3.3 3.0.3"""),
}
AUTHORS = ["Ada Byron", "Grace Murray", "Edsger Wybe", "Barbara Jane", "Donald Ervin"]
FILES_A_COMMIT = 2
MESSAGES = ["Update {names} for {version}", "{version}: work on {names}", "Bring {names} to {version}"]


def git(repository, *arguments, when=None, author=None):
    environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/nonexistent"}
    if when:
        mail = author.split()[0].lower() + "@example.org"
        for role in ("AUTHOR", "COMMITTER"):
            environment[f"GIT_{role}_NAME"] = author
            environment[f"GIT_{role}_EMAIL"] = mail
            environment[f"GIT_{role}_DATE"] = when.isoformat()
    return subprocess.run(["git", "-C", repository, *arguments], env=environment, check=True,
                          stdout=subprocess.PIPE, text=True).stdout


def unpack(name, version, folder):
    wheels = folder / "wheels" / name
    subprocess.run([sys.executable, "-m", "pip", "-q", "download", "--no-deps", "--only-binary",
                    ":all:", "--python-version", "3.11", "-d", wheels / version,
                    f"{name}=={version}"], check=True)
    release = folder / "release"
    shutil.rmtree(release, ignore_errors=True)
    with zipfile.ZipFile(next((wheels / version).glob("*.whl"))) as wheel:
        wheel.extractall(release)
    for information in release.glob("*.dist-info"):
        description = information / "METADATA"
        if not description.exists():
            description = information / "metadata.json"
        shutil.copy(description, release / "README.md")
        shutil.rmtree(information)
    return release


def commit_release(repository, release, version, when, count):
    """Commits what the release changed, a few files at a time; returns the time afterwards."""
    for old in repository.rglob("*"):
        if old.is_file() and ".git" not in old.relative_to(repository).parts:
            old.unlink()
    shutil.copytree(release, repository, dirs_exist_ok=True)
    changed = [line[3:] for line in
               git(repository, "status", "--porcelain", "-uall").splitlines()]
    for at in range(0, len(changed), FILES_A_COMMIT):
        files = changed[at:at + FILES_A_COMMIT]
        git(repository, "add", "-A", "--", *files)
        names = " and ".join(pathlib.PurePath(file).name for file in files)
        message = MESSAGES[(count + at) % len(MESSAGES)].format(names=names, version=version)
        author = AUTHORS[(count + at // FILES_A_COMMIT) % len(AUTHORS)]
        when += datetime.timedelta(hours=5, minutes=37)
        git(repository, "commit", "-q", "-m", message, when=when, author=author)
    git(repository, "tag", "-a", "-m", f"Release {version}", f"v{version}",
        when=when, author=AUTHORS[0])
    return when


def make(name, description, versions, folder):
    repository = folder / name
    repository.mkdir(parents=True)
    git(repository, "init", "-q", "-b", "master")
    when = datetime.datetime(2019, 3, 4, 9, tzinfo=datetime.timezone.utc)
    last = None
    for count, version in enumerate(versions):
        if last and last.split(".")[0] != version.split(".")[0]:
            git(repository, "branch", last.split(".")[0] + ".x")
        when = commit_release(repository, unpack(name, version, folder), version, when, count)
        when += datetime.timedelta(days=40)
        last = version
    bare = folder / "bare" / f"{name}.git"
    git(repository, "clone", "-q", "--mirror", ".", bare)
    (bare / "description").write_text(description + "\n")
    with open(bare / "config", "a") as config:
        config.write(f"[gitweb]\n\towner = {AUTHORS[len(name) % len(AUTHORS)]}\n")


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    for name, (description, versions) in PACKAGES.items():
        make(name, description, versions.split(), folder)


if __name__ == "__main__":
    main()
