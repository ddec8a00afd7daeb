#!/bin/sh
# roundup.test: one issue tracker (Roundup 2.6.0 from PyPI, its classic template), crawled twice,
# three weeks apart.
#
#     roundup.sh FOLDER        writes FOLDER/roundup-1.warc.gz and FOLDER/roundup-2.warc.gz
#
# Needs roundup 2.6.0, waitress 3.0.2 and warcio 1.7.5 in the Python named by $PYTHON, its programs
# beside it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
programs=$(dirname "$("$python" -c 'import sys; print(sys.executable)')")
port=${PORT:-8009}
mkdir -p "$1" && cd "$1"
# Roundup keeps some lists in the order of a set.
export PYTHONHASHSEED=0 TZ=UTC LC_ALL=C.UTF-8

rm -rf tracker
# Mail to those who follow an issue goes nowhere.
settings="tracker_name=The project,tracker_web=http://roundup.test/"
settings="$settings,mail_domain=roundup.test,mail_host=localhost,mail_debug=/dev/null"
"$programs/roundup-admin" -i tracker install classic sqlite "$settings" > install.log
# Who is not logged in may see users and public queries as others do, not issues and messages alone.
cat >> tracker/schema.py <<END

for p in (db.security.addPermission(name='View', klass='query', check=view_query),
          db.security.addPermission(name='View', klass='user', properties=('id', 'organisation',
              'phone', 'realname', 'timezone', 'username'))):
    db.security.addPermissionToRole('Anonymous', p)
END
"$python" "$here/roundup_fill.py" fill tracker

crawl() {
    "$python" "$here/roundup_fill.py" "serve-$2" tracker "$port" > server.log 2>&1 & server=$!
    trap 'kill $server' EXIT
    sleep 4
    # Downloads and exports are no HTML.
    "$python" "$here/crawl.py" http://roundup.test/ --connect "127.0.0.1:$port" -o "$1" \
        --max "${MAX:-5000}" --skip '/(file[0-9]+|@@file)/|@action=export_csv'
    kill $server
    trap - EXIT
    sleep 1
}

crawl roundup-1.warc.gz before
"$python" "$here/roundup_fill.py" change tracker
crawl roundup-2.warc.gz after
