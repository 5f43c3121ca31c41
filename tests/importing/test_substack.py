"""Exports of Substack: ``posts.csv`` and an HTML file for each post."""

import shutil
from html import escape
from pathlib import Path
from typing import Any

import pytest

from blog_engine.importing.html.conversion import convert
from blog_engine.importing.source import (
    Item,
    Losses,
    LossKind,
    Omitted,
    SourceImage,
    SourcePost,
    SourceRefused,
    SourceStatus,
)
from blog_engine.importing.substack import open_substack
from blog_engine.models import Image, Post, Redirect
from tests.importing.old_blogs import imported
from tests.requirements import requirement
from tests.support.images import png

HEAD = "post_id,post_date,is_published,email_sent_at,inbox_sent_at,type,audience,title,subtitle,podcast_url\n"
PAGE = "https://harbour.substack.com"
NAME = "61ee8dd3-2385-44b4_2880x1620.png"
BUCKET = f"https%3A%2F%2Fsubstack-post-media.s3.amazonaws.com%2Fpublic%2Fimages%2F{NAME}"
CDN = f"https://substackcdn.com/image/fetch/$s_!qY!,w_1456,c_limit/{BUCKET}"
ORIGINAL = f"https://substack-post-media.s3.amazonaws.com/public/images/{NAME}"
PICTURE = (
    f'<div class="captioned-image-container"><figure><a class="image-link image2" href="{CDN.replace("w_1456", "x")}">'
    f'<div class="image2-inset"><picture><source type="image/webp" srcset="{CDN} 424w"><img src="{CDN}" alt="Quay">'
    '</picture><div class="image-link-expand"><button type="button"><svg><path d="M1"/></svg></button></div></div></a>'
    '<figcaption class="image-caption">At six</figcaption></figure></div>'
)
BODY = (
    f"<p>Good <strong>morning</strong></p>{PICTURE}"
    '<div class="subscription-widget-wrap"><div class="preamble"><p class="cta-caption">Sign up!</p></div>'
    '<form><input type="email"></form></div>'
    f'<p class="button-wrapper" data-component-name="ButtonCreateButton"><a class="button" href="{PAGE}/subscribe">'
    "<span>Subscribe now</span></a></p>"
    f'<p>See <a href="{PAGE}/p/second?utm=1">the second</a>'
    '<a class="footnote-anchor" id="footnote-anchor-1" href="#footnote-1" target="_self">1</a>.</p>'
    '<div class="footnote"><a id="footnote-1" href="#footnote-anchor-1" class="footnote-number">1</a>'
    '<div class="footnote-content"><p>A note</p></div></div>'
)


def export(folder: Path, *rows: str, head: str = HEAD, **files: str) -> Path:
    """Write an export; return its folder."""
    (folder / "posts").mkdir(parents=True, exist_ok=True)
    (folder / "posts.csv").write_text(head + "".join(f"{row}\n" for row in rows), "utf-8")
    (folder / "email_list.harbour.csv").write_bytes(b"\xff\xfe no table")
    for name, html in files.items():
        (folder / "posts" / f"{name.strip('_').replace('__', '.').replace('_', '-')}.html").write_text(html, "utf-8")
    return folder


def row(identifier: str, title: str = "A title", **values: str) -> str:
    kept = {"date": "2024-03-01T08:00:00.123Z", "published": "true", "type": "newsletter", "audience": "everyone"}
    kept |= {"subtitle": "", "podcast": ""} | values
    fields = ("date", "published", "", "", "type", "audience")
    return ",".join([identifier, *(kept.get(name, "") for name in fields), title, kept["subtitle"], kept["podcast"]])


def items_of(folder: Path, url: str | None = PAGE) -> list[Item]:
    return list(open_substack(folder, url=url, media=None).items())


def post_of(folder: Path, **values: Any) -> SourcePost:
    (post,) = [one for one in items_of(folder, **values) if isinstance(one, SourcePost)]
    return post


@requirement("import.substack.posts")
def test_a_post_has_its_title_date_subtitle_and_url(tmp_path: Path) -> None:
    post = post_of(export(tmp_path, row("101.first", '"One, two"', subtitle="Below"), _101__first="<p>Text</p>"))

    assert (post.source_id, post.slug, post.title, post.description) == ("101", "first", "One, two", "Below")
    assert (post.status, post.url, post.feed_id) == (SourceStatus.PUBLISHED, f"{PAGE}/p/first", f"{PAGE}/p/first")
    assert post.published_at is not None
    assert post.published_at.isoformat() == "2024-03-01T08:00:00.123000+00:00"
    assert post.losses == ()


@requirement("import.substack.withheld")
@pytest.mark.parametrize(
    ("values", "withheld"),
    [
        ({"published": "false"}, False),
        ({"published": "FALSE", "audience": "only_paid"}, False),
        ({"published": ""}, False),
        ({"audience": "only_paid"}, True),
        ({"audience": "founding"}, True),
        ({"audience": "only_free"}, True),
        ({"audience": "some_new_group"}, True),
        ({"audience": ""}, True),
    ],
)
def test_what_not_everyone_could_read_is_a_draft(tmp_path: Path, values: dict[str, str], withheld: bool) -> None:
    post = post_of(export(tmp_path, row("101.first", **values), _101__first="<p>Text</p>"))

    assert (post.status, post.url, post.published_at) == (SourceStatus.DRAFT, None, None)
    assert [loss.kind for loss in post.losses] == ([LossKind.WITHHELD] if withheld else [])


@requirement("import.substack.omitted")
def test_what_is_no_post_is_listed(tmp_path: Path) -> None:
    folder = export(
        tmp_path,
        row("1.about", type="page"),
        row("2.talk", type="thread"),
        row("3.gone"),
        row("5"),
        _1__about="<p>About</p>",
        _4__unknown="<p>?</p>",
        _5__five="<p>Found</p>",
    )

    found = items_of(folder)

    omitted = {one.source_id: (one.what, bool(one.unreadable)) for one in found if isinstance(one, Omitted)}
    assert omitted == {
        "1": ("page", False),
        "2": ("thread", False),
        "3": ("post without a file", True),
        "4.unknown": ("file that posts.csv does not name", True),
    }
    assert [one.source_id for one in found if isinstance(one, SourcePost)] == ["5"]


@requirement("import.substack.bodies", "import.substack.images")
@pytest.mark.django_db
@pytest.mark.usefixtures("own_images")
def test_an_archive_is_imported(tmp_path: Path) -> None:
    folder = export(
        tmp_path / "export",
        row("101.first", "First"),
        row("102.second", "Second"),
        row("103.talk", "Talk", type="podcast", podcast="https://cdn.example/a.mp3"),
        _101__first=BODY,
        _102__second="<p>Two</p>",
        _103__talk="<p>Notes</p>",
    )
    media = tmp_path / "media"
    media.mkdir()
    (media / NAME).write_bytes(png())
    archive = Path(shutil.make_archive(str(tmp_path / "export"), "zip", folder))

    report = imported("substack", archive, tmp_path / "r.json", f"URL={PAGE}", f"MEDIA={media}")

    image = Image.objects.get()
    first = Post.objects.get(slug="first")
    assert first.body == (
        f'Good **morning**\n\n[![Quay]({image.url} "At six")]({image.url})\n\n'
        "See [the second](/blog/second)\\[1\\].\n\n\\[1\\] A note\n"
    )
    assert "https://cdn.example/a.mp3" in Post.objects.get(slug="talk").body
    assert Redirect.objects.filter(old_path="/p/first").exists()
    losses = [(loss["kind"], loss["message"][:12]) for post in report["posts"] for loss in post["losses"]]
    assert sorted(losses) == [("block", "Footnotes ar"), ("block", "The button “"), ("file", "<audio> is a")]
    again = imported("substack", archive, tmp_path / "s.json", f"URL={PAGE}", f"MEDIA={media}")
    assert again["summary"]["unchanged"] == 3


@requirement("import.substack.posts")
@pytest.mark.parametrize("content", ["a,b\n1,2\n", 'post_id\n"1', ""])
def test_a_table_that_is_none_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(SourceRefused, match=r"posts\.csv"):
        items_of(export(tmp_path, head=content))


def test_a_folder_without_an_export_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceRefused, match=r"one posts\.csv was expected, and 0 were found"):
        open_substack(tmp_path, url=None, media=None)


@requirement("import.substack.images")
def test_the_original_of_an_image_comes_before_its_sizes(tmp_path: Path) -> None:
    found = items_of(export(tmp_path, row("1.a"), _1__a=BODY))

    (image,) = [one for one in found if isinstance(one, SourceImage)]
    assert image.urls[0] == ORIGINAL
    assert CDN in image.urls


@requirement("import.substack.bodies")
@pytest.mark.parametrize(
    ("attributes", "markdown", "kinds"),
    [
        ('{"url":"https://x.example/1","full_text":"Some words"}', "Some words\n\n<https://x.example/1>\n", ["embed"]),
        ('{"persistentExpression":"x^2 < 3"}', "$$\nx^2 < 3\n$$\n", []),
        (
            '{"gallery":{"images":[{"src":"https://x.example/a.png"},{"src":7}]}}',
            "![](https://x.example/a.png)\n",
            ["gallery"],
        ),
        ('{"id":7}', "", ["block"]),
        ("{broken", "", ["block"]),
        ('{"url":"javascript:x","title":"A \\ud800\\u0000b"}', "A b\n", ["block"]),
    ],
)
def test_what_scripts_fill_is_kept_or_named(tmp_path: Path, attributes: str, markdown: str, kinds: list[str]) -> None:
    component = f'<div class="tweet" data-attrs="{escape(attributes)}" data-component-name="Twitter2ToDOM"></div>'

    post = post_of(export(tmp_path, row("1.a"), _1__a=component))

    losses = Losses()
    assert convert(post.body, losses=losses, rich_text_allowed=False).body == markdown
    assert [loss.kind.value for loss in (*post.losses, *losses.found)] == kinds


def test_links_of_the_reader_app_and_labels_of_blocks(tmp_path: Path) -> None:
    body = '<div class="preformatted-block"><label class="hide-text">Spacing stays</label><pre>a\n b</pre></div>'
    post = post_of(export(tmp_path, row("1.a"), _1__a=body))

    assert post.link_names == ("https://open.substack.com/pub/harbour/p/a",)
    assert "Spacing" not in post.body


@pytest.mark.parametrize(
    "html", ["", "</body>one<body><p>two", "<!doctype html><html><body>one<p>two</p></body></html>"]
)
def test_any_html_is_read(tmp_path: Path, html: str) -> None:
    post = post_of(export(tmp_path, row("1.a"), _1__a=html))

    assert post.body.replace("<p>", "").replace("</p>", "").strip() == ("onetwo" if html else "")


def test_html_that_is_nested_too_deeply_is_listed(tmp_path: Path) -> None:
    (found,) = items_of(export(tmp_path, row("1.a"), _1__a="<div>" * 5_000))

    assert isinstance(found, Omitted)
    assert found.unreadable == "the HTML is nested too deeply"
