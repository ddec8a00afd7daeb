#!/bin/sh
# portal.test: an institute's portal, Plone 6.1.0 with the Classic UI (PyPI) and a file storage.
#
#     portal.sh FOLDER        writes FOLDER/portal.warc.gz
#
# Needs Plone 6.1.0 with the constraints of its release (dist.plone.org/release/6.1.0/constraints.txt,
# Zope 5.13 and waitress 3.0.2 among them), time-machine 3.6.0 and warcio 1.7.5 in the Python named by
# $PYTHON, its programs beside it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# In full, since the programs lie beside it.
python=$("${PYTHON:-python3}" -c 'import sys; print(sys.executable)')
programs=$(dirname "$python")
port=${PORT:-8009}
mkdir -p "$1" && cd "$1"
export PYTHONHASHSEED=0 TZ=UTC LC_ALL=C.UTF-8

rm -rf portal
"$programs/mkwsgiinstance" -d portal -u admin:secret > portal.log
# Files of the site lie beside its data base.
sed -i 's|path $INSTANCE/var/Data.fs|&\n     blob-dir $INSTANCE/var/blobs|' portal/etc/zope.conf
"$python" "$here/portal_site.py" fill portal >> portal.log 2>&1
"$python" "$here/portal_site.py" serve portal "$port" > server.log 2>&1 & server=$!
trap 'kill $server' EXIT
# Plone is slow to start.
sleep 40

# Feeds, calendars, downloads and the files of the pages' style are no HTML.
"$python" "$here/crawl.py" http://portal.test/ --connect "127.0.0.1:$port" -o portal.warc.gz \
    --max "${MAX:-4500}" \
    --skip '/(RSS|rss[.]xml|atom[.]xml|itunes[.]xml|search_rss)|ics_view|_ical|[+][+]|@@(images|download|display-file)'
