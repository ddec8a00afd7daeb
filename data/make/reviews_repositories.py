#!/usr/bin/env python3
"""Makes the git repositories whose changes are reviewed.

    reviews_repositories.py FOLDER        writes FOLDER/bare/NAME.git

As git_repositories.py does, of other packages and one file a commit, so that there are enough changes.
"""

import pathlib
import sys

import git_repositories

PACKAGES = {
    "click": ("Composable command line interfaces", "6.7 7.0 7.1.2 8.0.4 8.1.3 8.1.8"),
    "jinja2": ("A template engine", "2.9.6 2.10.3 2.11.3 3.0.3 3.1.2 3.1.6"),
    "requests": ("HTTP for people", "2.18.4 2.20.1 2.22.0 2.25.1 2.28.2 2.31.0 2.32.3"),
    "werkzeug": ("Tools for web applications", "0.16.1 1.0.1 2.0.3 2.2.3 3.0.6"),
}

if __name__ == "__main__":
    git_repositories.FILES_A_COMMIT = 1
    for package, (description, versions) in PACKAGES.items():
        git_repositories.make(package, description, versions.split(), pathlib.Path(sys.argv[1]).resolve())
