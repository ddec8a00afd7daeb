#!/bin/sh
# club.test: an association of gardeners, Tendenci 16.16 (PyPI) with PostgreSQL 15.
#
#     club.sh FOLDER        writes FOLDER/club.warc.gz
#
# Needs Debian's postgresql-15 and postgresql-15-postgis-3 (3.3.2), and tendenci 16.16 (Django 5.2.19 with it),
# time-machine 3.6.0, waitress 3.0.2 and warcio 1.7.5 in the Python named by $PYTHON. The data base runs out of
# FOLDER, on a socket in it; the package's own is left alone.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# In full, since the folder changes.
python=$("${PYTHON:-python3}" -c 'import sys; print(sys.executable)')
base=${BASE:-/usr/lib/postgresql/15/bin}
port=${PORT:-8016}
mkdir -p "$1" && cd "$1"
top=$PWD
export PYTHONHASHSEED=0 TZ=UTC LC_ALL=C.UTF-8 TENDENCI_PROJECT_ROOT="$top/club" DJANGO_SETTINGS_MODULE=club_settings
export PYTHONPATH="$top/club:$here"

rm -rf club
for part in base sockets logs media static themes addons whoosh_index; do mkdir -p "club/$part"; done
# The data base does not run as root.
as=
if [ "$(id -u)" = 0 ]; then
    chown postgres club/base club/sockets
    as="setpriv --reuid=postgres --regid=postgres --clear-groups"
fi
$as "$base/initdb" -U tendenci -A trust --no-sync -E UTF8 -D club/base > base.log
$as "$base/postgres" -D club/base -k "$top/club/sockets" -c listen_addresses= -c fsync=off \
    >> base.log 2>&1 & servers=$!
trap 'kill $servers' EXIT
sleep 4
"$base/createdb" -h "$top/club/sockets" -U tendenci tendenci
"$base/psql" -q -h "$top/club/sockets" -U tendenci -d tendenci -c "CREATE EXTENSION postgis"

cat > club/club_settings.py <<CONF
from tendenci.settings import *
DATABASES['default'].update(HOST='$top/club/sockets', PORT='', PASSWORD='')
SECRET_KEY = SITE_SETTINGS_KEY = 'a test site, known to all'
ALLOWED_HOSTS = ['*']
TIME_ZONE = 'UTC'
CACHES['default'] = {'BACKEND': 'django.core.cache.backends.locmem.LocMemCache', 'TIMEOUT': None,
                     'OPTIONS': {'MAX_ENTRIES': 100000}}
EMAIL_BACKEND = 'django.core.mail.backends.dummy.EmailBackend'
PYBB_DISABLE_NOTIFICATIONS = True
set_app_log_filename('$top/club/logs/app.log')
set_debug_log_filename('$top/club/logs/debug.log')
CONF
ln -s "$("$python" -c 'import os, tendenci; print(os.path.dirname(tendenci.__file__))')/themes/t7-base" club/themes/
"$python" "$here/club_site.py" fill > club.log 2>&1
"$python" "$here/club_site.py" serve "$port" > server.log 2>&1 & servers="$servers $!"
sleep 40

# Calendars, feeds and files are no HTML.
"$python" "$here/crawl.py" http://club.test/ --connect "127.0.0.1:$port" -o club.warc.gz \
    --max "${MAX:-4500}" --skip '/(static|media|ics)/|/feed/|[.](xml|json|ics)([?]|$)'
