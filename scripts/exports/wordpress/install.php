<?php
// Installs the blog, its settings and its authors.
require __DIR__ . '/start.php';
define('WP_INSTALLING', true);
require getenv('HARBOUR_WWW') . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/upgrade.php';
wp_install('Harbour Notes', 'admin', 'admin@harbour.example', true, '', 'pw');
update_option('home', 'http://harbour.example');
update_option('siteurl', 'http://harbour.example');
update_option('blogdescription', 'Small boats & slow water');
update_option('timezone_string', 'Europe/Lisbon');
update_option('permalink_structure', '/%year%/%monthnum%/%postname%/');
update_option('template', 'twentytwentythree');
update_option('stylesheet', 'twentytwentythree');
foreach ([1, 2, 3] as $id) {
    wp_delete_post($id, true);
}
wp_update_user(['ID' => 1, 'display_name' => 'Mara Quill', 'first_name' => 'Mara', 'last_name' => 'Quill', 'user_url' => 'https://quill.example/']);
wp_insert_user(['user_login' => 'tom', 'user_pass' => 'pw', 'user_email' => 'tom@harbour.example', 'display_name' => 'Tom Barrow', 'role' => 'author']);
wp_insert_user(['user_login' => 'ines.sa', 'user_pass' => 'pw', 'user_email' => 'ines@harbour.example', 'display_name' => 'Inês Sá & Co', 'role' => 'editor']);
