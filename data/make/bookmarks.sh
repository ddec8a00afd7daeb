#!/bin/sh
# bookmarks.test: a public collection of bookmarks, Shaarli 0.12.1 (Debian 12) under lighttpd.
#
#     bookmarks.sh FOLDER        writes FOLDER/bookmarks.warc.gz
#
# Needs Debian's shaarli (0.12.1+dfsg-8+deb12u2), php-cgi and php-cli (8.2.31) and lighttpd (1.4.69), and a
# Python with warcio 1.7.5 as $PYTHON. Shaarli runs out of a copy in FOLDER with its data there, since the
# package has the place of its data in its code; the package's own data are left alone.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
port=${PORT:-8023}
mkdir -p "$1" && cd "$1"
export TZ=UTC LC_ALL=C.UTF-8 PYTHONHASHSEED=0

rm -rf shaarli state
cp -r /usr/share/shaarli shaarli
rm -f shaarli/cache
mkdir -p state/data state/tmp state/cache state/pagecache shaarli/cache
grep -rlE '/(usr/share|var/lib|var/cache)/shaarli' shaarli --include=*.php | xargs sed -i \
    -e "s|/usr/share/shaarli|$PWD/shaarli|g" -e "s|/var/lib/shaarli|$PWD/state|g" -e "s|/var/cache/shaarli|$PWD/state|g"
"$python" "$here/bookmarks_texts.py" > texts.json
php "$here/bookmarks_fill.php" "$PWD/shaarli" "$PWD/texts.json"

cat > lighttpd.conf <<END
server.modules = ("mod_fastcgi", "mod_rewrite")
server.bind = "127.0.0.1"
server.port = $port
server.document-root = "$PWD/shaarli"
index-file.names = ("index.php")
mimetype.assign = (".css" => "text/css", ".js" => "text/javascript", ".png" => "image/png", ".html" => "text/html")
url.rewrite-if-not-file = ("^/[^?]*(\?.*)?$" => "/index.php\$1")
fastcgi.server = (".php" => (("socket" => "$PWD/php.socket", "max-procs" => 1, "bin-path" => "/usr/bin/php-cgi")))
END
lighttpd -D -f lighttpd.conf 2> server.log & server=$!
trap 'kill $server' EXIT
sleep 2

# Feeds and the program's own handbook, which are files; styles and pictures are no HTML.
"$python" "$here/crawl.py" http://bookmarks.test/ --connect "127.0.0.1:$port" -o bookmarks.warc.gz \
    --max "${MAX:-4500}" --skip '/feed/|/daily-rss|/open-search|bookmarks\.test/doc/'
