#!/bin/sh
# translate.test: translations of programs, Weblate 5.14.3 (PyPI) with PostgreSQL 15.
#
#     translate.sh FOLDER        writes FOLDER/translate.warc.gz
#
# Needs Debian 12's postgresql-15, git, gettext, gir1.2-pango-1.0 and gir1.2-rsvg-2.0, and Weblate 5.14.3 (Django
# 5.2.19 with it) with PyGObject before 3.51 and django-otp before 1.7, psycopg 3.3.9, time-machine 3.6.0, waitress
# 3.0.2 and warcio 1.7.5 in the Python named by $PYTHON. To build what Weblate needs: python3-dev, pkg-config,
# liblz4-dev, libxxhash-dev, libzstd-dev, libacl1-dev, libssl-dev, libcairo2-dev, libgirepository1.0-dev.
# PostgreSQL runs out of FOLDER, on a socket in it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# In full, since the folder changes.
python=$("${PYTHON:-python3}" -c 'import sys; print(sys.executable)')
base=${BASE:-/usr/lib/postgresql/15/bin}
port=${PORT:-8022}
mkdir -p "$1" && cd "$1"
top=$PWD
export PYTHONHASHSEED=0 TZ=UTC LC_ALL=C.UTF-8 PYTHONPATH="$here"

rm -rf translate
mkdir -p translate/base translate/sockets translate/data
# The data base does not run as root.
as=
if [ "$(id -u)" = 0 ]; then
    chown postgres translate/base translate/sockets
    as="setpriv --reuid=postgres --regid=postgres --clear-groups"
fi
$as "$base/initdb" -U weblate -A trust --no-sync -E UTF8 -D translate/base > base.log
$as "$base/postgres" -D translate/base -k "$top/translate/sockets" -c listen_addresses= -c fsync=off >> base.log 2>&1 & servers=$!
trap 'kill $servers' EXIT
sleep 4
"$base/createdb" -h "$top/translate/sockets" -U weblate translate
for part in pg_trgm btree_gin; do
    "$base/psql" -q -h "$top/translate/sockets" -U weblate -d translate -c "CREATE EXTENSION $part"
done
"$python" "$here/translate_site.py" fill translate > translate.log 2>&1
"$python" "$here/translate_site.py" serve translate "$port" > server.log 2>&1 & servers="$servers $!"
sleep 20

# Feeds, files to download, pictures, files of the pages' style and the programming interface are no HTML.
"$python" "$here/crawl.py" http://translate.test/ --connect "127.0.0.1:$port" -o translate.warc.gz --max "${MAX:-4500}" \
    --skip '/(api|static|media|download|exports|widget|avatar|git|js|hooks)/|/icons/|[.](svg|png|xml|json|txt)([?]|$)'
