#!/bin/sh
# questions.test: questions and answers, Askbot 0.13.0 (PyPI) with Django 5.2.
#
#     questions.sh FOLDER        writes FOLDER/questions.warc.gz
#
# Needs askbot 0.13.0 with Django 5.2.19, time-machine 3.6.0, waitress 3.0.2 and warcio 1.7.5 in the
# Python named by $PYTHON, its programs beside it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# In full, since some of it runs in another folder.
python=$("${PYTHON:-python3}" -c 'import sys; print(sys.executable)')
programs=$(dirname "$python")
port=${PORT:-8009}
mkdir -p "$1" && cd "$1"
export PYTHONHASHSEED=0 TZ=UTC LC_ALL=C.UTF-8

rm -rf questions
# The key signs the way back in links to the log-in and feedback pages.
"$programs/askbot-setup" --noinput --root-directory questions --proj-name project \
    --domain-name questions.test --language-code en --admin-name ada \
    --admin-email ada@questions.test --db-engine sqlite --db-name "$PWD/questions/questions.db" \
    --email-backend django.core.mail.backends.dummy.EmailBackend \
    --append-settings 'SECRET_KEY = "a test site, its key known to all"' > questions.log
(cd questions && "$python" manage.py migrate && "$python" manage.py collectstatic --noinput) \
    >> questions.log 2>&1
"$python" "$here/questions_site.py" fill questions >> questions.log 2>&1
"$python" "$here/questions_site.py" serve questions "$port" > server.log 2>&1 & server=$!
trap 'kill $server' EXIT
sleep 8

# Feeds and the files of the pages' style are no HTML.
"$python" "$here/crawl.py" http://questions.test/ --connect "127.0.0.1:$port" -o questions.warc.gz \
    --max "${MAX:-4500}" --skip '/feeds/|/(m|upfiles)/'
