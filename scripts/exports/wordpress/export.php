<?php
// Writes the exports: the whole blog in one file, and its posts split by date.
require __DIR__ . '/start.php';
define('WP_ADMIN', true);
require getenv('HARBOUR_WWW') . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/admin.php';
require ABSPATH . 'wp-admin/includes/export.php';
wp_set_current_user(1);

function write_export($path, $choice) {
    ob_start();
    // It sends headers, which the command line does not have.
    @export_wp($choice);
    file_put_contents($path, ob_get_clean());
}

$folder = getenv('HARBOUR_FOLDER');
// A second call would declare the functions of the first again.
$choices = [
    ["$folder/export/harbour.xml", ['content' => 'all']],
    ["$folder/split/older.xml", ['content' => 'post', 'start_date' => '2023-01-01', 'end_date' => '2024-06-30']],
    ["$folder/split/newer.xml", ['content' => 'post', 'start_date' => '2024-06-01', 'end_date' => '2040-12-31']],
];
if (isset($argv[1])) {
    write_export(...$choices[(int) $argv[1]]);
} else {
    foreach (array_keys($choices) as $number) {
        passthru(PHP_BINARY . ' ' . escapeshellarg(__FILE__) . " $number");
    }
}
