#!/bin/sh
# redmine.test: Redmine 5.0.4 (Debian 12) with SQLite under Puma, crawled twice, three weeks apart.
#
#     redmine.sh FOLDER        writes FOLDER/redmine-1.warc.gz and FOLDER/redmine-2.warc.gz
#
# Needs Debian's redmine (5.0.4-5+deb12u1), redmine-sqlite and puma, and a Python with warcio 1.7.5
# as $PYTHON. Redmine and its data base run out of FOLDER. That apt cannot configure the package
# (the bundler that comes with a later ruby3.1 looks for a folder of each gem) does not matter; with
# RUBYLIB set as below, `dpkg --configure -a` can.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
python=${PYTHON:-python3}
port=${PORT:-8008}
mkdir -p "$1" && cd "$1"
top=$PWD

# Debian's own bundler knows that gems of packages have no folder each; Ruby's does not.
bundler=$(ls -d /usr/share/rubygems-integration/all/gems/bundler-*/lib)
export RUBYLIB="$bundler" RAILS_ENV=production SECRET_KEY_BASE=fixed REDMINE_LANG=en TZ=UTC
export SCHEMA=/dev/null LC_ALL=C.UTF-8

rm -rf redmine
mkdir redmine
for part in Gemfile Rakefile app bin config.ru db extra lib public; do
    cp -rL "/usr/share/redmine/$part" redmine
done
# The settings of the package's own data base are a dead link, or not ours.
mkdir redmine/config
(cd /usr/share/redmine/config && cp -rL $(ls | grep -v database.yml) "$top/redmine/config")
cd redmine
sed -i "s|/usr/share/redmine/|$PWD/|" Gemfile
echo 'gem "puma"' > Gemfile.local
for part in config files log tmp; do mkdir -p "instances/default/$part"; done
cat > instances/default/config/database.yml <<END
production:
  adapter: sqlite3
  database: $PWD/redmine.db
END
# Most pages tell ages or start from today: the clock stands while they are crawled.
cat > config/initializers/clock.rb <<END
if ENV['NOW']
  require 'active_support/testing/time_helpers'
  Object.new.extend(ActiveSupport::Testing::TimeHelpers).travel_to(Time.parse(ENV['NOW']))
end
END

bundle exec rake db:migrate > migrate.log 2>&1
bundle exec rake redmine:load_default_data >> migrate.log 2>&1
PYTHONPATH="$here" "$python" -c '
import json, texts
articles = [(module, text) for module, name, text in texts.articles() if module == name]
print(json.dumps({"sentences": texts.Writer(1).sentences, "articles": articles}))' > texts.json
bundle exec rails runner "$here/redmine_fill.rb" fill texts.json

crawl() {
    NOW=$2 bundle exec puma -q -e production -t 1:1 -b "tcp://127.0.0.1:$port" > puma.log 2>&1 & server=$!
    trap 'kill $server' EXIT
    sleep 10
    # Feeds, exports and downloads are no HTML.
    "$python" "$here/crawl.py" http://redmine.test/ --connect "127.0.0.1:$port" -o "../$1" \
        --max "${MAX:-4000}" --skip '\.(pdf|csv|atom|xml|diff|txt|html|png)([?]|$)|/attachments/'
    kill $server
    trap - EXIT
    sleep 2
}

crawl redmine-1.warc.gz '2025-06-07 10:00'
bundle exec rails runner "$here/redmine_fill.rb" change texts.json
crawl redmine-2.warc.gz '2025-06-28 10:00'
