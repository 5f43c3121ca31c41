"""An export of a large WordPress blog with a shop: posts made of the blocks and shortcodes of real plugins."""

from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Final

_HEAD: Final = """<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"
 xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wfw="http://wellformedweb.org/CommentAPI/"
 xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
<wp:wxr_version>1.2</wp:wxr_version>
<wp:base_site_url>https://shop.example</wp:base_site_url>
<wp:base_blog_url>https://shop.example</wp:base_blog_url>
"""
_WORDS: Final = (
    *("harbour", "boat", "rope", "knot", "tide", "wind", "chart", "compass", "anchor", "sail", "mast", "deck", "crew"),
    *("storm", "island", "quay", "gull", "mooring", "pilot", "lantern", "ferry", "channel", "beacon", "current"),
    *("canvas", "paint", "timber", "oak", "brass", "copper", "engine", "diesel", "winter", "summer", "repair"),
)
_PARAGRAPHS: Final = 12
"""Paragraphs of a post."""
_EXTRAS: Final = (
    '<!-- wp:woocommerce/handpicked-products {"columns":3,"products":[11,12,13]} /-->',
    '<!-- wp:woocommerce/product-new {"categories":[5],"contentVisibility":{"title":true}} /-->',
    '<!-- wp:acf/note {"name":"acf/note","data":{"text":"Mind the gap between \\u003cb\\u003etwo\\u003c/b\\u003e",'
    '"_text":"field_1"},"mode":"preview"} /-->',
    '<!-- wp:yoast/faq-block {"questions":[{"id":"faq-1","question":["Why?"],"answer":["Because."]}]} -->\n'
    '<div class="schema-faq wp-block-yoast-faq-block"><div class="schema-faq-section" id="faq-1"><strong '
    'class="schema-faq-question">Why?</strong> <p class="schema-faq-answer">Because.</p> </div> </div>\n'
    "<!-- /wp:yoast/faq-block -->",
    '<!-- wp:kadence/rowlayout {"uniqueID":"1_2","columns":2} -->\n<!-- wp:kadence/column {"borderWidth":[""]} -->\n'
    '<div class="wp-block-kadence-column"><div class="kt-inside-inner-col"><!-- wp:paragraph -->\n<p>Left</p>\n'
    "<!-- /wp:paragraph --></div></div>\n<!-- /wp:kadence/column -->\n<!-- /wp:kadence/rowlayout -->",
    '<!-- wp:jetpack/markdown {"source":"**b**"} -->\n<div class="wp-block-jetpack"><p><strong>b</strong></p>\n'
    "</div>\n<!-- /wp:jetpack/markdown -->",
    '<!-- wp:generateblocks/container {"uniqueId":"a1","isDynamic":true} -->\n<!-- wp:paragraph -->\n<p>Inside</p>\n'
    "<!-- /wp:paragraph -->\n<!-- /wp:generateblocks/container -->",
    '<!-- wp:syntaxhighlighter/code {"language":"php"} -->\n<pre class="wp-block-syntaxhighlighter-code">&lt;?php\n'
    "echo 1;\n</pre>\n<!-- /wp:syntaxhighlighter/code -->",
    '<!-- wp:gallery {"linkTo":"none"} -->\n<figure class="wp-block-gallery has-nested-images is-cropped">'
    '<!-- wp:image {"id":7} -->\n<figure class="wp-block-image"><img src="https://shop.example/wp-content/uploads/a.jpg"'
    ' alt="" class="wp-image-7"/></figure>\n<!-- /wp:image --></figure>\n<!-- /wp:gallery -->',
    '<!-- wp:table -->\n<figure class="wp-table"><table><thead><tr><th>Part</th><th>Price</th></tr></thead><tbody>'
    "<tr><td>Rope</td><td>4</td></tr><tr><td>Chain</td><td>9</td></tr></tbody></table></figure>\n<!-- /wp:table -->",
    '<!-- wp:list -->\n<ul><!-- wp:list-item -->\n<li><a href="https://shop.example/2019/03/post-{other}/">link</a>'
    "</li>\n<!-- /wp:list-item --></ul>\n<!-- /wp:list -->",
    '<!-- wp:embed {"url":"https://www.youtube.com/watch?v=1","providerNameSlug":"youtube"} -->\n<figure '
    'class="wp-block-embed"><div class="wp-block-embed__wrapper">\nhttps://www.youtube.com/watch?v=1\n</div></figure>\n'
    "<!-- /wp:embed -->",
)
"""Blocks of WooCommerce, ACF, Yoast, Kadence, Jetpack, GenerateBlocks, SyntaxHighlighter and WordPress itself."""
_CLASSIC: Final = (
    '[vc_row][vc_column width="1/2"]{words}[/vc_column][vc_column width="1/2"]{words}[/vc_column][/vc_row]\n\n'
    '[products limit="4" columns="4"]\n\n[contact-form-7 id="7" title="Contact"]\n\n[gallery]\n\n'
    "[sourcecode language=\"php\"]\nif ($a < $b) {{ echo '<b>'; }}\n[/sourcecode]\n\nThe area is $latex \\pi r^2$.\n\n"
)
"""A post of the classic editor, with WPBakery, WooCommerce, Contact Form 7, SyntaxHighlighter and Jetpack."""


def write_export(path: Path, *, posts: int) -> None:
    """Write an export with so many posts, as many products and orders, and an image for each post."""
    with path.open("w", encoding="utf-8") as file:
        file.write(_HEAD)
        for number in range(1, posts + 1):
            file.writelines(_items(number, posts))
        file.write("</channel>\n</rss>\n")


def _items(number: int, posts: int) -> Iterator[str]:
    uploads = "https://shop.example/wp-content/uploads"
    yield _item(
        number * 4,
        f"Post {number}",
        "post",
        _body(number, posts),
        slug=f"post-{number}",
        meta=_META | {"_thumbnail_id": str(number * 4 + 1)},
    )
    sizes = "".join(
        f's:{len(name)}:"{name}";a:2:{{s:5:"width";i:{width};s:4:"file";s:5:"b.jpg";}}' for name, width in _SIZES
    )
    metadata = f'a:1:{{s:5:"sizes";a:{len(_SIZES)}:{{{sizes}}}}}'
    yield _item(
        number * 4 + 1, "Image", "attachment", "", slug=f"image-{number}", status="inherit",
        inside=f"<wp:attachment_url>{uploads}/i{number}.jpg</wp:attachment_url>\n",
        meta={"_wp_attachment_metadata": metadata, "_wp_attached_file": f"i{number}.jpg"},
    )  # fmt: skip
    yield _item(number * 4 + 2, f"Rope {number}", "product", _words(number, 60), slug=f"rope-{number}", meta=_PRODUCT)
    yield _item(
        number * 4 + 3, f"Order {number}", "shop_order", "", slug=f"order-{number}", status="wc-completed", meta=_ORDER
    )


_SIZES: Final = (("medium", 300), ("thumbnail", 150), ("woocommerce_single", 600))
_META: Final = {
    "_yoast_wpseo_metadesc": "What a knot is for",
    "_yoast_wpseo_title": "%%title%% %%sep%% %%sitename%%",
    "_edit_last": "1",
    "rank_math_internal_links_processed": "1",
    "reading_time": "4",
}
_PRODUCT: Final = {"_price": "4.00", "_stock": "7", "_product_attributes": "a:0:{}", "total_sales": "12"}
_ORDER: Final = {"_order_total": "4.00", "_billing_country": "GB", "_payment_method": "stripe"}


def _body(number: int, posts: int) -> str:
    paragraphs = [_words(number * 31 + part, 70) for part in range(_PARAGRAPHS)]
    other = number % posts + 1
    if number % 5 == 0:
        return _CLASSIC.format(words=paragraphs[0]) + "\n\n".join(
            f'{text} <a href="https://shop.example/?p={other * 4}">see</a> &amp; <em>more</em>' for text in paragraphs
        )
    blocks = [
        f"<!-- wp:paragraph -->\n<p>{text} <strong>bold</strong></p>\n<!-- /wp:paragraph -->" for text in paragraphs
    ]
    blocks[2:2] = [_EXTRAS[(number + step) % len(_EXTRAS)].replace("{other}", str(other)) for step in range(4)]
    return "\n\n".join(blocks)


def _words(seed: int, count: int) -> str:
    return " ".join(_WORDS[(seed * 7 + place * place) % len(_WORDS)] for place in range(count)).capitalize() + "."


def _item(
    number: int,
    title: str,
    kind: str,
    content: str,
    *,
    slug: str,
    status: str = "publish",
    inside: str = "",
    meta: dict[str, str],
) -> str:
    fields = "".join(
        f"<wp:postmeta><wp:meta_key>{key}</wp:meta_key><wp:meta_value><![CDATA[{value}]]></wp:meta_value></wp:postmeta>\n"
        for key, value in meta.items()
    )
    day = f"{2010 + number % 14}-{number % 12 + 1:02}-{number % 28 + 1:02} 08:00:00"
    terms = f'<category domain="category" nicename="c{number % 9}"><![CDATA[Category {number % 9}]]></category>\n'
    terms += "".join(
        f'<category domain="post_tag" nicename="t{n}"><![CDATA[Tag {n}]]></category>\n'
        for n in {number % 50, number % 80}
    )
    return (
        f"<item>\n<title>{escape(title)}</title>\n<link>https://shop.example/{day[:4]}/03/{slug}/</link>\n"
        f"<guid>https://shop.example/?p={number}</guid>\n<dc:creator>author{number % 6}</dc:creator>\n"
        f"<content:encoded><![CDATA[{content}]]></content:encoded>\n<excerpt:encoded><![CDATA[]]></excerpt:encoded>\n"
        f"<wp:post_id>{number}</wp:post_id>\n<wp:post_date>{day}</wp:post_date>\n<wp:post_date_gmt>{day}</wp:post_date_gmt>\n"
        f"<wp:post_name>{slug}</wp:post_name>\n<wp:status>{status}</wp:status>\n<wp:post_type>{kind}</wp:post_type>\n"
        f"<wp:is_sticky>0</wp:is_sticky>\n{inside}{terms if kind == 'post' else ''}{fields}</item>\n"
    )
