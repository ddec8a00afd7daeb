#!/bin/sh
# forum.test: a discussion board, django-machina 1.3.1 (PyPI) with Django 4.2.
#
#     forum.sh FOLDER        writes FOLDER/forum.warc.gz
#
# Needs django-machina 1.3.1 with Django 4.2.30, waitress 3.0.2 and warcio 1.7.5 in the Python
# named by $PYTHON.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
port=${PORT:-8004}
mkdir -p "$1" && cd "$1"

rm -rf forum
PYTHONPATH=$here "$python" "$here/forum_site.py" fill forum
PYTHONPATH=$here "$python" "$here/forum_site.py" serve forum "$port" & server=$!
trap 'kill $server' EXIT
sleep 4
"$python" "$here/crawl.py" http://forum.test/ --connect "127.0.0.1:$port" -o forum.warc.gz \
    --max 6000 --skip '/feeds/'
