<?php
// Fills the blog: its images and files, terms, posts of every kind and status, and comments.
require __DIR__ . '/start.php';
define('WP_ADMIN', true);
require getenv('HARBOUR_WWW') . '/wp-load.php';
require ABSPATH . 'wp-admin/includes/admin.php';
wp_set_current_user(1);
kses_remove_filters();
$wp_rewrite->set_permalink_structure('/%year%/%monthnum%/%postname%/');
$tom = get_user_by('login', 'tom')->ID;
$ines = get_user_by('login', 'ines.sa')->ID;

function upload($name, $bytes, $title, $type, $alt = '', $day = '2024/03') {
    $bits = wp_upload_bits($name, null, $bytes, $day);
    $id = wp_insert_attachment(wp_slash(['post_title' => $title, 'post_mime_type' => $type, 'post_status' => 'inherit', 'post_excerpt' => "Caption of $title"]), $bits['file'], 0, true);
    wp_update_attachment_metadata($id, wp_generate_attachment_metadata($id, $bits['file']));
    if ($alt) {
        update_post_meta($id, '_wp_attachment_image_alt', wp_slash($alt));
    }
    return $id;
}

function picture($name, $width, $height, $red, $green, $blue, $title, $alt = '') {
    $image = imagecreatetruecolor($width, $height);
    imagefill($image, 0, 0, imagecolorallocate($image, $red, $green, $blue));
    imagefilledellipse($image, intdiv($width, 2), intdiv($height, 2), intdiv($width, 3), intdiv($height, 3), imagecolorallocate($image, 240, 240, 220));
    ob_start();
    str_ends_with($name, 'png') ? imagepng($image, null, 9) : imagejpeg($image, null, 40);
    return upload($name, ob_get_clean(), $title, str_ends_with($name, 'png') ? 'image/png' : 'image/jpeg', $alt);
}

function post($fields, $status = 'publish', $meta = []) {
    $fields += ['post_type' => 'post', 'post_author' => 1, 'post_status' => 'draft'];
    $id = wp_insert_post(wp_slash($fields), true);
    if (is_wp_error($id)) {
        fwrite(STDERR, $id->get_error_message() . "\n");
        exit(1);
    }
    foreach ($meta as $key => $value) {
        add_post_meta($id, $key, wp_slash($value));
    }
    if ($status != 'draft') {
        // As the editor does: a draft first, so that its guid is ?p=ID.
        $again = ['ID' => $id, 'post_status' => $status, 'edit_date' => true];
        foreach (['post_date', 'post_name', 'post_password'] as $key) {
            if (isset($fields[$key])) {
                $again[$key] = $fields[$key];
            }
        }
        wp_update_post(wp_slash($again));
    }
    return $id;
}

$boats = wp_insert_term('Boats & Oars', 'category', ['slug' => 'boats-oars', 'description' => "What floats, and what <em>moves</em> it."])['term_id'];
$sails = wp_insert_term('Sails', 'category', ['slug' => 'sails', 'parent' => $boats])['term_id'];
$weather = wp_insert_term('Wetter für alle', 'category', ['slug' => 'wetter'])['term_id'];
foreach (['C++', 'R&D', '#knots', 'slow water', 'Größe'] as $tag) {
    wp_insert_term(wp_slash($tag), 'post_tag');
}
wp_insert_term('spring tide', 'tide');

$quay = picture('quay.jpg', 1300, 700, 40, 90, 140, 'quay', 'The quay at low water');
$large = picture('Große-Bucht.jpg', 2600, 1300, 90, 130, 60, 'Große Bucht', 'A bay <with> "quotes" & more');
$small = picture('knot.png', 200, 120, 160, 80, 40, 'knot');
$sail = picture('sail.png', 400, 300, 180, 180, 200, 'sail', 'A white sail');
$pdf = upload('tides 2024.pdf', "%PDF-1.4\n%%EOF\n", 'Tide table', 'application/pdf');
$mp3 = upload('bell.mp3', 'ID3' . str_repeat("\0", 32), 'Bell', 'audio/mpeg');
$url = fn($id, $size = 'full') => wp_get_attachment_image_url($id, $size);

post([
    'post_title' => 'Rowing before breakfast',
    'post_date' => '2023-03-04 06:30:00',
    'post_excerpt' => 'Why the <b>first hour</b> is the best one &amp; the coldest.',
    'post_category' => [$boats],
    'tags_input' => ['C++', 'R&D', '#knots', 'slow water'],
    'post_content' => "The harbour is quiet at six.\nOnly the gulls are up.\n\nI row <strong>out</strong> to the buoy and <em>back</em>, past the <a href=\"http://harbour.example/2023/04/knots-i-use/\">knots</a> on the wall.\n\n<!--more-->\n\n<h2>What I take</h2>\n<ul>\n<li>A flask</li>\n<li>Two oars\n<ol>\n<li>the long one</li>\n<li>the short one</li>\n</ol>\n</li>\n</ul>\n\n[caption id=\"attachment_$quay\" align=\"alignleft\" width=\"300\"]<a href=\"{$url($quay)}\"><img class=\"size-medium wp-image-$quay\" title=\"quay\" src=\"{$url($quay, 'medium')}\" alt=\"The quay at low water\" width=\"300\" height=\"162\" /></a> The quay, <em>early</em>[/caption]\n\n<blockquote>Slow is smooth.</blockquote>\n\nLast line &mdash; with an entity, 5 * 3 = 15, snake_case_name and a \\backslash.",
], 'publish', ['mood' => 'calm']);

$knots = post([
    'post_title' => 'Knots I use',
    'post_date' => '2023-04-10 18:00:00',
    'post_category' => [$boats, $sails],
    'post_author' => $tom,
    'post_content' => "Three knots are enough.\n\n<pre>over\n  under &lt;twice&gt;\nthrough</pre>\n\n<pre><code class=\"language-python\">def tie(rope):\n    return rope * 2\n</code></pre>\n\nThe code <code>tie(`rope`)</code> is short.\n\n<table>\n<tr><th>Knot</th><th>Holds | slips</th></tr>\n<tr><td>Bowline</td><td>holds</td></tr>\n<tr><td>Sheet bend</td><td>holds<br />mostly</td></tr>\n</table>\n\n<dl>\n<dt>Bight</dt>\n<dd>A loop in a rope.</dd>\n</dl>\n\nH<sub>2</sub>O and x<sup>2</sup>, <del>gone</del> and <u>underlined</u>.",
]);

post([
    'post_title' => 'Blocks of every day',
    'post_date' => '2024-03-02 09:15:30',
    'post_category' => [$sails, $boats, $weather],
    'tags_input' => ['slow water', 'Größe'],
    'post_content' => <<<HTML
<!-- wp:paragraph -->
<p>A first paragraph with <strong>bold</strong>, <em>italic</em> and <a href="https://outside.example/a_(b)?x=1&amp;y=2">a link</a>.</p>
<!-- /wp:paragraph -->

<!-- wp:heading -->
<h2 class="wp-block-heading" id="gear">Gear</h2>
<!-- /wp:heading -->

<!-- wp:list -->
<ul><!-- wp:list-item -->
<li>Rope<!-- wp:list -->
<ul><!-- wp:list-item -->
<li>thin</li>
<!-- /wp:list-item -->

<!-- wp:list-item -->
<li>thick</li>
<!-- /wp:list-item --></ul>
<!-- /wp:list --></li>
<!-- /wp:list-item -->

<!-- wp:list-item -->
<li>Tar</li>
<!-- /wp:list-item --></ul>
<!-- /wp:list -->

<!-- wp:list {"ordered":true,"start":4} -->
<ol start="4"><!-- wp:list-item -->
<li>Fourth</li>
<!-- /wp:list-item --></ol>
<!-- /wp:list -->

<!-- wp:quote -->
<blockquote class="wp-block-quote"><!-- wp:paragraph -->
<p>Water waits.</p>
<!-- /wp:paragraph --><cite>An old sailor</cite></blockquote>
<!-- /wp:quote -->

<!-- wp:code -->
<pre class="wp-block-code"><code>if (tide &lt; 2) { wait(); }</code></pre>
<!-- /wp:code -->

<!-- wp:preformatted -->
<pre class="wp-block-preformatted">one   two<br>three</pre>
<!-- /wp:preformatted -->

<!-- wp:verse -->
<pre class="wp-block-verse">Grey water,
  grey stone.</pre>
<!-- /wp:verse -->

<!-- wp:separator -->
<hr class="wp-block-separator has-alpha-channel-opacity"/>
<!-- /wp:separator -->

<!-- wp:table -->
<figure class="wp-block-table"><table><thead><tr><th>Day</th><th class="has-text-align-right" data-align="right">Metres</th></tr></thead><tbody><tr><td>Monday</td><td class="has-text-align-right" data-align="right">3.1</td></tr><tr><td>Tuesday</td><td class="has-text-align-right" data-align="right">2.9</td></tr></tbody></table><figcaption class="wp-element-caption">High water</figcaption></figure>
<!-- /wp:table -->

<!-- wp:columns -->
<div class="wp-block-columns"><!-- wp:column -->
<div class="wp-block-column"><!-- wp:paragraph -->
<p>Left column</p>
<!-- /wp:paragraph --></div>
<!-- /wp:column -->

<!-- wp:column -->
<div class="wp-block-column"><!-- wp:paragraph {"align":"center"} -->
<p class="has-text-align-center">Right column</p>
<!-- /wp:paragraph --></div>
<!-- /wp:column --></div>
<!-- /wp:columns -->

<!-- wp:buttons -->
<div class="wp-block-buttons"><!-- wp:button -->
<div class="wp-block-button"><a class="wp-block-button__link wp-element-button" href="http://harbour.example/2023/04/knots-i-use/">Learn knots</a></div>
<!-- /wp:button --></div>
<!-- /wp:buttons -->

<!-- wp:spacer {"height":"20px"} -->
<div style="height:20px" aria-hidden="true" class="wp-block-spacer"></div>
<!-- /wp:spacer -->

<!-- wp:pullquote -->
<figure class="wp-block-pullquote"><blockquote><p>Tie it twice.</p><cite>Tom</cite></blockquote></figure>
<!-- /wp:pullquote -->

<!-- wp:paragraph -->
<p>The end, with a <mark style="background-color:#ff0" class="has-inline-color">marked</mark> word.</p>
<!-- /wp:paragraph -->
HTML,
]);

$pictures = post([
    'post_title' => 'Pictures of the bay',
    'post_date' => '2024-03-20 12:00:00',
    'post_category' => [$weather],
    'post_author' => $ines,
    'post_content' => <<<HTML
<!-- wp:image {"id":$large,"sizeSlug":"large","linkDestination":"none"} -->
<figure class="wp-block-image size-large"><img src="{$url($large, 'large')}" alt="A bay" class="wp-image-$large"/><figcaption class="wp-element-caption">The bay in June</figcaption></figure>
<!-- /wp:image -->

<!-- wp:gallery {"linkTo":"none"} -->
<figure class="wp-block-gallery has-nested-images columns-default is-cropped"><!-- wp:image {"id":$quay,"sizeSlug":"large","linkDestination":"none"} -->
<figure class="wp-block-image size-large"><img src="{$url($quay, 'large')}" alt="Quay" class="wp-image-$quay"/></figure>
<!-- /wp:image -->

<!-- wp:image {"id":$sail,"sizeSlug":"large","linkDestination":"none"} -->
<figure class="wp-block-image size-large"><img src="{$url($sail)}" alt="Sail" class="wp-image-$sail"/><figcaption class="wp-element-caption">White, <a href="https://outside.example/">mended</a></figcaption></figure>
<!-- /wp:image --><figcaption class="blocks-gallery-caption wp-element-caption">Two views</figcaption></figure>
<!-- /wp:gallery -->

<!-- wp:media-text {"mediaId":$small,"mediaType":"image"} -->
<div class="wp-block-media-text alignwide is-stacked-on-mobile"><figure class="wp-block-media-text__media"><img src="{$url($small)}" alt="" class="wp-image-$small size-full"/></figure><div class="wp-block-media-text__content"><!-- wp:paragraph -->
<p>Beside the knot</p>
<!-- /wp:paragraph --></div></div>
<!-- /wp:media-text -->

<!-- wp:cover {"url":"{$url($quay)}","id":$quay} -->
<div class="wp-block-cover"><span aria-hidden="true" class="wp-block-cover__background has-background-dim"></span><img class="wp-block-cover__image-background wp-image-$quay" alt="" src="{$url($quay)}" data-object-fit="cover"/><div class="wp-block-cover__inner-container"><!-- wp:paragraph -->
<p>Text on a picture</p>
<!-- /wp:paragraph --></div></div>
<!-- /wp:cover -->

<!-- wp:shortcode -->
[gallery ids="$quay,$small"]
<!-- /wp:shortcode -->
HTML,
]);
set_post_thumbnail($pictures, $sail);

$signature = post(['post_title' => 'Signature', 'post_type' => 'wp_block', 'post_content' => "<!-- wp:paragraph -->\n<p>Fair winds from the <strong>whole crew</strong>.</p>\n<!-- /wp:paragraph -->"], 'publish');

post([
    'post_title' => 'Sounds, films and files',
    'post_date' => '2024-05-01 08:00:00',
    'post_category' => [$weather],
    'post_content' => <<<HTML
<!-- wp:embed {"url":"https://www.youtube.com/watch?v=abc123","type":"video","providerNameSlug":"youtube","responsive":true} -->
<figure class="wp-block-embed is-type-video is-provider-youtube wp-block-embed-youtube"><div class="wp-block-embed__wrapper">
https://www.youtube.com/watch?v=abc123
</div><figcaption class="wp-element-caption">A film of the tide</figcaption></figure>
<!-- /wp:embed -->

<!-- wp:audio {"id":$mp3} -->
<figure class="wp-block-audio"><audio controls src="http://harbour.example/wp-content/uploads/2024/03/bell.mp3"></audio></figure>
<!-- /wp:audio -->

<!-- wp:video -->
<figure class="wp-block-video"><video controls src="http://harbour.example/wp-content/uploads/2024/03/wave.mp4"></video><figcaption>A wave</figcaption></figure>
<!-- /wp:video -->

<!-- wp:file {"id":$pdf,"href":"http://harbour.example/wp-content/uploads/2024/03/tides-2024.pdf"} -->
<div class="wp-block-file"><a href="http://harbour.example/wp-content/uploads/2024/03/tides-2024.pdf">Tide table</a><a href="http://harbour.example/wp-content/uploads/2024/03/tides-2024.pdf" class="wp-block-file__button wp-element-button" download>Download</a></div>
<!-- /wp:file -->

<!-- wp:html -->
<iframe src="https://maps.example/harbour" width="300" height="200"></iframe>
<form action="https://lists.example/join"><input name="mail"><button>Join</button></form>
<script>alert("hello")</script>
<style>.x { color: red }</style>
<!-- /wp:html -->

<!-- wp:latest-posts {"postsToShow":3} /-->

<!-- wp:block {"ref":$signature} /-->

<!-- wp:block {"ref":99999} /-->

<!-- wp:crew/weather-now {"place":"Porto"} -->
<div class="weather">Wind from the west</div>
<!-- /wp:crew/weather-now -->

<!-- wp:paragraph -->
<p>After everything.</p>
<!-- /wp:paragraph -->
HTML,
]);

post([
    'post_title' => 'Shortcodes & brackets',
    'post_date' => '2024-05-05 08:00:00',
    'post_category' => [$boats],
    'post_content' => "Before [tide level=\"3\"]spring tide[/tide] after.\n\n[contact-form to=\"a@b.example\"]\n\nWrite [[tide]] to show the tide, and keep [this note] and a[0].\n\nhttps://www.youtube.com/watch?v=xyz789\n\n[embed width=\"300\"]https://vimeo.com/1234[/embed]\n\n[audio mp3=\"http://harbour.example/wp-content/uploads/2024/03/bell.mp3\"][/audio]\n\n<code>[tide]</code> in code stays.",
]);

post(['post_title' => '', 'post_date' => '2024-05-06 10:00:00', 'post_content' => 'A note without a title, only some words about fog and how it lifts by noon.'], 'publish');
post(['post_title' => 'Unfinished boat', 'post_content' => "<!-- wp:paragraph -->\n<p>Half a hull.</p>\n<!-- /wp:paragraph -->"], 'draft');
post(['post_title' => 'Waiting for Inês', 'post_author' => $tom, 'post_date' => '2024-06-01 10:00:00', 'post_content' => 'Please read this.'], 'pending');
post(['post_title' => 'Only for the crew', 'post_date' => '2024-06-02 10:00:00', 'post_content' => 'The key is under the mat.'], 'private');
post(['post_title' => 'With a password', 'post_date' => '2024-06-03 10:00:00', 'post_password' => 'starboard', 'post_content' => 'A secret bay.'], 'publish');
post(['post_title' => 'Regatta of 2039', 'post_date' => '2039-07-01 10:00:00', 'post_content' => 'It will be windy.', 'post_category' => [$sails]], 'future');
$trash = post(['post_title' => 'Thrown overboard', 'post_date' => '2024-06-04 10:00:00', 'post_content' => 'Sunk.'], 'publish');
wp_trash_post($trash);

$sticky = post(['post_title' => 'Start here', 'post_date' => '2023-01-01 00:30:00', 'post_category' => [$boats], 'post_content' => "Welcome. See <a href=\"/2024/03/pictures-of-the-bay/#more\">the bay</a>, <a href=\"http://www.harbour.example/?p=$knots\">knots</a>, <a href=\"http://harbour.example/about/\">about us</a> and <a href=\"{$url($large)}\">a large picture</a>.\n\n<!--nextpage-->\n\nSecond page of the welcome."], 'publish');
stick_post($sticky);

$renamed = post(['post_title' => 'The old pier', 'post_date' => '2023-09-09 09:09:09', 'post_name' => 'peir', 'post_content' => 'A pier with two names.', 'post_category' => [$weather]], 'publish');
wp_update_post(['ID' => $renamed, 'post_name' => 'the-old-pier']);

post(['post_title' => 'Über Möwen 鷗', 'post_date' => '2023-10-01 20:00:00', 'post_content' => 'Möwen sind laut. 鷗も。', 'post_category' => [$weather]], 'publish');

$talk = post(['post_title' => 'Talk of the town', 'post_date' => '2023-11-11 11:11:11', 'post_content' => "What do you say?\n\n" . 'Never write ]]> in XML.', 'post_category' => [$boats], 'comment_status' => 'open'], 'publish');
foreach ([['Ann', 'Nice boat.', 1], ['Bob', 'Which one?', 1], ['Spam', 'Buy rope', 'spam'], ['Cleo', 'Held back', 0]] as [$name, $text, $approved]) {
    wp_insert_comment(['comment_post_ID' => $talk, 'comment_author' => $name, 'comment_author_email' => strtolower($name) . '@mail.example', 'comment_content' => $text, 'comment_approved' => $approved, 'comment_date' => '2023-11-12 10:00:00']);
}

post(['post_title' => 'Found by searchers', 'post_date' => '2023-12-01 12:00:00', 'post_content' => 'Plain words.', 'post_category' => [$boats]], 'publish', [
    '_yoast_wpseo_title' => 'Harbour words for searchers',
    '_yoast_wpseo_metadesc' => 'A short text for the list of results.',
    '_yoast_wpseo_canonical' => 'https://elsewhere.example/words/',
]);
post(['post_title' => 'Found by patterns', 'post_date' => '2023-12-02 12:00:00', 'post_content' => 'More plain words.', 'post_category' => [$boats]], 'publish', [
    '_yoast_wpseo_title' => '%%title%% %%sep%% %%sitename%%',
    'rank_math_description' => 'Described by the other plugin.',
    'rank_math_title' => '%title% on water',
]);
$strange = post(['post_title' => 'Control and <em>emphasis</em> 🐟', 'post_date' => '2024-01-15 15:00:00', 'post_content' => "A vertical tab:\x0b and a backspace:\x08 here. 😀\r\n\r\nA line by Windows.", 'post_category' => [$boats]], 'publish');

post(['post_title' => 'About', 'post_type' => 'page', 'post_date' => '2023-01-01 10:00:00', 'post_content' => 'We are three.'], 'publish');
post(['post_title' => 'North bay', 'post_type' => 'chart', 'post_date' => '2023-02-01 10:00:00', 'post_content' => 'Depth: 4 m.'], 'publish');
$menu = wp_create_nav_menu('Main');
wp_update_nav_menu_item($menu, 0, ['menu-item-title' => 'Home', 'menu-item-url' => 'http://harbour.example/', 'menu-item-status' => 'publish']);
