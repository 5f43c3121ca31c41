"""Every finding except that of links: what triggers it and what does not."""

import re
from inspect import isfunction, signature
from pathlib import Path
from typing import Any

import pytest
from django.test import override_settings

from blog_engine.findings import FINDINGS, Finding, checks, findings_of
from blog_engine.images import social
from blog_engine.models import Category, Post
from blog_engine.queries.posts import read_post
from tests.requirements import fields_below, requirement
from tests.support.factories import NOW, approve, declare, publish, save, update
from tests.support.hosts import blog_settings
from tests.support.tables import new_image, stored, undone

pytestmark = pytest.mark.django_db


ORDER = fields_below("findings.of-a-write", page="findings.md")
ELSEWHERE = {
    *("note_not_recorded", "date_not_recorded", "published_now", "redirect_target_missing"),
    *("already_recorded", "nothing_changed", "link_placeholder", "heading_repeats_title", "escapes_in_text"),
    *("markup_in_text", "body_fenced", "front_matter_in_body", "placeholder_left", "chat_remark_left"),
    "citation_mark_left",
}
"""Those of ``test_model_faults.py``, ``tests/services/test_not_recorded.py`` and ``test_repeats.py`` there."""
MADE = {"author_created", "series_created", "tag_created"}
"""Those about new records: ``tests/services/test_made_records.py``."""


BLANK_BODIES = [
    "",
    " \n\t",
    "\u00a0",
    "\u200b\ufeff",
    "&nbsp;",
    "<!-- later -->",
    "[a]: https://x.example",
    "<p></p>",
    "##",
]


def found(post: Any, *, has_responsible_party: bool = True) -> dict[str, tuple[str | None, str | None]]:
    findings = findings_of(read_post(post.pk), has_responsible_party=has_responsible_party, now=NOW)
    return {finding.code: (finding.rule, finding.location) for finding in findings}


def complete(**fields: Any) -> Any:
    """Return a draft without findings."""
    Category.objects.get_or_create(name="Soil", slug="soil", defaults={"description": "Earth."})
    none = {"connections": [], "third_party_paid": False, "declared_by": "Ines"}
    clean = {
        "description": "What winter does.",
        "body": "It freezes.",
        "category": "soil",
        "author": "Mina",
        "provenance": "human_written",
    }
    return save(**(clean | {"connections": none} | fields)).post


@pytest.fixture(autouse=True)
def _default_social_image(settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(default_social_image_url="/card.png")


def test_every_check_is_registered_under_its_name() -> None:
    written = {name for name, one in vars(checks).items() if isfunction(one) and "subject" in signature(one).parameters}

    assert {name for name in written - {"run_checks"} if not name.startswith("_")} == set(FINDINGS)


@requirement("findings.object")
def test_a_complete_post_has_no_findings() -> None:
    assert found(complete()) == {}


# As an editor wraps it at 72 columns, with an indented list item.
WRAPPED = """\
The ferry leaves at ten in the evening, when the last lorry has driven
on board and the lamps along the quay are lit. Nobody hurries then, and
the crew has time for a coffee before the ropes are cast off and taken.

- Lorries stand in the hold below the water line, where it is cold and
  where nobody may stay while the ship is under way in the dark night.
"""
POEM = """\
The night ferry hums along the quay where all the lamps are slowly lit
and waits.
Nobody counts the passengers who climb the iron stairs tonight, or asks
their names.
Far out
a buoy is winking at the moon as if it knew each one of them by heart."""

BODIES = {
    "## One\n\n#### Three": {"heading_level_skipped": ("T9", "body.headings[1]")},
    "### First may be deep\n\n#### Next": {},
    "## A\n\n# B": {"heading_h1_in_body": ("T10", "body.headings[1]")},
    "```\n# code\n```": {},
    "<h1>Raw</h1>\n\n## A": {"html_dropped": (None, "body")},
    "## A\n\n#### B\n\n###### C": {"heading_level_skipped": ("T9", "body.headings[1]")},
    "Some <kbd>Ctrl</kbd> and <font>bold</font>": {"html_dropped": (None, "body")},
    "10<sup>9</sup>, <b>bold</b>, <u>under</u>, a<br>b": {},
    "![Quay](sandbox:/mnt/data/quay.png)": {"url_unusable": (None, "body"), "body_absent": (None, "body")},
    "A text, ![Quay](data:image/png;base64,iVBORw0KGgo=)": {"url_unusable": (None, "body")},
    "A text, ![Quay](C:/Users/mina/quay.png)": {"url_unusable": (None, "body")},
    "A text, ![Quay]()": {"url_unusable": (None, "body")},
    "A [plan](file:///home/mina/plan.pdf)": {"url_unusable": (None, "body")},
    "A [plan](https://:80/plan)": {"url_unusable": (None, "body")},
    "<mailto:ada@quay.org>, `![x](data:,)`": {},
    "A mark[^a].": {"footnote_unmatched": (None, "body")},
    "A mark[^A].\n\n[^a]: Note\n\n[^b]: Alone": {"footnote_unmatched": (None, "body")},
    "A mark[^a].\n\n[^a]: Note\n\n[^A]: Again": {"footnote_unmatched": (None, "body")},
    "The class [^a-z] and `x[^1]`, then a[^1].\n\n[^1]: Note": {},
    "<!-- a note for editors -->\n\nText, `<b>` and 1 < 2": {},
    "The sum $\\sum_i x_i$ is fine.": {},
    "No command is called $\\nonsense{x}$.": {"formula_unreadable": (None, "body")},
    WRAPPED: {"hard_wrapped": (None, "body")},
    WRAPPED.replace("\n", "  \n"): {},
    POEM: {},
    "A line\n\u00a0\nof no words, and\n\u2003one more": {},
    "## FAQ\n\nText": {"faq_in_body": (None, "body")},
    "![](https://example.com/a.png)": {
        "image_alt_absent": ("T13", "body.images[0].alt"),
        "image_unverified": ("E19", "body.images[0]"),
    },
    "![a](/a.png) ![b](https://img.example/b.png)": {
        "image_external": ("E19", "body.images[1]"),
        "image_unverified": ("E19", "body.images[0]"),
    },
    "![a](//img.example/b.png)": {
        "image_external": ("E19", "body.images[0]"),
        "image_unverified": ("E19", "body.images[0]"),
    },
    "![a](https://example.com:443/a.png)": {"image_unverified": ("E19", "body.images[0]")},
    "`![](x.png)`": {},
}


@requirement(
    "findings.positions",
    "findings.faq",
    "findings.headings",
    "findings.image-alt",
    "findings.image-external",
    "findings.image-unverified",
    "findings.lost-markup",
)
def test_findings_of_a_body(subtests: pytest.Subtests) -> None:
    for body in list(BODIES):
        with subtests.test(body=body), undone():
            assert found(complete(body=body)) == BODIES[body]


@requirement("findings.body")
@pytest.mark.parametrize(
    ("body_format", "body"),
    [
        *(("markdown", body) for body in BLANK_BODIES),
        *(
            ("rich_text", body)
            for body in ["<p></p>", "<p>&nbsp;</p>\n<p><br></p>", "<h2><em> </em></h2>", "<!-- x -->"]
        ),
    ],
)
@pytest.mark.parametrize("publish_it", [False, True])
def test_a_body_that_shows_nothing_is_found(body_format: str, body: str, publish_it: bool) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(body_formats=["markdown", "rich_text"])):
        post = complete(body=body, body_format=body_format, publish=publish_it)

    assert found(post)["body_absent"] == (None, "body")


@requirement("findings.body")
@pytest.mark.parametrize(
    "body", ["x", "🙂", "…", "---", "![The quay](/quay.jpg)", "```\n1\n```", "$x$", "&lt;p&gt;", "> 1"]
)
def test_a_body_that_shows_something_is_not_absent(body: str) -> None:
    assert "body_absent" not in found(complete(body=body))


@requirement("findings.lost-markup")
@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"body": "A <q>key</q>"}, "<q>."),
        (
            {"body": "<iframe src='x'>\n</iframe>\n\nText <q>and</q> <font>more</font> <big>here</big>"},
            "<q>, <font> and 1 more.",
        ),
        ({"body": f"Kept\n\n<p title='{'x' * 100}'>lost</p>"}, f"<p title='{'x' * 49}…."),
        ({"body": "<p>Kept</p><video src='x'></video><video></video>", "body_format": "rich_text"}, "<video>."),
    ],
)
def test_dropped_html_is_shown_to_the_writer(fields: dict[str, Any], named: str) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(body_formats=["markdown", "rich_text"])):
        post = read_post(complete(**fields).pk)

    (finding,) = findings_of(post, has_responsible_party=True, now=NOW)
    assert finding.code == "html_dropped"
    assert named in finding.message


@requirement("findings.lost-markup")
@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"body": "Text ![The quay](data:image/png;base64,iVBORw0KGgo=) [a](file:///a.pdf)"}, ": ![The quay](data:"),
        ({"body": "Text ![The quay](data:,) [a](file:///a.pdf)"}, ": ![The quay](data:,), […](file:///a.pdf). "),
        (
            {"body": '<p>Text <img src="cid:1@x" alt="Q"><a href="cid:2">b</a></p>', "body_format": "rich_text"},
            ': <img src="cid:1@x">, <a href="cid:2">. ',
        ),
        ({"body": '<p>Text <img alt="Q"> <a name="x">b</a></p>', "body_format": "rich_text"}, ': <img src="">. '),
    ],
)
def test_urls_that_pages_leave_out_are_shown_to_the_writer(fields: dict[str, Any], named: str) -> None:
    with override_settings(BLOG_ENGINE=blog_settings(body_formats=["markdown", "rich_text"])):
        post = read_post(complete(**fields).pk)

    (finding,) = findings_of(post, has_responsible_party=True, now=NOW)
    assert finding.code == "url_unusable"
    assert named in finding.message


@requirement("findings.lost-markup")
def test_wrapped_lines_do_no_harm_without_hard_breaks() -> None:
    with override_settings(BLOG_ENGINE=blog_settings(markdown_hardbreaks=False)):
        assert found(complete(body=WRAPPED)) == {}


FIELDS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"description": " "}, {"description_absent": ("T8", "description")}),
    ({"description": "", "search_description": "For search."}, {}),
    ({"description": "Real.", "search_description": " "}, {}),
    ({"category": None}, {"category_absent": ("T21", "category")}),
    ({"category": "No words"}, {"category_description_absent": ("T21", "category.description")}),
    (
        {"faq": [{"question": "Why?", "answer": "A"}, {"question": " WHY? ", "answer": "B"}]},
        {"faq_question_duplicate": (None, "faq[1].question")},
    ),
    ({"faq": [{"question": "Why?", "answer": "So *true*."}]}, {"faq_markup_in_answer": ("E19", "faq[0].answer")}),
    ({"faq": [{"question": "Where?", "answer": "At https://a.example."}]}, {}),
    ({"provenance": "unknown"}, {"provenance_unknown": ("E18", "provenance")}),
    ({"provenance": "ai_assisted"}, {}),
    ({"canonical_url": "https://other.example/x"}, {"canonical_off_site": ("T5", "canonical_url")}),
    ({"canonical_url": "https://EXAMPLE.com:443/x"}, {}),
    ({"canonical_url": "http://example.com/x"}, {"canonical_off_site": ("T5", "canonical_url")}),
]


@requirement(
    "findings.object",
    "findings.positions",
    "findings.descriptions",
    "findings.category",
    "findings.faq",
    "findings.provenance",
    "findings.canonical",
)
def test_findings_of_a_field(subtests: pytest.Subtests) -> None:
    for fields, expected in FIELDS:
        with subtests.test(fields=fields, expected=expected), undone():
            assert found(complete(**fields)) == expected


@requirement("findings.order")
def test_findings_come_in_the_order_of_the_checks(settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(
        default_social_image_url=None, social_pictures={"enabled": False}, policy_urls={}
    )
    save(slug="first", publish=True)
    twice = {"question": "Why?", "answer": "So *true*."}
    body = "## FAQ\n\n#### Deep\n\n# Top\n\n![](https://img.example/a.png) [b](nothing) [c](#nothing)"
    unchecked = {"name": "R", "facts_checked": False}

    written = save(
        body=body, faq=[twice, twice], canonical_url="https://other.example/x", approval=unchecked, publish=True
    )
    moved = update(written.post, slug="moved", description="Said.", category="Soil", change="maintenance")
    copied = save(slug="copied", search_description="Said.", publish=True)
    wrapped = save(title="Wrapped", body=f"<q>x</q> ![](data:,) y[^1] $\\nonsense$\n\n{WRAPPED}")

    found_here = {finding.code for one in (written, moved, copied, wrapped) for finding in one.findings}
    assert list(FINDINGS) == ORDER
    assert found_here == set(ORDER) - {"image_location_data", "image_ai_unmarked", "house_style", *ELSEWHERE, *MADE}
    for one in (written, moved, copied):
        codes = [finding.code for finding in one.findings]
        assert codes == sorted(codes, key=ORDER.index)


@requirement("findings.canonical", "findings.image-external")
def test_without_a_base_every_host_is_another_one_and_no_canonical_is(settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(public_base_url=None)
    body = "![a](/a.png) ![b](https://example.com/b.png)"

    post = complete(body=body, canonical_url="https://other.example/x")

    assert found(post) == {
        "image_external": ("E19", "body.images[1]"),
        "image_unverified": ("E19", "body.images[0]"),
    }


@requirement("findings.image-alt")
def test_a_cover_without_a_description_is_told_before_the_images_of_the_body() -> None:
    cover = {"image_id": stored(new_image()).pk}
    body = f"![](/blog/media/{stored(new_image()).sha256}/a.png)"

    bare = complete(slug="a", cover_image=cover, cover_alt=" ", body=body)
    described = complete(slug="b", cover_image=cover, cover_alt="A quay", body=body)

    assert found(bare) == {"image_alt_absent": ("T13", "cover_alt")}
    assert found(described) == {"image_alt_absent": ("T13", "body.images[0].alt")}


@requirement("findings.image-alt")
@pytest.mark.parametrize(
    "alternative",
    ["What the image shows", "what the image  shows.", "Describe the image", "Was das Bild zeigt", "画像の内容"],
)
def test_a_text_that_an_editor_put_there_describes_nothing(alternative: str) -> None:
    cover = {"image_id": stored(new_image()).pk}
    body = f"![{alternative}](/blog/media/{stored(new_image()).sha256}/a.png)"

    assert found(complete(slug="a", cover_image=cover, cover_alt="A quay", body=body)) == {
        "image_alt_absent": ("T13", "body.images[0].alt")
    }
    assert found(complete(slug="b", cover_image=cover, cover_alt=alternative)) == {
        "image_alt_absent": ("T13", "cover_alt")
    }


@requirement("findings.descriptions", "findings.title")
def test_equal_titles_and_descriptions_of_published_posts_are_found() -> None:
    post = complete(title="One", slug="one")
    complete(title="One", slug="two")
    assert found(post) == {}

    complete(title="One", slug="three", description="", search_description="What winter does.", publish=True)

    assert found(post) == {
        "title_duplicate": ("T7", "title"),
        "description_duplicate": ("T8", "search_description"),
    }


@requirement("findings.descriptions")
def test_posts_without_a_description_are_not_described_in_the_same_words() -> None:
    complete(slug="one", description="", publish=True)

    assert found(complete(title="Two", description=" ")) == {"description_absent": ("T8", "description")}


@requirement("findings.faq")
def test_a_line_of_html_announces_no_faq(settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(body_formats=["markdown", "rich_text"])

    assert found(complete(body="<pre>\n## FAQ\n</pre>", body_format="rich_text")) == {}


@requirement("findings.approval")
def test_a_public_post_that_nobody_checked_is_found() -> None:
    post = complete(provenance="ai_assisted")
    assert "approval_absent" not in found(post)

    publish(post)
    assert found(post) == {"approval_absent": ("E18", "approval")}
    approve(post)
    assert found(post) == {}


@requirement("findings.approval")
def test_a_scheduled_post_is_judged_by_its_present_content() -> None:
    post = complete(provenance="ai_assisted")
    approve(post)
    publish(post, publish_at="2027-01-01T00:00:00Z", now=NOW)
    assert found(post) == {}

    update(post, body="Not reviewed.")

    assert found(post) == {"approval_absent": ("E18", "approval")}


@requirement("findings.connections")
def test_a_missing_declaration_is_found_until_it_is_made() -> None:
    post = save(description="x", category="soil", provenance="human_written").post
    assert found(post)["connections_not_declared"] == ("E21, E22", "connections")

    declare(post)

    assert "connections_not_declared" not in found(post)


@requirement("findings.responsible")
def test_a_blog_without_a_responsible_party_is_told() -> None:
    assert found(complete(), has_responsible_party=False) == {"responsible_party_absent": ("E4", None)}


@requirement("findings.social-image")
def test_a_post_without_any_social_image_is_found(settings, monkeypatch) -> None:
    settings.BLOG_ENGINE = blog_settings(default_social_image_url=None, social_pictures={"enabled": False})
    image = {"image_id": stored(new_image()).pk}

    assert found(complete(slug="a")) == {"social_image_absent": ("T17", "social_image")}
    assert found(complete(slug="b", cover_image=image, cover_alt="A quay")) == {}
    assert found(complete(slug="c", social_image=image)) == {}

    settings.BLOG_ENGINE = blog_settings(social_pictures={"enabled": True})

    assert set(found(complete(slug="f", title="\U0001f389"))) == {"social_image_absent"}
    monkeypatch.setattr(social, "font_set", lambda: pytest.fail("asks for the fonts of the machine"))
    assert found(complete(slug="d", title="Grès, Σίσυφος, Щебень")) == {}


@requirement("findings.category")
def test_a_blog_of_tags_asks_for_no_category(settings) -> None:
    settings.BLOG_ENGINE = blog_settings(primary_list_type="tags")

    assert found(complete(slug="a", category=None)) == {}
    assert found(complete(slug="b", category="No words")) == {}


@requirement("findings.of-a-write")
def test_findings_of_the_write_are_not_repeated_by_a_reading() -> None:
    written = save(approval={"name": "R", "facts_checked": False})

    of_write = {finding.code for finding in written.findings}
    assert {"author_default_used", "approval_incomplete"} <= of_write
    assert of_write - found(written.post).keys() == {"author_default_used", "approval_incomplete"}


@requirement("findings.registry")
def test_a_host_can_add_and_replace_a_check(monkeypatch) -> None:
    monkeypatch.setitem(FINDINGS, "too_short", lambda subject: Finding("too_short", None, "Short.", "body"))
    monkeypatch.setitem(FINDINGS, "category_absent", lambda subject: None)

    assert found(complete(category=None)) == {"too_short": (None, "body")}


@requirement("findings.registry")
def test_a_check_of_the_host_that_fails_does_not_make_a_stored_write_look_refused(monkeypatch, caplog) -> None:
    def crash(subject: Any) -> None:
        raise RuntimeError("a bug of the host")

    monkeypatch.setitem(FINDINGS, "broken", crash)

    written = save(title="Stored")

    assert Post.objects.get().title == "Stored"
    assert {"description_absent", "provenance_unknown"} <= {finding.code for finding in written.findings}
    (record,) = [record for record in caplog.records if record.name == "blog_engine"]
    assert (str(record.exc_info[1]), record.args) == ("a bug of the host", ("broken", written.post.pk))


@requirement("findings.registry")
def test_the_example_of_the_documentation_is_a_check(monkeypatch) -> None:
    page = Path(__file__).parents[2] / "docs" / "reference" / "python-api.md"
    (example,) = re.findall(r"```python\n(from blog_engine\.findings .*?)```", page.read_text("utf-8"), re.DOTALL)
    monkeypatch.setattr("blog_engine.findings.FINDINGS", registry := dict(FINDINGS))
    monkeypatch.setattr("blog_engine.findings.checks.FINDINGS", registry)

    exec(compile(example, page.name, "exec"), {})  # noqa: S102  our own page

    assert found(complete())["too_short"] == (None, "body")
