#!/bin/sh
# forge.test: a forge with pull requests, Kallithea 0.7.0 (PyPI) with SQLite.
#
#     forge.sh FOLDER        writes FOLDER/forge.warc.gz
#
# Needs git, and in the Python named by $PYTHON (3.11), its programs beside it, forge_requirements.txt, which
# pins Kallithea 0.7.0 and all that it asks for. Its own bounds are of Python 3.8, so that it is installed alone:
#
#     pip install 'setuptools<58' wheel
#     pip install --no-build-isolation -r forge_requirements.txt
#     pip install --no-build-isolation --no-deps kallithea==0.7.0
#
# and mercurial 5.8.1, whose C parts do not build there, from its source: `python setup.py --pure install`. Scripts
# and styles of the pages are not built. Fetches take a quarter of a second each.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# In full, since the programs lie beside it.
python=$("${PYTHON:-python3}" -c 'import sys; print(sys.executable)')
programs=$(dirname "$python")
port=${PORT:-8024}
mkdir -p "$1" && cd "$1"
export PYTHONHASHSEED=0 TZ=UTC LC_ALL=C.UTF-8

[ -d made ] || "$python" "$here/git_repositories.py" made > repositories.log 2>&1
rm -rf repositories data kallithea.db forge.ini
mkdir repositories
for project in made/bare/*.git; do
    cp -r "$project" "repositories/$(basename "$project" .git)"
done
"$programs/kallithea-cli" config-create forge.ini host=127.0.0.1 "port=$port" database_engine=sqlite > forge.log
# Keys the same each time. Templates are not looked at again, since by the site's clock all of them are new.
sed -i -e "s|^app_instance_uuid.*|app_instance_uuid = forge|" -e "s|^session.secret.*|session.secret = known to all|" \
    -e "s|^full_stack.*|&\nauto_reload_templates = false|" forge.ini
"$programs/kallithea-cli" db-create -c forge.ini --user admin --password 'not a secret' --email admin@example.org \
    --repos "$PWD/repositories" --force-yes --public-access >> forge.log 2>&1
"$python" "$here/forge_site.py" fill . >> forge.log 2>&1
"$python" "$here/forge_site.py" serve . "$port" > server.log 2>&1 & server=$!
trap 'kill $server' EXIT
sleep 10

# What is downloaded, feeds and files of the pages' style are no HTML.
"$python" "$here/crawl.py" http://forge.test/flask --connect "127.0.0.1:$port" -o forge.warc.gz \
    --max "${MAX:-3000}" --skip '/(archive|raw|rawfile|feed|images|css|js|fontello)/'
