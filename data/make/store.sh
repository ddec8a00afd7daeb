#!/bin/sh
# store.test: a shop in two languages, Nereid Webshop 7.0.5 of Tryton (PyPI) with SQLite.
#
#     store.sh FOLDER        writes FOLDER/store.warc.gz
#
# Needs m9s-nereid-webshop 7.0.5 (trytond 7.0.59, m9s-nereid 7.0.12, m9s-nereid-catalog-tree 7.0.1 with it),
# python-magic 0.4.27,
# time-machine 3.6.0, waitress 3.0.2 and warcio 1.7.5 in the Python named by $PYTHON, its programs beside it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# In full, since the programs lie beside it.
python=$("${PYTHON:-python3}" -c 'import sys; print(sys.executable)')
programs=$(dirname "$python")
port=${PORT:-8015}
mkdir -p "$1" && cd "$1"
export PYTHONHASHSEED=0 TZ=UTC LC_ALL=C.UTF-8 TRYTOND_CONFIG="$PWD/store/trytond.conf" TRYTONPASSFILE="$PWD/store/password"

rm -rf store
mkdir -p store/data store/sessions
echo 'Secret-1-for-all' > store/password
cat > store/trytond.conf <<CONF
[database]
uri = sqlite://
path = $PWD/store/data
CONF
touch store/data/store.sqlite
"$programs/trytond-admin" -c store/trytond.conf -d store -l de -u nereid_webshop --activate-dependencies \
    --email '' > store.log 2>&1
"$python" "$here/store_site.py" fill >> store.log 2>&1
"$python" "$here/store_site.py" serve "$port" > server.log 2>&1 & server=$!
trap 'kill $server' EXIT
sleep 30

# Pictures, files of the pages' style, site maps for robots and answers to scripts are no HTML.
"$python" "$here/crawl.py" http://store.test/ --connect "127.0.0.1:$port" -o store.warc.gz \
    --max "${MAX:-4500}" --skip '/static|[.](xml|json|js|css)([?]|$)'
