<?php
// What plugins would add to the WordPress of the export: a type of posts, a taxonomy and a shortcode.
if (!function_exists('wp_mail')) {
    function wp_mail() { return true; }
}
if (!function_exists('wp_new_blog_notification')) {
    function wp_new_blog_notification() {}
}
add_action('init', function () {
    register_post_type('chart', ['label' => 'Charts', 'public' => true, 'show_in_rest' => true, 'rewrite' => ['slug' => 'chart']]);
    register_taxonomy('tide', ['post'], ['label' => 'Tides', 'public' => true]);
});
add_shortcode('tide', function ($attributes, $content = '') {
    return '<span class="tide">' . ($content ?: 'high water') . '</span>';
});
