#!/bin/sh
# dokuwiki.test: DokuWiki 2022-07-31 (Debian 12) under lighttpd, with "nice" URLs.
#
#     dokuwiki.sh FOLDER        writes FOLDER/dokuwiki.warc.gz
#
# Needs Debian's dokuwiki (0.0.20220731.a-2), php-cgi, php-cli, php-xml and lighttpd, and a Python with
# warcio 1.7.5 as $PYTHON. The package's own settings and pages are left alone.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
port=${PORT:-8003}
mkdir -p "$1" && cd "$1"

rm -rf data conf
cp -rL /etc/dokuwiki conf
mkdir data
(cd data && mkdir attic cache index locks log media media_attic media_meta meta pages tmp)
cat > conf/local.php <<END
<?php
\$conf['title'] = 'Library notes';
\$conf['savedir'] = '$PWD/data';
\$conf['useacl'] = 1;
\$conf['superuser'] = '@admin';
\$conf['userewrite'] = 1;
\$conf['useslash'] = 1;
END
# Everybody reads, who has logged in writes.
printf '*\t@ALL\t1\n*\t@user\t8\n' > conf/acl.auth.php
cat > prepend.php <<END
<?php
define('DOKU_CONF', '$PWD/conf/');
define('DOKU_MAIN_CONF', '$PWD/conf/');
END
"$python" "$here/dokuwiki_fill.py" data
# The index of words is what lists of backlinks are made of.
php -d auto_prepend_file="$PWD/prepend.php" -d display_errors=0 -d log_errors=0 /usr/share/dokuwiki/bin/indexer.php -q

cat > lighttpd.conf <<END
server.modules = ("mod_fastcgi", "mod_rewrite")
server.bind = "127.0.0.1"
server.port = $port
server.document-root = "/usr/share/dokuwiki"
index-file.names = ("doku.php")
url.rewrite-once = (
    "^/lib/" => "\$0",
    "^/(doku|feed|index)\.php" => "\$0",
    "^/_media/([^?]*)\??(.*)" => "/lib/exe/fetch.php?media=\$1&\$2",
    "^/_detail/([^?]*)\??(.*)" => "/lib/exe/detail.php?media=\$1&\$2",
    "^/_export/([^/]+)/([^?]*)\??(.*)" => "/doku.php?do=export_\$1&id=\$2&\$3",
    "^/(?:\?(.*))?$" => "/doku.php?\$1",
    "^/([^?]*)\??(.*)" => "/doku.php?id=\$1&\$2",
)
fastcgi.server = (".php" => (("socket" => "$PWD/php.socket", "max-procs" => 1, "bin-path" =>
    "/usr/bin/php-cgi -d auto_prepend_file=$PWD/prepend.php")))
END
lighttpd -D -f lighttpd.conf & server=$!
trap 'kill $server' EXIT
sleep 1

"$python" "$here/crawl.py" http://dokuwiki.test/ --connect "127.0.0.1:$port" \
    -o dokuwiki.warc.gz --max 6500 --skip '/feed\.php|/lib/exe/(css|js|fetch|taskrunner)'
