#!/bin/sh
# library.test: a library's books, calibre-web 0.6.27 (PyPI) over a calibre library with SQLite.
#
#     library.sh FOLDER        writes FOLDER/library.warc.gz
#
# Needs calibreweb 0.6.27 (Flask 3.1.3, SQLAlchemy 2.0.58, tornado 6.5.10 with it) and warcio 1.7.5 in the
# Python named by $PYTHON, its programs beside it. The empty library's tables come from Debian 12's calibre
# (6.13.0+repack-2), which is fetched with `apt-get download`, not installed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# In full, since the programs lie beside it.
python=$("${PYTHON:-python3}" -c 'import sys; print(sys.executable)')
programs=$(dirname "$python")
port=${PORT:-8013}
mkdir -p "$1" && cd "$1"
export PYTHONHASHSEED=0 TZ=UTC LC_ALL=C.UTF-8 CALIBRE_PORT="$port"

rm -rf library calibre_*.deb
mkdir -p library/books
apt-get download calibre > apt.log 2>&1
dpkg-deb --fsys-tarfile calibre_*.deb | tar -xO ./usr/share/calibre/metadata_sqlite.sql > library/metadata.sql
# Makes the settings, too.
"$programs/cps" -p "$PWD/library/app.db" -o "$PWD/library/web.log" -s 'admin:Secret-1-for-all' > library.log 2>&1
"$python" "$here/library_site.py" "$PWD/library" >> library.log 2>&1
"$programs/cps" -p "$PWD/library/app.db" -o "$PWD/library/web.log" -i 127.0.0.1 > server.log 2>&1 & server=$!
trap 'kill $server' EXIT
sleep 10

# Covers, books to download and files of the pages' style are no HTML.
"$python" "$here/crawl.py" http://library.test/ --connect "127.0.0.1:$port" -o library.warc.gz \
    --max "${MAX:-4500}" --skip '/(cover|series_cover|download|static|opds)/'
