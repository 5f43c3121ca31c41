"""Exports of Medium: an HTML file for each post."""

import shutil
from pathlib import Path

import pytest

from blog_engine.importing.medium import open_medium
from blog_engine.importing.source import Item, LossKind, Omitted, SourceImage, SourcePost, SourceRefused, SourceStatus
from blog_engine.models import Image, Post, Redirect
from tests.importing.old_blogs import imported
from tests.requirements import requirement
from tests.support.images import png

ME = "https://medium.com/@ann"
ID = "abcdef123456"
IMAGE = "1*p4G7IvMJNlc8Fth-xcXMTg.png"
CDN = "https://cdn-images-1.medium.com/max"
FIRST = '<div class="section-divider"><hr class="section-divider"></div>'
TITLE = '<h3 name="1" id="1" class="graf graf--h3 graf--leading graf--title">{}</h3>'
SUBTITLE = '<h4 name="2" id="2" class="graf graf--h4 graf--subtitle">{}</h4>'


def page(
    title: str,
    inner: str,
    *,
    subtitle: str = "",
    tags: str = "",
    identifier: str = ID,
    slug: str = "a-post",
    date: bool = True,
) -> str:
    """The file of a post, as Medium writes it."""
    summary = f'<section data-field="subtitle" class="p-summary">\n{subtitle}\n</section>' if subtitle else ""
    when = '<time class="dt-published" datetime="2018-08-11T11:23:34.123Z">August 11, 2018</time>'
    footer = (
        f'<p>By <a href="{ME}" class="p-author h-card">Ann Lee</a> on <a href="https://medium.com/p/{identifier}">{when}'
        f'</a>.</p><p><a href="{ME}/{slug}-{identifier}" class="p-canonical">Canonical link</a></p>'
    )
    if not date:
        footer = f'<p><a href="https://medium.com/p/{identifier}">View original.</a></p>'
    return (
        f'<!DOCTYPE html><html><head><title>{title}</title><style>p {{}}</style></head><body><article class="h-entry">'
        f'<header>\n<h1 class="p-name">{title}</h1>\n</header>\n{summary}<section data-field="body" class="e-content">'
        f'<section name="0" class="section section--body section--first">{FIRST}<div class="section-content">'
        f'<div class="section-inner sectionLayout--insetColumn">{inner}</div></div></section></section>\n'
        f'<footer>{tags}{footer}<p>Exported from <a href="https://medium.com">Medium</a> on May 1, 2024.</p></footer>'
        "</article></body></html>"
    )


def export(folder: Path, **files: str) -> Path:
    """Write an export; names have ``__`` for a hyphen."""
    posts = folder / "posts"
    posts.mkdir(parents=True, exist_ok=True)
    (folder / "profile").mkdir(exist_ok=True)
    (folder / "profile" / "profile.html").write_text("<p>name@mail.example</p>")
    for name, html in files.items():
        (posts / f"{name.replace('__', '-').lstrip('_')}.html").write_text(html, "utf-8")
    return folder


def items_of(folder: Path, url: str | None = None) -> list[Item]:
    return list(open_medium(folder, url=url, media=None).items())


def post_of(folder: Path) -> SourcePost:
    (post,) = [one for one in items_of(folder) if isinstance(one, SourcePost)]
    return post


@requirement("import.medium.posts")
def test_a_post_has_what_its_page_shows(tmp_path: Path) -> None:
    tags = '<p class="p-tags">Tagged in <a href="x" class="p-tag">Things</a>, <a href="y" class="p-tag">Stuff</a></p>'
    inner = TITLE.format("A title") + SUBTITLE.format("Below") + '<p class="graf">Text</p>'
    post = post_of(export(tmp_path, _2018__08__11_A__post=page("A title", inner, subtitle="Below", tags=tags)))

    assert (post.source_id, post.slug, post.title, post.description) == (ID, "a-post", "A title", "Below")
    assert (post.status, post.author, post.tags) == (SourceStatus.PUBLISHED, "Ann Lee", ("Things", "Stuff"))
    assert (post.url, post.feed_id) == (f"{ME}/a-post-{ID}", f"https://medium.com/p/{ID}")
    assert post.published_at is not None
    assert post.published_at.isoformat() == "2018-08-11T11:23:34.123000+00:00"
    assert "A title" not in post.body
    assert "Below" not in post.body


@requirement("import.medium.drafts")
@pytest.mark.parametrize("name", ["draft_A__post-abcdef123456", "_2018__08__11_A__post"])
def test_drafts_stay_drafts(tmp_path: Path, name: str) -> None:
    post = post_of(export(tmp_path, **{name: page("A title", "<p>Text</p>", date=False)}))

    assert (post.status, post.url, post.published_at, post.source_id) == (SourceStatus.DRAFT, None, None, ID)


@requirement("import.medium.responses")
@pytest.mark.parametrize(
    ("title", "inner", "is_response"),
    [
        ("Thanks for this", '<p class="graf graf--p graf--leading">Thanks for this</p>', True),
        ("Thanks for this…", '<p class="graf graf--p graf--leading">Thanks for this long text</p><p>More</p>', True),
        ("Thanks", f'{TITLE.format("Thanks")}<p class="graf graf--p">Thanks for this</p>', False),
        ("A title", '<p class="graf graf--p graf--leading">Another text</p>', False),
    ],
)
def test_responses_are_listed(tmp_path: Path, title: str, inner: str, is_response: bool) -> None:
    (found,) = items_of(export(tmp_path, _2018__08__11_A=page(title, inner)))

    assert isinstance(found, Omitted) == is_response
    assert not is_response or found.what == "response to a post"  # type: ignore[union-attr]


@requirement("import.medium.bodies", "import.medium.images")
@pytest.mark.django_db
@pytest.mark.usefixtures("own_images")
def test_an_archive_is_imported(tmp_path: Path) -> None:
    figure = (
        f'<figure class="graf graf--figure graf-after--h3"><img class="graf-image" data-image-id="{IMAGE}" '
        f'data-is-featured="true" alt="Quay" src="{CDN}/800/{IMAGE}">{{}}</figure>'
    )
    one = (
        f'{TITLE.format("One")}{figure.format("")}<p class="graf graf--p">See <a href="https://medium.com/p/123456abcdef">'
        'two</a></p><h3 class="graf graf--h3">Part</h3><pre class="graf graf--pre"><code>a<br>  b</code></pre>'
        '<figure class="graf graf--iframe"><script src="https://gist.github.com/ann/1.js"></script></figure>'
        '<div><a href="https://x.example/" title="x" class="markup--mixtapeEmbed-anchor"><strong>X</strong>'
        '<br><em>Words</em>x.example</a><a href="https://x.example/" class="js-mixtapeImage"></a></div>'
    )
    two = f'{TITLE.format("Two")}<p class="graf">Text</p>{figure.format("<figcaption>At six</figcaption>")}'
    folder = export(
        tmp_path / "export",
        _2018__08__11_One=page("One", one),
        _2018__08__12_Two=page("Two", two, identifier="123456abcdef", slug="two"),
    )
    media = tmp_path / "media"
    media.mkdir()
    (media / IMAGE).write_bytes(png())
    archive = Path(shutil.make_archive(str(tmp_path / "export"), "zip", folder))

    report = imported("medium", archive, tmp_path / "r.json", f"MEDIA={media}")

    image = Image.objects.get()
    first, second = Post.objects.order_by("title")
    assert (first.cover_image, first.cover_alt) == (image, "Quay")
    assert first.body == (
        "See [two](/blog/two)\n\n## Part\n\n```\na\n  b\n```\n\n<https://gist.github.com/ann/1>\n\n"
        "[**X**](https://x.example/)\\\n[*Words* x.example](https://x.example/)\n"
    )
    assert (second.social_image, second.cover_image) == (image, None)
    assert f'![Quay]({image.url} "At six")' in second.body
    assert Redirect.objects.filter(old_path=f"/@ann/a-post-{ID}").exists()
    assert {loss["kind"] for post in report["posts"] for loss in post["losses"]} == {LossKind.EMBED.value}
    assert imported("medium", archive, tmp_path / "s.json", f"MEDIA={media}")["summary"]["unchanged"] == 2


@requirement("import.medium.images")
def test_the_original_of_an_image_comes_before_its_sizes(tmp_path: Path) -> None:
    inner = f'<p>a</p><figure><img src="{CDN}/600/{IMAGE}"></figure>'
    found = items_of(export(tmp_path, _2018__08__11_A=page("T", inner)))

    (image,) = [one for one in found if isinstance(one, SourceImage)]
    assert image.urls == (f"{CDN}/2560/{IMAGE}", f"{CDN}/600/{IMAGE}")


@requirement("import.medium.posts")
def test_other_files_are_listed_or_refused(tmp_path: Path) -> None:
    folder = export(tmp_path, _2018__08__11_A=page("T", "<p>a</p>"), odd="<p>No post</p>")
    (folder / "posts" / "broken.html").write_bytes(b"\xff\xfe\x00")

    found = {one.source_id: bool(one.unreadable) for one in items_of(folder) if isinstance(one, Omitted)}

    assert found == {"odd": False, "broken": True}
    media = tmp_path / "media"
    media.mkdir()
    with pytest.raises(SourceRefused, match="no posts of Medium"):
        open_medium(media, url=None, media=None)
