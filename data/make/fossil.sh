#!/bin/sh
# fossil.test: Fossil 2.21 (Debian 12) over three projects: code, tickets and a wiki in one program.
#
#     fossil.sh FOLDER        writes FOLDER/fossil.warc.gz
#
# Needs Debian's fossil and git, and a Python with warcio 1.7.5 and pip as $PYTHON.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
port=${PORT:-8007}
mkdir -p "$1" && cd "$1"
export HOME="$PWD" USER=admin

[ -d repositories ] || "$python" "$here/git_repositories.py" repositories
rm -rf projects && mkdir projects
for name in flask tinydb w3lib; do
    project=projects/$name.fossil
    git -C "repositories/bare/$name.git" fast-export --all --signed-tags=strip |
        fossil import --git "$project" > /dev/null
    # Links are there for all, not only for those who log in or run a script.
    fossil user capabilities nobody ghjorz2 -R "$project" > /dev/null
    fossil sql -R "$project" "REPLACE INTO config(name, value, mtime) VALUES
        ('project-name', '$name', now()), ('auto-hyperlink', '0', now()), ('robot-restrict', 'none', now())"
done
"$python" "$here/fossil_fill.py" projects/flask.fossil projects/tinydb.fossil

fossil server --localhost --port "$port" --repolist projects > fossil.log 2>&1 & server=$!
trap 'kill $server' EXIT
sleep 2

# Archives, raw files, feeds and the files of the pages' style are no HTML.
"$python" "$here/crawl.py" http://fossil.test/ --connect "127.0.0.1:$port" -o fossil.warc.gz \
    --max "${MAX:-6000}" \
    --skip '/(zip|tarball|sqlar|raw|file-raw|download|doc|json|logo|style|builtin)|\.rss|/login/'
