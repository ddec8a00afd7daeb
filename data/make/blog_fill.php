<?php
// Sets WordPress up and fills it with what blog_texts.py printed: php blog_fill.php WORDPRESS TEXTS
$_SERVER['HTTP_HOST'] = 'blog.test';
define('WP_INSTALLING', true);
require $argv[1] . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
$texts = json_decode(file_get_contents($argv[2]), true);

// wp_install writes mails; nobody is there to read them.
function wp_mail() { return true; }
wp_install('The reading room', 'admin', 'admin@example.org', true, '', 'not a secret');
wp_delete_post(1, true);
wp_delete_post(2, true);
update_option('siteurl', 'http://blog.test');
update_option('home', 'http://blog.test');
update_option('permalink_structure', '/%year%/%monthnum%/%postname%/');
update_option('page_comments', 1);
update_option('comments_per_page', 20);
update_option('comment_registration', 0);
update_option('users_can_register', 1);
switch_theme('twentytwentyone');
$widgets = [
    'search' => [], 'recent-posts' => ['number' => 5], 'archives' => ['count' => 1],
    'categories' => ['hierarchical' => 1], 'calendar' => [], 'tag_cloud' => ['taxonomy' => 'post_tag'],
    'meta' => [],
];
foreach ($widgets as $name => $settings) {
    update_option("widget_$name", [2 => $settings + ['title' => ''], '_multiwidget' => 1]);
}
update_option('sidebars_widgets', [
    'wp_inactive_widgets' => [],
    'sidebar-1' => array_map(fn($name) => "$name-2", array_keys($widgets)),
    'array_version' => 3,
]);

$authors = [];
foreach ($texts['authors'] as $name) {
    $authors[$name] = wp_insert_user(['user_login' => $name, 'user_pass' => 'x', 'role' => 'author',
        'display_name' => ucfirst($name)]);
}
$categories = [];
foreach ($texts['categories'] as $top => $below) {
    $categories[$top] = wp_insert_category(['cat_name' => $top]);
    foreach ($below as $name) {
        $categories[$name] = wp_insert_category(['cat_name' => $name, 'category_parent' => $categories[$top]]);
    }
}

function paragraphs($texts) {
    return '<p>' . implode("</p>\n<p>", array_map('esc_html', $texts)) . '</p>';
}

$numbers = [];
foreach ($texts['posts'] as $post) {
    $content = paragraphs(array_slice($post['paragraphs'], 0, 1));
    if ($post['more']) $content .= "\n<!--more-->\n";
    $content .= paragraphs(array_slice($post['paragraphs'], 1));
    foreach ($post['links'] as $at => $earlier) {
        $link = $at % 2 ? get_permalink($numbers[$earlier]) : '/?p=' . $numbers[$earlier];
        $content .= "\n<p>Earlier: <a href=\"$link\">" . get_the_title($numbers[$earlier]) . '</a></p>';
    }
    if ($post['letter']) {
        // The newsletter's list of the last posts, whose links are counted.
        $campaign = 'letter-' . substr($post['date'], 0, 7);
        foreach (array_slice($numbers, -8) as $number) {
            $link = get_permalink($number) . "?utm_source=letter&amp;utm_medium=email&amp;utm_campaign=$campaign";
            $content .= "\n<p><a href=\"$link\">" . get_the_title($number) . '</a></p>';
        }
    }
    $id = wp_insert_post([
        'post_title' => $post['title'], 'post_content' => $content, 'post_status' => 'publish',
        'post_author' => $authors[$post['author']], 'post_date' => $post['date'],
        'post_category' => array_map(fn($name) => $categories[$name], $post['categories']),
        'tags_input' => $post['tags'], 'comment_status' => 'open',
    ]);
    $shown = '';
    foreach ($post['pictures'] as $at => $caption) {
        $picture = wp_insert_attachment([
            'post_title' => $caption, 'post_mime_type' => 'image/png', 'post_status' => 'inherit',
            'post_date' => $post['date'], 'post_author' => $authors[$post['author']],
            'guid' => "http://blog.test/wp-content/uploads/$id-$at.png",
        ], "$id-$at.png", $id);
        $shown .= '<p><a href="' . get_attachment_link($picture) . '">' . esc_html($caption) . "</a></p>\n";
    }
    if ($shown) {
        wp_update_post(['ID' => $id, 'post_content' => get_post($id)->post_content . $shown]);
    }
    $written = [];
    foreach ($post['comments'] as $comment) {
        $written[] = wp_insert_comment([
            'comment_post_ID' => $id, 'comment_author' => $comment['author'],
            'comment_content' => $comment['text'], 'comment_date' => $comment['date'],
            'comment_parent' => $comment['parent'] === null ? 0 : $written[$comment['parent']],
            'comment_approved' => 1,
        ]);
    }
    $numbers[] = $id;
}
foreach ($texts['pages'] as $page) {
    wp_insert_post(['post_type' => 'page', 'post_status' => 'publish', 'post_title' => $page['title'],
        'post_content' => paragraphs($page['paragraphs']), 'post_author' => 1]);
}
echo count($numbers), " posts\n";
