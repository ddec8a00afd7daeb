#!/bin/sh
# blog.test: WordPress 6.1.9 (Debian 12) with MariaDB under lighttpd.
#
#     blog.sh FOLDER        writes FOLDER/blog.warc.gz
#
# Needs Debian's wordpress (6.1.9+dfsg1-0+deb12u1), wordpress-theme-twentytwentyone, php-cgi,
# php-cli, php-mysql, php-gd, mariadb-server and lighttpd, and a Python with warcio 1.7.5 as
# $PYTHON. WordPress and its data base run out of FOLDER; the packages' own are left alone.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
port=${PORT:-8006}
mkdir -p "$1" && cd "$1"

rm -rf wordpress base
mariadb-install-db --no-defaults --datadir="$PWD/base" --auth-root-authentication-method=normal \
    --user="$(id -un)" > /dev/null
mariadbd --no-defaults --datadir="$PWD/base" --socket="$PWD/base.socket" --skip-networking \
    --user="$(id -un)" 2> mariadb.log & base=$!
trap 'kill $base' EXIT
sleep 5
mariadb --no-defaults --socket="$PWD/base.socket" -u root -e \
    "CREATE DATABASE blog; CREATE USER blog@localhost IDENTIFIED BY 'blog'; GRANT ALL ON blog.* TO blog@localhost"

cp -rL /usr/share/wordpress wordpress
cat > wordpress/wp-config.php <<END
<?php
define('DB_NAME', 'blog');
define('DB_USER', 'blog');
define('DB_PASSWORD', 'blog');
define('DB_HOST', 'localhost:$PWD/base.socket');
define('DB_CHARSET', 'utf8mb4');
define('DB_COLLATE', '');
define('DISABLE_WP_CRON', true);
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
\$table_prefix = 'wp_';
if (!defined('ABSPATH')) define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
END
"$python" "$here/blog_texts.py" > texts.json
php "$here/blog_fill.php" "$PWD/wordpress" texts.json

cat > lighttpd.conf <<END
server.modules = ("mod_fastcgi", "mod_rewrite")
server.bind = "127.0.0.1"
server.port = $port
server.document-root = "$PWD/wordpress"
index-file.names = ("index.php")
url.rewrite-if-not-file = ("^/wp-(?:admin|includes|content)/" => "\$0", "^/[^?]*(\?.*)?$" => "/index.php\$1")
fastcgi.server = (".php" => (("socket" => "$PWD/php.socket", "max-procs" => 1,
    "bin-path" => "/usr/bin/php-cgi")))
END
lighttpd -D -f lighttpd.conf & server=$!
trap 'kill $server $base' EXIT
sleep 2

# Feeds and the programming interface are no HTML.
"$python" "$here/crawl.py" http://blog.test/ --connect "127.0.0.1:$port" -o blog.warc.gz \
    --max 5000 --skip '/feed/|/wp-json|/wp-admin|xmlrpc|/wp-content/'
