"""The export for WordPress: well-formed, complete, and free of what WordPress would take for its own.

It was tried with WordPress 6.1 and its importer 0.9.5, which need a database server and a file of the importer's
repository, so that no test runs them.
"""

from html import escape, unescape
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from lxml import etree
from pytest_django import Settings

from blog_engine import services
from blog_engine.exporting.targets import TargetRefused
from blog_engine.exporting.wordpress import export_for_wordpress
from blog_engine.inputs.base import parse
from blog_engine.inputs.records import SavePage
from tests.exporting.originals import HOSTILE_TITLE, LONG_NAME, MOMENT, Original
from tests.requirements import requirement
from tests.support.factories import EDITOR, NOW, make_author, make_category, save
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.xdist_group("exporting")

NAMES = {
    "wp": "http://wordpress.org/export/1.2/",
    "content": "http://purl.org/rss/1.0/modules/content/",
    "excerpt": "http://wordpress.org/export/1.2/excerpt/",
    "dc": "http://purl.org/dc/elements/1.1/",
}
_STATUSES = {"published": "publish", "scheduled": "future", "draft": "draft", "archived": "draft"}


@pytest.fixture(scope="module")
def channel(original: Original) -> Any:
    root = etree.parse(original.wordpress, etree.XMLParser(resolve_entities=False)).getroot()
    return root.find("channel")


def text(element: Any, path: str) -> str:
    return str(element.findtext(path, namespaces=NAMES))


def items(channel: Any, kind: str) -> dict[str, Any]:
    """Return the items of a type by slug."""
    found = [item for item in channel.findall("item") if text(item, "wp:post_type") == kind]
    return {text(item, "wp:post_name"): item for item in found}


@requirement("export.wordpress")
def test_every_post_is_there_with_its_state_dates_and_author(original: Original, channel: Any) -> None:
    posts = items(channel, "post")
    authors = {row["id"]: row["slug"] for row in original.rows["Author"]}

    assert {slug: (text(item, "wp:status"), text(item, "dc:creator")) for slug, item in posts.items()} == {
        row["slug"]: (_STATUSES[row["status"]], authors[row["author_id"]]) for row in original.rows["Post"]
    }
    adopted = posts["whole-ferry"]
    assert [text(adopted, f"wp:{name}") for name in ("post_date_gmt", "post_modified_gmt", "is_sticky")] == [
        *("2019-05-06 07:08:09", "2020-06-07 08:09:10"),
        "1",
    ]
    assert text(posts["regatta"], "wp:post_date_gmt") == "2026-11-22 15:00:00"
    assert (text(adopted, "guid"), text(adopted, "excerpt:encoded")) == ("https://old.example/?p=9", "Ten at night.")


@requirement("export.wordpress")
def test_categories_tags_and_authors_are_declared_and_used(original: Original, channel: Any) -> None:
    declared = {
        text(one, "wp:tag_slug"): unescape(text(one, "wp:tag_name")) for one in channel.findall("wp:tag", NAMES)
    }
    categories = {text(one, "wp:category_nicename") for one in channel.findall("wp:category", NAMES)}
    names = {unescape(text(one, "wp:author_display_name")) for one in channel.findall("wp:author", NAMES)}
    used = [
        (one.get("domain"), one.get("nicename"), one.text)
        for one in items(channel, "post")["tricky-2"].findall("category")
    ]

    assert declared == {row["slug"]: row["name"] for row in original.rows["Tag"]}
    assert categories == {row["slug"] for row in original.rows["Category"]}
    assert names == {row["name"] for row in original.rows["Author"]}
    assert used == [("post_tag", "c-plus-plus", "C++"), ("post_tag", "c-sharp", "C#")]


@requirement("export.wordpress.text")
def test_texts_are_whole_and_harmless(channel: Any) -> None:
    tricky = items(channel, "post")["tricky-2"]

    assert text(tricky, "title") == escape(HOSTILE_TITLE.replace("\x85", " "), quote=False).replace("[é]", "&#91;é]")
    content = text(tricky, "content:encoded")
    assert 'Then ]]&gt; and &#91;gallery ids="1"] and &#91;&#91;x]]' in content
    assert "<script>" not in content
    assert "AI" in content


PLAIN_TEXTS = (
    *(".//item/title", ".//excerpt:encoded", ".//item/category", ".//wp:cat_name", ".//wp:category_description"),
    *(".//wp:tag_name", ".//wp:author_display_name"),
)


@requirement("export.wordpress.plain-text")
@pytest.mark.django_db
def test_plain_text_is_escaped_where_wordpress_keeps_html(storage: object, tmp_path: Path) -> None:
    plain = "Using <b> & <script>alert(1)</script> &lt;i&gt; [gallery]"
    author = make_author(name=plain)
    make_category(name=plain, description=plain)
    page = {"kind": "corrections", "title": plain, "body": "Write to us.", "status": "published"}
    services.save_page(parse(SavePage, page), actor=EDITOR, now=NOW)
    sent = {"title": plain, "description": plain, "category": plain, "author": author.name, "tags": [plain]}
    save(publish=True, body="Brown.", **sent)

    list(export_for_wordpress(tmp_path / "blog.xml", now=MOMENT))

    channel = etree.parse(tmp_path / "blog.xml").getroot()
    found = {path: [one.text for one in channel.iterfind(path, NAMES)] for path in PLAIN_TEXTS}
    assert {path: [text for text in texts if unescape(text) == plain] for path, texts in found.items()} == found
    assert all(texts for texts in found.values())
    assert not [text for texts in found.values() for text in texts if "<" in text or "[" in text]


@requirement("export.wordpress.text")
def test_notices_corrections_and_faq_are_in_the_text(channel: Any) -> None:
    content = text(items(channel, "post")["wall"], "content:encoded")

    assert content.startswith("<p>AI helped to make this article.</p><p>A third party paid for this article.</p>")
    assert "We had &lt;written&gt; 4.13 m." in content
    assert "<h3>Which gauge is &lt;b&gt;right&lt;/b&gt;?</h3>" in content
    assert 'href="https://example.com/blog/stone"' in content


@requirement("export.wordpress.images")
def test_each_image_is_an_attachment_that_posts_refer_to(original: Original, channel: Any) -> None:
    attachments = items(channel, "attachment")
    urls = {text(item, "wp:attachment_url") for item in attachments.values()}
    covers = {
        text(one, "wp:meta_value")
        for one in channel.iterfind(".//wp:postmeta", NAMES)
        if text(one, "wp:meta_key") == "_thumbnail_id"
    }
    ids = [text(item, "wp:post_id") for item in channel.findall("item")]

    assert len(attachments) == len(original.rows["Image"])
    assert {url.removeprefix("https://example.com") for url in urls} - set(original.pages) == {
        f"/blog/media/{row['sha256']}/image.png" for row in original.rows["Image"] if row["filename"] == LONG_NAME
    }
    assert covers <= {text(item, "wp:post_id") for item in attachments.values()}
    assert covers
    assert len(set(ids)) == len(ids)
    assert len({text(item, "title") for item in attachments.values()}) == len(attachments)


@requirement("export.wordpress")
def test_policy_pages_are_pages(channel: Any) -> None:
    assert {slug: text(item, "wp:status") for slug, item in items(channel, "page").items()} == {
        "corrections": "publish",
        "ai-use": "publish",
        "editorial-policy": "draft",
    }


@requirement("export.wordpress.command")
@pytest.mark.django_db
def test_the_command_writes_one_new_xml_file(storage: object, tmp_path: Path) -> None:
    save(title="Stone", publish=True)

    call_command("export_blog", f"TARGET={tmp_path / 'blog.xml'}", "FORMAT=wordpress")

    assert [path.name for path in tmp_path.iterdir()] == ["blog.xml"]
    with pytest.raises(TargetRefused, match="exists already"):
        list(export_for_wordpress(tmp_path / "blog.xml", now=MOMENT))


@requirement("export.wordpress.command")
@pytest.mark.parametrize(
    ("name", "format"), [("blog.xml", ()), ("blog", ("FORMAT=wordpress",)), ("blog.zip", ("FORMAT=x",))]
)
def test_a_format_that_does_not_go_with_the_target_is_refused(tmp_path: Path, name: str, format: tuple[str]) -> None:
    with pytest.raises(CommandError, match="FORMAT can be wordpress"):
        call_command("export_blog", f"TARGET={tmp_path / name}", *format)

    assert list(tmp_path.iterdir()) == []


@requirement("export.wordpress.images")
def test_without_the_url_of_the_blog_nothing_is_written(settings: Settings, tmp_path: Path) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url=...)

    with pytest.raises(CommandError, match="public_base_url"):
        call_command("export_blog", f"TARGET={tmp_path / 'blog.xml'}", "FORMAT=wordpress")

    assert list(tmp_path.iterdir()) == []


@pytest.mark.django_db
def test_a_failure_leaves_no_file(storage: object, tmp_path: Path) -> None:
    save(title="Stone", publish=True)
    steps = export_for_wordpress(tmp_path / "blog.xml", now=MOMENT)
    next(steps)

    steps.close()  # type: ignore[attr-defined]  # a generator

    assert list(tmp_path.iterdir()) == []
