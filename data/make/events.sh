#!/bin/sh
# events.test: an institute's events, Indico 3.2.9 (PyPI) with PostgreSQL 15 and Redis 7.
#
#     events.sh FOLDER        writes FOLDER/events.warc.gz
#
# Needs Debian's postgresql-15 (15.20-0+deb12u1) and redis-server (5:7.0.15-1~deb12u10), and indico 3.2.9,
# time-machine 3.6.0, waitress 3.0.2 and warcio 1.7.5 in the Python named by $PYTHON, its programs beside
# it. Both servers run out of FOLDER, on sockets in it; the packages' own are left alone.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# In full, since the programs lie beside it.
python=$("${PYTHON:-python3}" -c 'import sys; print(sys.executable)')
programs=$(dirname "$python")
base=${BASE:-/usr/lib/postgresql/15/bin}
port=${PORT:-8011}
mkdir -p "$1" && cd "$1"
top=$PWD
export PYTHONHASHSEED=0 TZ=UTC LC_ALL=C.UTF-8 INDICO_CONFIG="$top/events/indico.conf"

rm -rf events
for part in archive cache log tmp base sockets; do mkdir -p "events/$part"; done
# The data base does not run as root.
as=
if [ "$(id -u)" = 0 ]; then
    chown postgres events/base events/sockets
    as="setpriv --reuid=postgres --regid=postgres --clear-groups"
fi
$as "$base/initdb" -U indico -A trust --no-sync -E UTF8 -D events/base > base.log
$as "$base/postgres" -D events/base -k "$top/events/sockets" -c listen_addresses= -c fsync=off \
    >> base.log 2>&1 & servers=$!
trap 'kill $servers' EXIT
redis-server --port 0 --unixsocket "$top/events/redis.socket" --save '' --dir events > redis.log \
    & servers="$servers $!"
sleep 4
"$base/createdb" -h "$top/events/sockets" -U indico events
for part in unaccent pg_trgm; do
    "$base/psql" -q -h "$top/events/sockets" -U indico -d events -c "CREATE EXTENSION $part"
done

cp "$("$python" -c 'import os, indico; print(os.path.dirname(indico.__file__))' 2> /dev/null)/logging.yaml.sample" \
    events/logging.yaml
cat > events/indico.conf <<END
SQLALCHEMY_DATABASE_URI = 'postgresql://indico@/events?host=$top/events/sockets'
SECRET_KEY = 'a test site, its key known to all'
BASE_URL = 'http://events.test'
CELERY_BROKER = 'redis+socket://$top/events/redis.socket'
REDIS_CACHE_URL = 'unix://$top/events/redis.socket'
DEFAULT_TIMEZONE = 'UTC'
DEFAULT_LOCALE = 'en_GB'
CACHE_DIR = '$top/events/cache'
TEMP_DIR = '$top/events/tmp'
LOG_DIR = '$top/events/log'
STORAGE_BACKENDS = {'default': 'fs:$top/events/archive'}
SMTP_SERVER = ('localhost', 25)
SUPPORT_EMAIL = 'help@events.test'
PUBLIC_SUPPORT_EMAIL = 'help@events.test'
NO_REPLY_EMAIL = 'noreply@events.test'
SYSTEM_NOTICES_URL = None
END
"$programs/indico" db prepare > events.log 2>&1
"$python" "$here/events_site.py" fill >> events.log 2>&1
"$python" "$here/events_site.py" serve "$port" > server.log 2>&1 & servers="$servers $!"
sleep 15

# Calendars, feeds, papers and files are no HTML.
"$python" "$here/crawl.py" http://events.test/ --connect "127.0.0.1:$port" -o events.warc.gz \
    --max "${MAX:-4500}" --skip '[.](ics|atom|rss|pdf|json|zip|png)([?]|$)'
