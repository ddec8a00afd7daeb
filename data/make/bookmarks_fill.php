<?php
// Sets Shaarli up and fills it with what bookmarks_texts.py printed: php bookmarks_fill.php SHAARLI TEXTS
chdir($argv[1]);
require_once 'autoload.php';
foreach (['bookmark/LinkUtils', 'config/ConfigPlugin', 'http/HttpUtils', 'http/UrlUtils', 'TimeZone', 'Utils'] as $part) {
    require_once "application/$part.php";
}
error_reporting(E_ALL ^ E_WARNING ^ E_DEPRECATED);
date_default_timezone_set('UTC');

use Shaarli\Bookmark\Bookmark;
use Shaarli\Bookmark\BookmarkArray;
use Shaarli\Bookmark\BookmarkIO;
use Shaarli\Config\ConfigManager;

$texts = json_decode(file_get_contents($argv[2]), true);

// What its own form for setting up asks for; nothing of it looks for anything on other servers.
$conf = new ConfigManager();
$conf->set('general.timezone', 'UTC');
$conf->set('general.title', 'A reading list');
$conf->set('general.header_link', '/');
$conf->set('credentials.login', 'reader');
$conf->set('credentials.salt', 'salt');
$conf->set('credentials.hash', sha1('not a secret' . 'reader' . 'salt'));
$conf->set('translation.language', 'en');
$conf->set('updates.check_updates', false);
$conf->set('thumbnails.mode', 'none');
$conf->set('general.retrieve_description', false);
$conf->set('api.enabled', false);
$conf->write(true);

$all = new BookmarkArray();
$hashes = [];
foreach ($texts['bookmarks'] as $id => $one) {
    $remark = implode("\n\n", $one['remark']);
    foreach ($one['earlier'] as [$earlier, $new]) {
        $remark .= "\n\nSee also " . $texts['site'] . ($new ? '/shaare/' : '/?') . $hashes[$earlier];
    }
    $bookmark = new Bookmark();
    $bookmark->setId($id);
    $bookmark->setCreated(new DateTime($one['created']));
    $bookmark->setShortUrl(link_small_hash($bookmark->getCreated(), $id));
    $bookmark->setTitle($one['title']);
    $bookmark->setUrl($one['url']);
    $bookmark->setDescription($remark);
    $bookmark->setTags($one['tags']);
    $bookmark->setPrivate($one['private']);
    $bookmark->setSticky($one['sticky']);
    if ($one['updated']) {
        $bookmark->setUpdated(new DateTime($one['updated']));
    }
    $bookmark->validate();
    $hashes[$id] = $bookmark->getShortUrl();
    $all[$id] = $bookmark;
}
$all->reorder();
(new BookmarkIO($conf))->write($all);
echo count($all), " bookmarks\n";
