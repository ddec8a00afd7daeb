#!/bin/sh
# talks.test: programmes of conferences, pretalx 2025.2.2 (PyPI) with SQLite.
#
#     talks.sh FOLDER        writes FOLDER/talks.warc.gz
#
# Needs pretalx 2025.2.2 (Django 5.2.19 with it), time-machine 3.6.0, waitress 3.0.2 and warcio 1.7.5 in the
# Python named by $PYTHON. The organisers' editor, which would have to be built with npm, is left out.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# In full, since the folder changes.
python=$("${PYTHON:-python3}" -c 'import sys; print(sys.executable)')
port=${PORT:-8014}
mkdir -p "$1" && cd "$1"
export PYTHONHASHSEED=0 TZ=UTC LC_ALL=C.UTF-8 PRETALX_SITE_URL=http://talks.test PRETALX_DB_NAME="$PWD/talks/talks.db"
export PRETALX_DATA_DIR="$PWD/talks" PRETALX_FILESYSTEM_DATA="$PWD/talks" PRETALX_FILESYSTEM_LOGS="$PWD/talks/logs" \
    PRETALX_FILESYSTEM_MEDIA="$PWD/talks/media" PRETALX_FILESYSTEM_STATIC="$PWD/talks/static"

rm -rf talks
mkdir -p talks/logs talks/media talks/static
"$python" "$here/talks_site.py" fill > talks.log 2>&1
"$python" "$here/talks_site.py" serve "$port" > server.log 2>&1 & server=$!
trap 'kill $server' EXIT
sleep 12

# Calendars, feeds, exports, pictures and the programming interface are no HTML.
"$python" "$here/crawl.py" http://talks.test/ --connect "127.0.0.1:$port" -o talks.warc.gz \
    --max "${MAX:-4500}" --skip '/(api|static|media|export)/|[.](ics|xml|xcal|json|js|css)([?]|$)|/og-image'
