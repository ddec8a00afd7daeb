#!/bin/sh
# datasette.test: two data bases as pages, Datasette 0.65.2 (PyPI).
#
#     datasette.sh FOLDER        writes FOLDER/datasette.warc.gz
#
# Needs datasette 0.65.2 and warcio 1.7.5 in the Python named by $PYTHON, its programs beside it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
programs=$(dirname "$("$python" -c 'import sys; print(sys.executable)')")
port=${PORT:-8009}
mkdir -p "$1" && cd "$1"

rm -rf tables && mkdir tables
"$python" "$here/datasette_fill.py" tables
# Datasette's own foot of the page, without how long the queries took.
mkdir tables/templates
"$python" - > tables/templates/_footer.html <<'END'
import pathlib, re, datasette
foot = pathlib.Path(datasette.__file__).with_name("templates") / "_footer.html"
print(re.sub("{% if query_ms %}.*?{% endif %}", "", foot.read_text()), end="")
END
# The files are read only, and are counted once.
"$programs/datasette" serve --immutable tables/library.db --immutable tables/weather.db \
    --metadata tables/metadata.json --template-dir tables/templates \
    --host 127.0.0.1 --port "$port" > server.log 2>&1 & server=$!
trap 'kill $server' EXIT
sleep 5

# The same as JSON or CSV is no HTML.
"$python" "$here/crawl.py" http://datasette.test/ --connect "127.0.0.1:$port" -o datasette.warc.gz \
    --max "${MAX:-6000}" --skip '\.(json|csv|db)(\?|$)|/-/static|_format='
