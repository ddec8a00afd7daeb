#!/bin/sh
# shop.test: a shop, django-oscar 3.2.5 (PyPI) with Django 4.2 and the Whoosh search engine.
#
#     shop.sh FOLDER        writes FOLDER/shop.warc.gz
#
# Needs django-oscar 3.2.5, django-haystack 3.4.0, sorl-thumbnail 13.4.0, Whoosh 2.7.4,
# waitress 3.0.2 and warcio 1.7.5 in the Python named by $PYTHON.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
port=${PORT:-8005}
mkdir -p "$1" && cd "$1"

rm -rf shop
PYTHONPATH=$here "$python" "$here/shop_site.py" fill shop
PYTHONPATH=$here "$python" -W ignore "$here/shop_site.py" serve shop "$port" & server=$!
trap 'kill $server' EXIT
sleep 4
"$python" "$here/crawl.py" http://shop.test/ --connect "127.0.0.1:$port" -o shop.warc.gz --max 2600
