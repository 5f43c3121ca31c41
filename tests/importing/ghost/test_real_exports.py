"""Exports of real Ghosts, made by ``scripts/exports/ghost/make``."""

import json
from pathlib import Path

import pytest

from blog_engine.content.html import text_of, walk
from blog_engine.content.rendering import sanitized
from blog_engine.importing.ghost.source import open_ghost
from blog_engine.importing.heading_ids import FormerIds
from blog_engine.importing.html.conversion import convert
from blog_engine.importing.source import (
    ImageUse,
    Losses,
    LossKind,
    Omitted,
    SourcePost,
    SourceRefused,
    SourceStatus,
    SourceTerm,
)
from tests.content.bodies import render_options
from tests.importing.ghost.exports import VERSIONS, folder_of, items_in, posts_in, saved, url_of
from tests.requirements import requirement

each_version = pytest.mark.parametrize("version", VERSIONS)

PUBLISHED = SourceStatus.PUBLISHED
DRAFT = SourceStatus.DRAFT
CARDS = [
    (LossKind.BLOCK, "A card that only the newsletter shows is left out.", None),
    (LossKind.BLOCK, "A bookmark: its link and texts are a quotation, its pictures are left out.", 1),
    (LossKind.EMBED, "An embed: a link to it remains.", 1),
    (LossKind.EMBED, "An embed: a link to it remains.", 1),
    (LossKind.BLOCK, "A callout: now a quotation.", 1),
    (LossKind.BLOCK, "A button: now a link.", 11),
    (LossKind.BLOCK, "A product card: its texts, image and link remain.", 11),
    (LossKind.FILE, "A file: the link to the old blog remains.", 32),
    (LossKind.FILE, "An audio player: a link to the file at the old blog remains.", 32),
    (LossKind.FILE, "A video player: a link to the file at the old blog remains.", 32),
    (LossKind.BLOCK, "A header card: its texts and link remain.", 76),
    (LossKind.BLOCK, "A form to sign up: its texts remain, the form does not.", 86),
]
OTHER_FIELDS = ("og_title", "og_description", "twitter_title", "codeinjection_head", "codeinjection_foot")
EVERYTHING = [
    (LossKind.FIELD, "The internal tag #secret is left out.", None),
    *((LossKind.FIELD, f"The field {name} has no place here.", None) for name in OTHER_FIELDS),
]
CAPTION = (LossKind.FIELD, "The field feature_image_caption has no place here.", None)
GALLERY = (LossKind.GALLERY, "A gallery: its images follow each other.", 1)
GATED = (LossKind.BLOCK, "A card that only members see is left out.", 32)
EXPECTED = {
    "every-text": (PUBLISHED, []),
    "pictures": (PUBLISHED, [CAPTION, GALLERY]),
    "cards": (PUBLISHED, CARDS),
    "own-html": (PUBLISHED, [GATED]),
    "everything-else": (PUBLISHED, EVERYTHING),
    "for-members": (DRAFT, [(LossKind.WITHHELD, "Only members could read it: now a draft.", None)]),
    "for-payers": (DRAFT, [(LossKind.WITHHELD, "Only paying members could read it: now a draft.", None)]),
    "by-mail": (DRAFT, [(LossKind.WITHHELD, "It was sent as a newsletter only: now a draft.", None)]),
    "next-century": (SourceStatus.SCHEDULED, []),
    "unfinished": (DRAFT, []),
    "empty": (PUBLISHED, []),
    "uberfahrt-bei-jing": (PUBLISHED, []),
    "from-html": (PUBLISHED, []),
    "a-preview": (PUBLISHED, []),
}
OF_VERSION = {
    "5": {"old-editor": (PUBLISHED, [])},
    "6": {"call": (PUBLISHED, [(LossKind.BLOCK, "A call to action: its texts, image and link remain.", 1)])},
}
CARD_LABELS = [("90Bytes", ""), ("0:00/10:00/0:03", "row.mp4")]
"""The labels of the file and of the players, which only Ghost's page shows, and the name that the video has here."""
STARS, FILM = "★★★★☆", "Boatfilm"
"""What only our page has as text: Ghost drew stars, and the film had its title inside the frame."""


@requirement("import.ghost.status", "import.ghost.cards", "import.ghost.gated")
@each_version
def test_every_post_comes_with_its_status_and_losses(version: str) -> None:
    found = {
        slug: (post.status, [(loss.kind, loss.message, loss.line) for loss in post.losses])
        for slug, post in posts_in(version).items()
    }

    assert found == EXPECTED | OF_VERSION[version]


@requirement("import.ghost.pages", "import.ghost.terms")
@each_version
def test_pages_are_omitted_and_terms_described(version: str) -> None:
    site = url_of(version)
    others = [item for item in items_in(version) if not isinstance(item, SourcePost)]

    assert [(item.title, item.what, item.url) for item in others if isinstance(item, Omitted)] == [
        ("About boats", "page", f"{site}/about-boats/"),
    ]
    assert sorted((item for item in others if isinstance(item, SourceTerm)), key=lambda item: item.name) == [
        SourceTerm("category", "Boats & Oars", "boats-oars", "", f"{site}/tag/boats-oars/"),
        SourceTerm("tag", "C++", "c", "", f"{site}/tag/c/"),
        SourceTerm("tag", "Lakes", "lakes", "", f"{site}/tag/lakes/"),
        SourceTerm("author", "Olga Owner", "olga", "", None),
        SourceTerm("category", "Reisen", "reisen", "", f"{site}/tag/reisen/"),
        SourceTerm("author", "Rita Rower", "rita", "Rows before breakfast.", "https://rita.example/"),
    ]


@requirement("import.ghost.fields", "import.ghost.dates")
@each_version
def test_the_fields_of_a_post_come_along(version: str) -> None:
    site = url_of(version)
    post = posts_in(version)["everything-else"]

    found = {name: getattr(post, name) for name in SourcePost.__slots__}

    assert post.published_at is not None
    assert found | {"link_names": (), "losses": (), "modified_at": None} == {
        "former_ids": FormerIds(),
        "source_id": post.source_id,
        "title": "Everything else",
        "body": f'<p>See <a href="{site}/every-text/">every text</a>.</p>',
        "body_format": "html",
        "status": PUBLISHED,
        "where": f"blog.ghost.json: post {post.source_id}",
        "slug": "everything-else",
        "url": f"{site}/everything-else/",
        "url_guess": "",
        "language": None,
        "translation_key": None,
        "former_urls": (),
        "link_names": (),
        "published_at": post.published_at.fromisoformat("2021-03-04T05:06:07+00:00"),
        "modified_at": None,
        "published_evidence": "Ghost export blog.ghost.json: posts.published_at",
        "modified_evidence": "Ghost export blog.ghost.json: posts.updated_at",
        "author": "Rita Rower",
        "coauthors": ("Olga Owner",),
        "expires_at": None,
        "is_unlisted": False,
        "category": "Boats & Oars",
        "tags": ("C++", "Lakes"),
        "series": None,
        "series_position": None,
        "description": "What the other fields hold.",
        "texts": {
            "search_title": "Everything for engines",
            "search_description": "A description for engines.",
        },
        "is_featured": True,
        "canonical_url": "https://canonical.example/everything",
        "cover": None,
        "social_image": ImageUse(url=f"{site}/content/images/2026/11/lake.png"),
        "feed_id": post.source_id,
        "base": f"{site}/everything-else/",
        "losses": (),
    }


@requirement("import.ghost.feed-id")
@each_version
def test_posts_keep_the_ids_that_the_feed_showed(version: str) -> None:
    # Ghost's feed has the newest fifteen, also posts that only members can read: these are drafts here.
    ids = saved("feed", version)
    posts = {f"{url_of(version)}/{slug}/": post for slug, post in posts_in(version).items()}
    public = {url: post for url, post in posts.items() if post.status is PUBLISHED}

    assert {url: posts[url].source_id for url in ids} == ids
    assert {url: post.feed_id for url, post in public.items() if url in ids} == {
        url: ids[url] for url in public if url in ids
    }
    assert {post.feed_id for url, post in posts.items() if url not in public} == {None}


@requirement("import.ghost.words")
@each_version
def test_a_post_shows_the_words_of_the_page_of_ghost(version: str) -> None:
    posts = posts_in(version)
    shown = {slug: words for slug, words in saved("words", version).items() if posts[slug].status is PUBLISHED}

    differing = {
        slug: (expected, ours)
        for slug, words in shown.items()
        if (expected := as_shown_here(slug, words)) != (ours := words_of(posts[slug]))
    }

    assert len(shown) == 10
    assert differing == {}


def as_shown_here(slug: str, words: str) -> str:
    text = "".join(words.split())
    if slug == "cards":
        for theirs, ours in CARD_LABELS:
            text = text.replace(theirs, ours, 1)
        text = text.replace("Afilm", f"{FILM}Afilm", 1).replace("OarMade", f"Oar{STARS}Made", 1)
    return text


def words_of(post: SourcePost) -> str:
    """Return the text of a post after its conversion, captions of images included, without spaces."""
    converted = convert(post.body, losses=Losses(), rich_text_allowed=False)
    tree = sanitized(converted.body, body_format=converted.body_format, options=render_options(images={}))
    for element in walk(tree):
        if element.name == "img" and element.attrs.get("title"):
            element.children.append(element.attrs["title"])
    return "".join(text_of(tree).split())


@requirement("import.ghost.html")
@each_version
def test_a_post_without_html_is_read_from_its_editor(version: str, tmp_path: Path) -> None:
    export = json.loads((folder_of(version) / "blog.ghost.json").read_text("utf-8"))
    for row in export["db"][0]["data"]["posts"]:
        row["html"] = None
    path = tmp_path / "blog.ghost.json"
    path.write_text(json.dumps(export), "utf-8")
    rendered = posts_in(version)

    items = open_ghost(path, url=url_of(version), media=None).items()
    found = {item.slug: item for item in items if isinstance(item, SourcePost)}

    # A card with a visibility of its own is the same to everyone here, and players have other names.
    special = {"own-html", "cards", "pictures"}
    assert {slug: words_of(post) for slug, post in found.items() if slug not in special} == {
        slug: words_of(post) for slug, post in rendered.items() if slug not in special
    }
    # What the newsletter alone shows is named at its place.
    assert sorted(loss.message for loss in found["cards"].losses) == sorted(message for _, message, _ in CARDS)
    assert "A film" in found["cards"].body


@requirement("import.ghost.images")
@each_version
def test_the_uploaded_file_is_found_for_any_size(version: str) -> None:
    source = open_ghost(folder_of(version), url=url_of(version), media=None)
    cover = posts_in(version)["pictures"].cover
    assert cover is not None and cover.url is not None and cover.alt == "A red square"
    rest = cover.url.partition("/content/images/")[2]

    for url in (cover.url, f"/content/images/size/w600/{rest}", f"/content/images/size/w1000/format/webp/{rest}"):
        file = source.image_file(url)
        assert file is not None
        assert file.name == "cover-one_o.png"


@pytest.mark.parametrize(
    "url", ["/content/images/../../../etc/passwd", "/content/images/%2e%2e/blog.ghost.json", "/x.png"]
)
@requirement("import.ghost.images")
def test_no_image_is_outside_of_the_copy(url: str) -> None:
    assert open_ghost(folder_of("6"), url=None, media=None).image_file(url) is None


@requirement("import.ghost.secrets")
@each_version
def test_no_hash_key_or_mail_is_read(version: str) -> None:
    text = (folder_of(version) / "blog.ghost.json").read_text("utf-8")
    shown = "".join(repr(item) for item in items_in(version))

    for secret in ("$2", "@example.test", "public_hash"):
        assert secret in text
        assert secret not in shown


@requirement("import.ghost.whole")
@each_version
def test_a_truncated_export_is_refused(version: str, tmp_path: Path) -> None:
    content = (folder_of(version) / "blog.ghost.json").read_bytes()
    path = tmp_path / "blog.ghost.json"

    accepted = []
    for length in range(0, len(content) - 1, 1000):
        path.write_bytes(content[:length])
        try:
            list(open_ghost(path, url=None, media=None).items())
        except SourceRefused as refusal:
            assert str(refusal).startswith("blog.ghost.json")
        else:
            accepted.append(length)

    assert len(content) > 80_000
    assert accepted == []


def test_cards_become_plain_blocks() -> None:
    site = url_of("6")
    body = posts_in("6")["cards"].body

    assert body.startswith(
        '<blockquote><p><a href="https://example.org/boats">Boats &amp; more</a></p><p>All about boats.</p>'
        "<p>Example</p><p>B. Boat</p><p>Worth a visit</p></blockquote>"
        '<p><a href="https://www.youtube.com/watch?v=aqz-KE-bpKQ">Boat film</a></p><p>A film</p>'
        "<blockquote><p>Rowing today.</p>— Olga"
    )
    assert "<blockquote><p>⚓</p><p>Wear a <b>vest</b>.</p></blockquote>" in body
    assert "<details><summary>More?</summary><p>Yes, <i>more</i>.</p></details>" in body
    assert f'<h4>Oar</h4><p>{STARS}</p><p>Made of ash.</p><p><a href="https://example.org/oar">Order</a></p>' in body
    assert f'/bell.wav">A bell</a></p><p><a href="{site}/content/media/2024/01/row.mp4">row.mp4</a></p>' in body
    assert body.endswith("<h2>Sign up</h2><p>For news of boats</p><p>No spam.</p><p>The end.</p>")
