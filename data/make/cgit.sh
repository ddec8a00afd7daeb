#!/bin/sh
# git.test: cgit 1.2.3 (Debian 12) under lighttpd, over repositories made of PyPI releases.
#
#     cgit.sh FOLDER        writes FOLDER/cgit.warc.gz
#
# Needs Debian's lighttpd, liblua5.1-0 and git, and a Python with warcio 1.7.5 and pip as $PYTHON.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
port=${PORT:-8001}
mkdir -p "$1" && cd "$1"

# cgit is unpacked, not installed: it needs no settings outside this folder.
apt-get download cgit=1.2.3+git20221219.50.91f2590+git2.39.1-1
dpkg -x cgit_*.deb cgit
[ -d repositories ] || "$python" "$here/git_repositories.py" repositories

cat > cgitrc <<END
root-title=Git repositories
root-desc=Releases kept in git
virtual-root=/
css=/static/cgit.css
logo=/static/cgit.png
cache-size=0
enable-index-links=1
enable-index-owner=1
enable-log-filecount=1
enable-log-linecount=1
enable-commit-graph=1
enable-subject-links=1
enable-blame=1
enable-git-config=1
remove-suffix=1
max-stats=quarter
snapshots=tar.gz zip
readme=:README.md
scan-path=$PWD/repositories/bare
END

cat > lighttpd.conf <<END
server.modules = ("mod_cgi", "mod_rewrite", "mod_alias", "mod_setenv")
server.bind = "127.0.0.1"
server.port = $port
server.document-root = "$PWD/cgit/usr/share/cgit"
alias.url = ("/static/" => "$PWD/cgit/usr/share/cgit/", "/cgit.cgi" => "$PWD/cgit/usr/lib/cgit/cgit.cgi")
url.rewrite-once = ("^/static/" => "\$0", "^/(.*)" => "/cgit.cgi/\$1")
setenv.add-environment = ("CGIT_CONFIG" => "$PWD/cgitrc")
cgi.assign = (".cgi" => "")
END
lighttpd -D -f lighttpd.conf & server=$!
trap 'kill $server' EXIT
sleep 1

# Archives, raw files and patches are no HTML; their links need not be asked.
"$python" "$here/crawl.py" http://git.test/ --connect "127.0.0.1:$port" -o cgit.warc.gz \
    --max 6500 --skip '/(snapshot|plain|patch|rawdiff|blob)/'
