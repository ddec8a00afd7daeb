#!/bin/sh
# reviews.test: code reviews, Review Board 8.1 (PyPI) with SQLite.
#
#     reviews.sh FOLDER        writes FOLDER/reviews.warc.gz
#
# Needs git and node, and reviewboard 8.1, time-machine 3.6.0, waitress 3.0.2 and warcio 1.7.5 in the
# Python named by $PYTHON, its programs beside it. Review Board wants that Python to be made by
# `virtualenv`: those of `python3 -m venv` it refuses. The repositories are made of releases on PyPI.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# In full, since the programs lie beside it.
python=$("${PYTHON:-python3}" -c 'import sys; print(sys.executable)')
programs=$(dirname "$python")
port=${PORT:-8012}
mkdir -p "$1" && cd "$1"
export PYTHONHASHSEED=0 TZ=UTC LC_ALL=C.UTF-8

rm -rf reviews repositories
mkdir repositories
"$python" "$here/reviews_repositories.py" repositories > repositories.log 2>&1
"$programs/rb-site" install --noinput --domain-name=reviews.test --site-root=/ --static-url=static/ \
    --media-url=media/ --db-type=sqlite3 --db-name="$PWD/reviews/data/reviews.db" --cache-type=file \
    --cache-info="$PWD/reviews/cache" --web-server-type=apache --admin-user=ada --admin-password=secret \
    --admin-email=ada@reviews.test --secret-key='a test site, its key known to all who read this line' \
    --opt-out-support-data "$PWD/reviews" > reviews.log 2>&1 < /dev/null
"$python" "$here/reviews_site.py" fill reviews repositories/bare >> reviews.log 2>&1
"$python" "$here/reviews_site.py" serve reviews "$port" > server.log 2>&1 & server=$!
trap 'kill $server' EXIT
sleep 15

# What is downloaded, files of the pages' style and the programming interface are no HTML.
"$python" "$here/crawl.py" http://reviews.test/ --connect "127.0.0.1:$port" -o reviews.warc.gz \
    --max "${MAX:-4500}" --skip '/(raw|download)/|/(api|static|media)/'
