"""Cards in HTML, and the documents of the two editors."""

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from blog_engine.importing.ghost.source import open_ghost
from blog_engine.importing.source import LossKind, SourcePost
from tests.importing.ghost.exports import read_post, row
from tests.requirements import requirement
from tests.support.costs import takes_at_most

DEEP = 100_000

heavy = pytest.mark.heavy


def lexical(*children: dict[str, Any]) -> str:
    return json.dumps({"root": {"children": list(children)}})


def nested(kind: str, levels: int) -> str:
    """Return a document of Lexical with parts in each other; too deep for ``json.dumps``."""
    inner = f'{{"type":"{kind}","children":['
    return '{"root":{"children":[' + inner * levels + '{"type":"text","text":"x"}' + "]}" * levels + "]}}"


@requirement("import.ghost.gated")
@pytest.mark.parametrize(
    ("html", "body", "is_named"),
    [
        (
            '<!--kg-gated-block:begin nonMember:true memberSegment:"" --><p>All</p><!--kg-gated-block:end-->',
            "<p>All</p>",
            False,
        ),
        (
            "<p>a</p><!--kg-gated-block:begin nonMember:false --><p>M</p><!--kg-gated-block:end--><p>b</p>",
            "<p>a</p><p>b</p>",
            True,
        ),
        ("<!--kg-gated-block:begin nonMember:false --><p>Never ends</p>", "<p>Never ends</p>", False),
    ],
)
def test_what_members_only_see_is_left_out(tmp_path: Path, html: str, body: str, is_named: bool) -> None:
    post = read_post(tmp_path, html=html)

    assert post.body == body
    assert [loss.kind for loss in post.losses] == [LossKind.BLOCK] * is_named


@requirement("import.ghost.cards")
def test_an_unknown_card_keeps_its_text_and_is_named(tmp_path: Path) -> None:
    html = '<p>Before</p>\n<div class="kg-card kg-nft-card"><a href="https://x.example/"><span>An NFT</span></a></div>'

    post = read_post(tmp_path, html=html)

    assert post.body == '<p>Before</p>\n<p><a href="https://x.example/">An NFT</a></p>'
    assert [(loss.message, loss.line) for loss in post.losses] == [
        ("A card of an unknown kind (kg-nft-card): its text and links remain.", 2)
    ]


@requirement("import.ghost.cards")
@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("https://player.vimeo.com/video/76979871?h=1", "https://vimeo.com/76979871"),
        ("//www.youtube-nocookie.com/embed/aqz-KE-bpKQ", "https://www.youtube.com/watch?v=aqz-KE-bpKQ"),
        ("https://www.youtube.com/embed/videoseries?list=PL1", "https://www.youtube.com/playlist?list=PL1"),
        ("https://maps.example/embed?x=1", "https://maps.example/embed?x=1"),
    ],
)
def test_a_frame_becomes_a_link_to_its_page(tmp_path: Path, source: str, expected: str) -> None:
    post = read_post(tmp_path, html=f'<figure class="kg-card kg-embed-card"><iframe src="{source}"></iframe></figure>')

    assert post.body == f'<p><a href="{expected}">{expected}</a></p>'


@requirement("import.ghost.cards")
def test_an_embed_without_a_link_is_named_as_left_out(tmp_path: Path) -> None:
    post = read_post(tmp_path, html='<figure class="kg-card kg-embed-card"><script>x()</script></figure>')

    assert (post.body, [loss.message for loss in post.losses]) == ("", ["An embed without a link is left out."])


def test_text_around_cards_stays_in_its_place(tmp_path: Path) -> None:
    html = 'a<div class="kg-card kg-button-card"><a class="kg-btn" href="/x">X</a></div>b &lt; c<hr>d'

    assert read_post(tmp_path, html=html).body == 'a<p><a href="/x">X</a></p>b &lt; c<hr>d'


@requirement("import.ghost.html")
@pytest.mark.parametrize(
    ("node", "expected"),
    [
        ({"type": "heading", "tag": "h9", "children": [{"type": "text", "text": "H"}]}, "<h2>H</h2>"),
        ({"type": "list", "listType": "number", "start": 3, "children": []}, '<ol start="3"></ol>'),
        (
            {"type": "paragraph", "children": [{"type": "text", "text": "<b>", "format": 1}]},
            "<p><strong>&lt;b&gt;</strong></p>",
        ),
        ({"type": "paragraph", "children": [{"type": "tab"}, {"type": "linebreak"}]}, "<p> <br></p>"),
        ({"type": "video", "src": "/v/a.mp4", "caption": "C"}, '<p><a href="/v/a.mp4">a.mp4</a></p><p>C</p>'),
        ({"type": "file", "src": "/f/a.pdf", "fileName": "a.pdf"}, '<p><a href="/f/a.pdf">a.pdf</a></p>'),
        (
            {"type": "bookmark", "url": "https://b.example/"},
            '<blockquote><p><a href="https://b.example/">https://b.example/</a></p></blockquote>',
        ),
        (
            {"type": "embed", "url": "https://e.example/", "html": ""},
            '<p><a href="https://e.example/">https://e.example/</a></p>',
        ),
        (
            {"type": "gallery", "images": [{"src": "/a.png", "alt": "<"}, 3]},
            '<figure><img src="/a.png" alt="&lt;"></figure>',
        ),
        ({"type": "markdown", "markdown": "*x*\n\n<p>y</p>"}, "<p><em>x</em></p>\n<p>y</p>"),
        ({"type": "strange", "children": [{"type": "text", "text": "kept"}]}, "kept"),
        ({"type": "strange"}, ""),
        ({"type": "image"}, ""),
    ],
)
def test_a_node_of_lexical_is_rendered(tmp_path: Path, node: dict[str, Any], expected: str) -> None:
    assert read_post(tmp_path, html=None, lexical=lexical(node)).body == expected


@requirement("import.ghost.html")
def test_a_document_that_cannot_be_read_leaves_the_plain_text(tmp_path: Path) -> None:
    post = read_post(tmp_path, html=None, lexical='{"root": 3}', mobiledoc="{", plaintext="One <\n\nTwo")

    assert post.body == "<p>One &lt;</p><p>Two</p>"
    assert [loss.message for loss in post.losses] == [
        "Its Lexical document cannot be read.",
        "Its mobiledoc document cannot be read.",
    ]


@requirement("import.ghost.nesting")
@pytest.mark.parametrize(
    "values",
    [
        {"html": None, "lexical": nested("list", DEEP)},
        {"html": None, "lexical": nested("list", 300)},
        {"html": None, "mobiledoc": '{"sections":' + "[" * DEEP + "]" * DEEP + "}"},
        {"html": "<div>" * DEEP + "x" + '<div class="kg-card kg-callout-card">y</div>'},
    ],
)
def test_deep_nesting_is_named_and_no_error(tmp_path: Path, values: dict[str, object]) -> None:
    post = read_post(tmp_path, **values)

    assert {loss.kind for loss in post.losses} <= {LossKind.HTML, LossKind.BLOCK}
    assert post.losses


@requirement("import.ghost.html")
@pytest.mark.parametrize(
    "section",
    [[], [1], [1, "p"], [1, "p", [[0, [9], 0, "x"]]], [10, 5], [1, "p", [[0, [], -1, "x"]]], ["p"], 4, [1, "p", [[]]]],
)
def test_broken_mobiledoc_is_no_error(tmp_path: Path, section: object) -> None:
    document = {"version": "0.3.1", "atoms": [], "cards": [], "markups": [], "sections": [section]}

    post = read_post(tmp_path, html=None, mobiledoc=json.dumps(document), plaintext="plain")

    assert post.body in {"<p>plain</p>", "<p>x</p>", ""}


@pytest.mark.parametrize(
    "html",
    [
        pytest.param('<div class="kg-card kg-callout-card">' * 200 + "x", id="nested cards"),
        pytest.param('<a class="kg-btn" href="' * 50_000, id="open tags"),
        pytest.param("<!--kg-gated-block:begin" * 50_000, id="open gates"),
        pytest.param(
            '<figure class="kg-card kg-gallery-card">' + "<img src=x>" * 50_000, id="a large gallery", marks=heavy
        ),
        pytest.param(
            "<!--kg-gated-block:begin nonMember:false --><!--kg-gated-block:end-->" * 10_000,
            id="many gates",
            marks=heavy,
        ),
        pytest.param('<div class="kg-card kg-file-card"><a href=x></a></div>' * 10_000, id="many cards", marks=heavy),
    ],
)
def test_hostile_html_takes_seconds_at_most(tmp_path: Path, html: str) -> None:
    with takes_at_most(5):
        read_post(tmp_path, html=html)


@requirement("import.ghost.memory")
@pytest.mark.heavy
@pytest.mark.measured
def test_the_memory_does_not_depend_on_the_number_of_posts(tmp_path: Path) -> None:
    def peak(count: int) -> int:
        path = tmp_path / f"{count}.ghost.json"
        with path.open("w") as file:
            file.write('{"db":[{"data":{"posts":[')
            for number in range(count):
                values = row(id=str(number), slug=f"post-{number}", html="<p>Text of some length.</p>" * 200)
                file.write(("," if number else "") + json.dumps(values))
            file.write("]}}]}")
        tracemalloc.start()
        try:
            found = sum(isinstance(item, SourcePost) for item in open_ghost(path, url=None, media=None).items())
            return tracemalloc.get_traced_memory()[1] if found == count else 0
        finally:
            tracemalloc.stop()

    few, many = peak(250), peak(1_000)

    assert 0 < many < few * 1.3
