#!/bin/sh
# notes.test: the wiki of a group of programmers, MoinMoin 2.0.0b5 (PyPI).
#
#     notes.sh FOLDER        writes FOLDER/notes.warc.gz
#
# Needs moin 2.0.0b5, time-machine 3.6.0, waitress 3.0.2 and warcio 1.7.5 in the Python named by
# $PYTHON, its programs beside it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# In full, since some of it runs in another folder.
python=$("${PYTHON:-python3}" -c 'import sys; print(sys.executable)')
programs=$(dirname "$python")
port=${PORT:-8010}
mkdir -p "$1" && cd "$1"
export PYTHONHASHSEED=0 TZ=UTC LC_ALL=C.UTF-8

rm -rf notes
"$programs/moin" create-instance --path notes > notes.log 2>&1
"$python" "$here/notes_site.py" fill notes >> notes.log 2>&1
"$python" "$here/notes_site.py" serve notes "$port" > server.log 2>&1 & server=$!
trap 'kill $server' EXIT
sleep 8

# Feeds, downloads, raw content and the files of the pages' style are no HTML.
"$python" "$here/crawl.py" http://notes.test/ --connect "127.0.0.1:$port" -o notes.warc.gz \
    --max "${MAX:-5000}" --skip '/\+(feed|get|download|content|serve|template)/|/(static|_themes)/'
