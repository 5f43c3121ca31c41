"""The findings of faults that models make: their places, their words, and the texts of a post that they look at."""

from typing import Any

import pytest

from blog_engine import services
from blog_engine.findings import FINDINGS, findings_of
from blog_engine.models import Post
from blog_engine.queries.posts import read_post
from tests.findings.test_findings import complete
from tests.requirements import requirement
from tests.support.factories import NOW, save, update
from tests.support.hosts import blog_settings
from tests.support.tables import new_image, stored

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _default_social_image(settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(default_social_image_url="/card.png")


def found(post: Post) -> list[tuple[str, str | None]]:
    findings = findings_of(read_post(post.pk), has_responsible_party=True, now=NOW)
    return [(one.code, one.location) for one in findings]


FAULTS: list[tuple[dict[str, Any], list[tuple[str, str]]]] = [
    ({"title": "Salt &amp; Pepper"}, [("markup_in_text", "title")]),
    ({"description": "A <b>cold</b> winter."}, [("markup_in_text", "description")]),
    ({"search_title": "**Winter**"}, [("markup_in_text", "search_title")]),
    ({"search_description": "Cold.\\n\\nVery."}, [("escapes_in_text", "search_description")]),
    ({"tags": ["frost", "soil &amp; mud"]}, [("markup_in_text", "tags")]),
    ({"tags": ["<b>frost</b>"]}, [("markup_in_text", "tags")]),
    ({"tags": ["C++", "R&D", "a < b", "#frost", "50 % off"]}, []),
    (
        {
            "faq": [
                {"question": "Why?", "answer": "So."},
                {"question": "Is it <i>cold</i>?", "answer": "[Insert answer]"},
            ]
        },
        [("markup_in_text", "faq[1].question"), ("placeholder_left", "faq[1].answer")],
    ),
    ({"faq": [{"question": "Why?", "answer": "Salt &amp; **Pepper**."}]}, [("faq_markup_in_answer", "faq[0].answer")]),
    (
        {"title": "TODO", "description": "[Insert description]", "body": "[TBD]"},
        [("placeholder_left", name) for name in ("title", "description", "body")],
    ),
    ({"body": "# Winter garden\n\nIt freezes."}, [("heading_repeats_title", "body.headings[0]")]),
    ({"body": "## *winter* Garden.\n\nIt freezes."}, [("heading_repeats_title", "body.headings[0]")]),
    ({"body": "## Frost\n\nIt freezes.\n\n## Winter garden\n\nSo."}, []),
    (
        {"body": "# Winter garden\n\nIt freezes.\n\n# Frost\n\nSo."},
        [("heading_h1_in_body", "body.headings[1]"), ("heading_repeats_title", "body.headings[0]")],
    ),
    (
        {"body": "[a](https://example.org/a) [b](#) [a](https://example.org/a) [c](https://x.test/?utm_source=openai)"},
        [
            ("citation_mark_left", "https://x.test/?utm_source=openai"),
            ("link_placeholder", "https://example.org/a"),
            ("link_placeholder", "#"),
        ],
    ),
    (
        {"body": "```markdown\n# Winter garden\n\nIt freezes.\n```"},
        [("body_fenced", "body")],
    ),
    ({"body": "---\ntitle: Winter\n---\n\nIt freezes."}, [("front_matter_in_body", "body")]),
    (
        {"body": "Certainly! Here it is.\n\nIt freezes.\\n\\nSo. 【1†source】"},
        [
            ("escapes_in_text", "body"),
            ("chat_remark_left", "body"),
            ("citation_mark_left", "body"),
        ],
    ),
]


@requirement("findings.models", "findings.headings", "findings.order")
def test_faults_of_the_texts_of_a_post(subtests: pytest.Subtests) -> None:
    for number, (fields, expected) in enumerate(FAULTS):
        with subtests.test(fields=fields):
            post = complete(**{"slug": f"post-{number}"} | fields)

            assert found(post) == expected


@requirement("findings.models")
def test_the_message_shows_the_passage_and_says_what_to_do() -> None:
    written = save(title="Salt &amp; Pepper", body="---\ntitle: Winter\n---\n\nIt freezes.")

    messages = {one.code: (one.message, one.translated) for one in written.findings}

    assert all("Salt &amp; Pepper" in text for text in messages["markup_in_text"])
    english, plain = messages["front_matter_in_body"]
    assert "title: Winter" in english
    assert "Send title" in english
    assert "Enter title" in plain


@requirement("findings.models.own")
def test_a_link_to_the_blog_itself_is_no_example(settings: Any) -> None:
    body = "[ours](http://localhost:8000/x) [theirs](http://localhost:9000/x)"
    settings.BLOG_ENGINE = blog_settings(public_base_url="http://localhost:8000", default_social_image_url="/card.png")

    assert found(complete(body=body)) == [("link_placeholder", "http://localhost:9000/x")]


@requirement("findings.image-alt")
@pytest.mark.parametrize(
    ("alternative", "is_found"),
    [
        *((text, True) for text in ("image", "Image 1", "Screenshot", "IMG_2034.jpg", "alt text", "A photo", "Bild")),
        *((text, False) for text in ("Photo of the quay", "The image of a saint", "Screenshots compared", "Quay")),
    ],
)
def test_a_word_that_fits_every_image_describes_none(alternative: str, is_found: bool) -> None:
    image = stored(new_image())
    post = complete(cover_image={"image_id": image.pk}, cover_alt=alternative)

    assert (("image_alt_absent", "cover_alt") in found(post)) is is_found


@requirement("findings.models.earlier")
def test_a_body_from_before_has_the_findings_once_it_is_rendered_anew() -> None:
    post = complete(body="Written by [Your Name].")
    facts = {name: value for name, value in Post.objects.get().body_facts.items() if name != "faults"}
    post.body_facts, post.rendered_with = facts, "an earlier renderer"
    post.store(update_fields=["body_facts", "rendered_with"])
    before = found(post)

    services.render_posts()

    assert (before, found(post)) == ([], [("placeholder_left", "body")])


@requirement("findings.models")
def test_a_fault_that_is_mended_is_gone() -> None:
    post = complete(body="Written by [Your Name].", title="Salt &amp; Pepper")

    update(post, edits=[{"old": "[Your Name]", "new": "Ada"}], title="Salt & Pepper")

    assert found(post) == []


@requirement("findings.registry")
def test_a_host_turns_a_finding_off(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = {**FINDINGS}
    monkeypatch.setattr("blog_engine.findings.checks.FINDINGS", kept)
    del kept["placeholder_left"]

    assert found(complete(body="Written by [Your Name].")) == []
