"""A real export of WordPress, and small ones for what it does not have."""

import json
import zipfile
from pathlib import Path

import pytest

from blog_engine.content.rendering import render
from blog_engine.importing.html.conversion import convert
from blog_engine.importing.source import (
    ImageUse,
    Losses,
    LossKind,
    Omitted,
    SourceImage,
    SourcePost,
    SourceStatus,
    SourceTerm,
)
from blog_engine.importing.systems import opened_source
from blog_engine.importing.wordpress.source import open_wordpress
from tests.content.bodies import render_options
from tests.importing.wordpress.exports import (
    EXPECTED,
    EXPORT,
    HEAD,
    HERE,
    SPLIT,
    described,
    export,
    item,
    items_of,
    meta,
    post_of,
)
from tests.importing.wordpress.visible import article_words
from tests.requirements import requirement


@requirement(
    "import.wordpress.statuses",
    "import.wordpress.omitted",
    "import.wordpress.dates",
    "import.wordpress.terms",
    "import.wordpress.titles",
    "import.wordpress.fields",
    "import.wordpress.search-fields",
    "import.wordpress.urls",
    "import.wordpress.feed-ids",
    "import.wordpress.blocks",
    "import.wordpress.galleries",
    "import.wordpress.shortcodes",
    "import.wordpress.characters",
)
def test_a_real_export_has_these_items() -> None:
    items = described(open_wordpress(EXPORT, url=None, media=None))

    assert items == json.loads(EXPECTED.read_text("utf-8"))


NAMED_DIFFERENCES = {
    "15": [("Tide tableDownload Join Protected: With a password (no title) Shortcodes & brackets", "Tide table")],
    "16": [("[contact-form to=”a@b.example”] ", ""), ("high water in code", "[tide] in code")],
}
"""Words that only one of the two pages shows: a button, a form, a list of new posts, shortcodes."""
LINKS_OF_PLAYERS = (
    "http://harbour.example/wp-content/uploads/2024/03/wave.mp4",
    "http://harbour.example/wp-content/uploads/2024/03/bell.mp3",
    "https://maps.example/harbour",
)
ADDED = {"15": LINKS_OF_PLAYERS}
"""Links in place of players, which show no words."""


@requirement("import.wordpress.words")
def test_imported_posts_have_the_words_of_their_pages() -> None:
    posts = [one for one in items_of(EXPORT) if isinstance(one, SourcePost)]
    ours = {post.source_id: words_of(post) for post in posts}
    pages = json.loads((HERE / "words.json").read_text("utf-8"))

    for identifier, words in pages.items():
        for there, here in NAMED_DIFFERENCES.get(identifier, []):
            assert there in words
            words = words.replace(there, here)
        for link in ADDED.get(identifier, ()):
            assert link in ours[identifier]
            ours[identifier] = ours[identifier].replace(f"{link} ", "")
        assert ours[identifier] == words
    assert len(pages) == 14


def words_of(post: SourcePost) -> str:
    body = convert(post.body, losses=Losses(), rich_text_allowed=False)
    return article_words(render(body.body, body_format=body.body_format, options=render_options()).html)


@requirement("import.wordpress.images")
@pytest.mark.parametrize("media", [EXPORT, EXPORT / "uploads"])
@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("http://harbour.example/wp-content/uploads/2024/03/quay.jpg", "quay.jpg"),
        ("http://harbour.example/wp-content/uploads/2024/03/quay-300x162.jpg", "quay.jpg"),
        ("http://harbour.example/wp-content/uploads/2024/03/quay-9999x1.jpg", "quay.jpg"),
        ("http://harbour.example/wp-content/uploads/2024/03/Grose-Bucht-scaled.jpg", "Grose-Bucht.jpg"),
        ("/wp-content/uploads/2024/03/GROSE-bucht.JPG?x=1", "Grose-Bucht.jpg"),
        ("http://harbour.example/wp-content/uploads/2024/03/other.jpg", None),
        ("http://harbour.example/wp-content/uploads/2024/03/%00.jpg", None),
        ("http://harbour.example/wp-content/uploads/../harbour.xml", None),
        ("http://harbour.example/wp-content/uploads/..%2fharbour.xml", None),
        ("http://[harbour", None),
    ],
)
def test_the_file_of_an_image_is_its_original(media: Path, url: str, name: str | None) -> None:
    source = open_wordpress(EXPORT / "harbour.xml", url=None, media=media)

    assert source.image_file(url) == (EXPORT / "uploads/2024/03" / name if name else None)


def test_a_size_is_taken_if_the_original_is_missing(tmp_path: Path) -> None:
    folder = tmp_path / "2024"
    folder.mkdir()
    (folder / "a-300x200.jpg").write_bytes(b"x")
    (tmp_path / "secret.jpg").symlink_to("/etc/passwd")
    source = open_wordpress(export(tmp_path), url=None, media=tmp_path)

    assert source.image_file("https://old.example/wp-content/uploads/2024/a-300x200.jpg") == folder / "a-300x200.jpg"
    assert source.image_file("https://old.example/wp-content/uploads/secret.jpg") is None


@requirement("import.wordpress.files")
def test_split_exports_are_one_source(tmp_path: Path) -> None:
    (tmp_path / "feed.xml").write_text("<rss><channel/></rss>")
    for file in SPLIT.glob("*.xml"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    archive = tmp_path.parent / "split.zip"
    with zipfile.ZipFile(archive, "w") as packed:
        for file in SPLIT.glob("*.xml"):
            packed.write(file, f"backup/{file.name}")

    alone = [one for file in sorted(SPLIT.glob("*.xml")) for one in items_of(file)]

    with opened_source("wordpress", str(archive), url=None, media=None) as unpacked:
        assert described(open_wordpress(tmp_path, url=None, media=None)) == described(unpacked)
    assert len(items_of(tmp_path)) == len(alone)
    assert len([one for one in alone if isinstance(one, SourcePost)]) == 22


def test_the_blog_is_that_of_the_export_unless_another_url_is_named(tmp_path: Path) -> None:
    path = export(tmp_path, item())

    own, named = (open_wordpress(path, url=url, media=None) for url in (None, "https://new.example/blog/"))

    assert (own.system, own.blog, own.url) == ("wordpress", "old.example", "https://old.example")
    assert (named.blog, named.url) == ("new.example", "https://new.example/blog")


@requirement("import.wordpress.statuses")
@pytest.mark.parametrize(
    ("values", "status", "losses"),
    [
        ({"status": "publish"}, SourceStatus.PUBLISHED, []),
        ({"status": "future"}, SourceStatus.SCHEDULED, []),
        ({"status": "draft"}, SourceStatus.DRAFT, []),
        ({"status": "pending"}, SourceStatus.DRAFT, []),
        ({"status": "private"}, SourceStatus.DRAFT, [LossKind.WITHHELD]),
        ({"status": "publish", "post_password": "x"}, SourceStatus.DRAFT, [LossKind.WITHHELD]),
        ({"status": "future", "post_password": "x"}, SourceStatus.DRAFT, [LossKind.WITHHELD]),
        ({"status": "archived"}, SourceStatus.DRAFT, [LossKind.WITHHELD]),
    ],
)
def test_a_status_becomes_ours(
    tmp_path: Path, values: dict[str, str], status: SourceStatus, losses: list[LossKind]
) -> None:
    post = post_of(tmp_path, item(**values))

    assert post.status is status
    assert [loss.kind for loss in post.losses] == losses
    assert (post.published_at is None) is (status is SourceStatus.DRAFT)
    assert (post.feed_id is None) is (status is not SourceStatus.PUBLISHED)
    assert "starboard" not in str(post)


@requirement("import.wordpress.omitted")
@pytest.mark.parametrize(
    ("values", "what"),
    [
        ({"post_type": "page"}, "page"),
        ({"post_type": "product"}, "custom post type product"),
        ({"post_type": "nav_menu_item"}, "item of a menu"),
        ({"post_type": "page", "status": "trash"}, "page in the trash"),
        ({"status": "trash"}, "post in the trash"),
        ({"status": "auto-draft"}, "draft that was never saved"),
        ({"post_type": "attachment", "attachment_url": "https://old.example/a.pdf"}, "file that is not an image"),
    ],
)
def test_what_is_no_post_is_listed(tmp_path: Path, values: dict[str, str], what: str) -> None:
    path = export(tmp_path, item(7, **values))

    assert items_of(path) == [
        Omitted("7", "Post 7", what, "blog.xml, line 8", "https://old.example/2020/02/post-7/"),
    ]


@requirement("import.wordpress.dates")
@pytest.mark.parametrize(
    ("gmt", "local", "published", "losses"),
    [
        ("2020-02-03 03:05:06", "2020-02-03 04:05:06", "2020-02-03T03:05:06+00:00", []),
        ("0000-00-00 00:00:00", "2020-02-03 04:05:06", "2020-02-03T04:05:06+00:00", [LossKind.DATE]),
        ("", "nonsense", None, [LossKind.DATE]),
        ("1955-01-01 00:00:00", "", "1955-01-01T00:00:00+00:00", []),
        ("2020-02-30 00:00:00", "2020-13-01 00:00:00", None, [LossKind.DATE]),
    ],
)
def test_a_date_is_read_or_named(
    tmp_path: Path, gmt: str, local: str, published: str | None, losses: list[LossKind]
) -> None:
    post = post_of(tmp_path, item(post_date_gmt=gmt, post_date=local))

    assert (post.published_at.isoformat() if post.published_at else None) == published
    assert [loss.kind for loss in post.losses] == losses


@requirement("import.wordpress.terms")
def test_the_primary_category_of_a_plugin_is_the_category(tmp_path: Path) -> None:
    head = (
        "<wp:category><wp:term_id>3</wp:term_id><wp:category_nicename>b</wp:category_nicename>"
        "<wp:cat_name>B &amp;amp; B</wp:cat_name></wp:category>\n"
    )
    terms = (
        '<category domain="category" nicename="a">A</category><category domain="category" nicename="b">B &amp;amp; B'
        '</category><category domain="post_tag" nicename="a">A</category>'
        '<category domain="post_format" nicename="aside">Aside</category>'
    )

    items = items_of(export(tmp_path, head, item(inside=terms + meta("_yoast_wpseo_primary_category", "3"))))

    post = items[1]
    assert isinstance(post, SourcePost)
    assert items[0] == SourceTerm("category", "B & B", "b", url="https://old.example/category/b/")
    assert (post.category, post.tags) == ("B & B", ("A",))
    assert [loss.kind for loss in post.losses] == [LossKind.FIELD, LossKind.CATEGORY]


def test_the_oldest_version_of_exports_is_read(tmp_path: Path) -> None:
    head = HEAD.replace("export/1.2/", "export/1.0/").replace("<wp:wxr_version>1.2", "<wp:wxr_version>1.0")
    terms = (
        "<category><![CDATA[A]]></category>"
        '<category domain="category" nicename="a"><![CDATA[A]]></category>'
        '<category domain="tag" nicename="b"><![CDATA[B]]></category>'
    )

    (post,) = items_of(export(tmp_path, item(inside=terms), head=head))

    assert isinstance(post, SourcePost)
    assert (post.category, post.tags, post.losses) == ("A", ("B",), ())


@requirement("import.wordpress.authors")
def test_the_first_author_is_the_author(tmp_path: Path) -> None:
    head = (
        "<wp:author><wp:author_login>admin</wp:author_login><wp:author_display_name>Ann &amp;amp; Co"
        "</wp:author_display_name></wp:author>\n"
    )
    both = (
        '<category domain="author" nicename="cap-bo">Bo</category>'
        '<category domain="author" nicename="cap-admin">admin</category>'
    )

    one = post_of(tmp_path, head, item())
    several = post_of(tmp_path, head, item(inside=both))
    unknown = post_of(tmp_path, item())

    assert (one.author, several.author, unknown.author) == ("Ann & Co", "Bo", "admin")
    assert (one.coauthors, several.coauthors, several.losses) == ((), ("Ann & Co",), ())


@requirement("import.wordpress.titles")
@pytest.mark.parametrize(
    ("title", "content", "expected", "is_named"),
    [
        ("A &amp;amp; B", "", "A & B", False),
        ("&lt;em&gt;A&lt;/em&gt; &amp;lt;b&amp;gt;", "", "A <b>", True),
        ("", "<p>one two three four five six seven eight nine</p>", "one two three four five six seven eight", True),
        (" ", "<img src='/a.jpg'>", "Post 1", True),
    ],
)
def test_a_title_is_plain_text_and_never_empty(
    tmp_path: Path, title: str, content: str, expected: str, is_named: bool
) -> None:
    post = post_of(tmp_path, item(title=title, content=content))

    assert post.title == expected
    assert [loss.kind for loss in post.losses] == [LossKind.FIELD] * is_named


@requirement("import.wordpress.urls")
def test_every_former_url_of_a_post_is_known(tmp_path: Path) -> None:
    inside = meta("_wp_old_slug", "older") + meta("_wp_old_slug", "%c3%bcber") + meta("_wp_old_date", "2019-12-31")

    post = post_of(tmp_path, item(content="a<!--nextpage-->b", inside=inside, post_name="now"))

    assert post.url == "https://old.example/2020/02/now/"
    assert post.former_urls == (
        "https://old.example/?p=1",
        "https://old.example/2020/02/older/",
        "https://old.example/2020/02/%C3%BCber/",
        "https://old.example/2019/12/now/",
        "https://old.example/2020/02/now/2/",
    )


@requirement("import.wordpress.search-fields")
@pytest.mark.parametrize(
    ("key", "value", "field", "expected"),
    [
        ("_yoast_wpseo_title", "A title", "texts", {"search_title": "A title"}),
        ("rank_math_title", "100 % sure", "texts", {"search_title": "100 % sure"}),
        ("rank_math_title", "%title% %sep%", "texts", {}),
        ("_yoast_wpseo_metadesc", "%%excerpt%%", "texts", {}),
        ("_seopress_titles_desc", "Words", "texts", {"search_description": "Words"}),
        ("rank_math_canonical_url", "https://x.example/", "canonical_url", "https://x.example/"),
        (
            "_yoast_wpseo_opengraph-image",
            "https://x.example/a.png",
            "social_image",
            ImageUse("https://x.example/a.png"),
        ),
        ("_thumbnail_id", "12", "cover", ImageUse(source_id="12")),
        ("_thumbnail_id", "none", "cover", None),
    ],
)
def test_fields_of_plugins_are_read(tmp_path: Path, key: str, value: str, field: str, expected: object) -> None:
    post = post_of(tmp_path, item(inside=meta(key, value)))

    assert getattr(post, field) == expected
    assert [loss.kind for loss in post.losses] == [LossKind.FIELD] * ("%" in value and not expected)


@requirement("import.wordpress.fields")
def test_what_has_no_place_is_named(tmp_path: Path) -> None:
    comments = "".join(
        f"<wp:comment><wp:comment_approved>{approved}</wp:comment_approved></wp:comment>"
        for approved in ("1", "0", "spam", "trash", "1")
    )
    terms = '<category domain="genre" nicename="x">Blues</category>'

    post = post_of(tmp_path, item(inside=comments + terms + meta("mood", "calm") + meta("_hidden", "1"), is_sticky="1"))

    assert post.is_featured
    assert [(loss.kind, loss.message) for loss in post.losses] == [
        (LossKind.FIELD, "The term Blues of the taxonomy genre"),
        (LossKind.COMMENTS, "2 comments, and 1 that wait for approval"),
        (LossKind.FIELD, "Custom fields: mood"),
    ]


@pytest.mark.parametrize(
    "metadata",
    ["", "nonsense", "a:1:{s:5:", "O:8:stdClass:0:{}", "a:9999999:{}", "a:1:{i:0;" * 50, 's:9:"short";', "i:1;i:2;"],
)
def test_an_image_without_readable_metadata_has_its_url(tmp_path: Path, metadata: str) -> None:
    url = "https://old.example/wp-content/uploads/a.jpg"
    image = item(5, post_type="attachment", attachment_url=url, inside=meta("_wp_attachment_metadata", metadata))

    assert items_of(export(tmp_path, image)) == [SourceImage("5", (url,))]
