#!/bin/sh
# tracker.test: one issue tracker (Trac 1.6 from PyPI), crawled twice with some weeks between.
#
#     trac.sh FOLDER        writes FOLDER/tracker-1.warc.gz and FOLDER/tracker-2.warc.gz
#
# Needs Trac 1.6 and warcio 1.7.5 in the Python named by $PYTHON, its programs beside it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
programs=$(dirname "$("$python" -c 'import sys; print(sys.executable)')")
port=${PORT:-8002}
mkdir -p "$1" && cd "$1"

rm -rf trac
# Nobody can log in, but /login asks for a password as it would elsewhere.
: > passwords
"$programs/trac-admin" trac initenv "The project" sqlite:db/trac.db > /dev/null
"$python" "$here/trac_fill.py" fill trac

crawl() {
    "$programs/tracd" --port "$port" --hostname 127.0.0.1 \
        --basic-auth="trac,passwords,The project" -s trac 2> tracd.log & server=$!
    trap 'kill $server' EXIT
    sleep 4
    # Feeds and downloads are no HTML.
    "$python" "$here/crawl.py" http://tracker.test/ --connect "127.0.0.1:$port" -o "$1" \
        --max 2600 --skip 'format=(csv|tab|rss|sql|ics)|/(raw-attachment|chrome)/'
    kill $server
    trap - EXIT
    sleep 1
}

crawl tracker-1.warc.gz
"$python" "$here/trac_fill.py" change trac
crawl tracker-2.warc.gz
