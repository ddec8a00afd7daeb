#!/bin/sh
# gitweb.test: gitweb 2.39 (Debian 12) under lighttpd, over repositories made of PyPI releases.
#
#     gitweb.sh FOLDER        writes FOLDER/gitweb.warc.gz
#
# Needs Debian's gitweb, libcgi-pm-perl, lighttpd and git, and a Python with warcio 1.7.5 and pip as
# $PYTHON.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
port=${PORT:-8006}
mkdir -p "$1" && cd "$1"

[ -d repositories ] || "$python" "$here/git_repositories.py" repositories

cat > gitweb.perl <<END
\$projectroot = "$PWD/repositories/bare";
\$feature{'blame'}{'default'} = [1];
\$feature{'highlight'}{'default'} = [0];
# How long a page took to make would make each another.
\$feature{'timed'}{'default'} = [0];
END

cat > lighttpd.conf <<END
server.modules = ("mod_cgi", "mod_setenv")
server.bind = "127.0.0.1"
server.port = $port
server.document-root = "/usr/share/gitweb"
index-file.names = ("gitweb.cgi")
setenv.add-environment = ("GITWEB_CONFIG" => "$PWD/gitweb.perl")
cgi.assign = (".cgi" => "")
END
lighttpd -D -f lighttpd.conf & server=$!
trap 'kill $server' EXIT
sleep 1

# Archives, raw files, patches and feeds are no HTML; their links need not be asked.
"$python" "$here/crawl.py" http://gitweb.test/ --connect "127.0.0.1:$port" -o gitweb.warc.gz \
    --max "${MAX:-6000}" \
    --skip 'a=(snapshot|blob_plain|commitdiff_plain|patch|patches|atom|rss|opml|project_index)'
