#!/bin/sh
# lists.test: a mailing-list archive, HyperKitty 1.3.12 (PyPI) with Django 5.0.
#
#     lists.sh FOLDER        writes FOLDER/lists.warc.gz
#
# Needs HyperKitty 1.3.12 with Django 5.0.14, django-mailman3 1.3.15 and django-allauth 65.21.1,
# time-machine 3.6.0, waitress 3.0.2 and warcio 1.7.5 in the Python named by $PYTHON.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
port=${PORT:-8009}
mkdir -p "$1" && cd "$1"

rm -rf lists
"$python" "$here/lists_mboxes.py" lists
"$python" "$here/lists_site.py" fill lists > /dev/null
"$python" "$here/lists_site.py" serve lists "$port" 2> lists.log & server=$!
trap 'kill $server' EXIT
sleep 5

# Archives, feeds and what was sent with a mail are no HTML.
"$python" "$here/crawl.py" http://lists.test/ --connect "127.0.0.1:$port" -o lists.warc.gz \
    --max "${MAX:-5000}" --skip '\.mbox\.gz|/feed/|/attachment/'
