"""Where the sections of a body are in its source."""

import pytest
from markdown_it import MarkdownIt

from blog_engine.content.edits import Addition, edited
from blog_engine.content.sections import BodySection, sections_named, sections_of
from blog_engine.enums import BodyFormat
from tests.content.bodies import random_bodies, render_markdown, render_rich_text
from tests.requirements import requirement


def sections(body: str) -> tuple[BodySection, ...]:
    return sections_of(body, body_format=BodyFormat.MARKDOWN, footnote_prefix="fn-7-")


def texts(body: str) -> dict[str, str]:
    return {section.id: body[section.start : section.end] for section in sections(body)}


@requirement("posts.read.section")
def test_a_section_ends_at_the_next_heading_of_its_level_or_a_higher_one() -> None:
    body = "Before.\n\n# One\n\na\n\n## Two\n\nb\n\n### Three\n\nc\n\n## Four\n\nd\n\n# Five\ne"

    assert texts(body) == {
        "one": "# One\n\na\n\n## Two\n\nb\n\n### Three\n\nc\n\n## Four\n\nd\n\n",
        "two": "## Two\n\nb\n\n### Three\n\nc\n\n",
        "three": "### Three\n\nc\n\n",
        "four": "## Four\n\nd\n\n",
        "five": "# Five\ne",
    }


@requirement("posts.read.section")
def test_a_section_is_the_source_byte_for_byte() -> None:
    body = "Title *x*\r\n===\r\n\r\n a  \r\n\r\n## B ##\r\n&amp;\u2028\x0b\r\n"

    assert texts(body) == {"title-x": body, "b": "## B ##\r\n&amp;\u2028\x0b\r\n"}


@requirement("posts.read.section")
def test_what_looks_like_a_heading_in_code_is_none() -> None:
    body = "## A\n\n```\n## B\n```\n\n    ## C\n\n<!--\n## D\n-->\n"

    assert texts(body) == {"a": body}


@requirement("posts.read.section")
def test_a_heading_in_another_block_ends_with_it() -> None:
    body = "## A\n\n> # Quoted\n> b\n\nc\n\n- # Listed\n- d\n\ne[^1]\n\n[^1]: f\n\n    # Noted\n\n    g\n\n## B\n"

    assert texts(body) == {
        "a": body.removesuffix("## B\n"),
        "quoted": "> # Quoted\n> b\n",
        "listed": "- # Listed\n- d\n\n",
        "noted": "    # Noted\n\n    g\n\n",
        "b": "## B\n",
    }


@requirement("posts.read.section", "rendering.details")
def test_a_section_in_a_box_ends_before_the_end_of_the_box() -> None:
    inner = "<details>\n<summary>y</summary>\n\n#### C\n\nc\n\n</details>\n"
    body = f"## A\n\n<details>\n<summary>x</summary>\n\n### B\n\n{inner}\n### D\n\n</details>\n\nmore\n\n## E\n"

    assert texts(body) == {
        "a": body.removesuffix("## E\n"),
        "b": f"### B\n\n{inner}\n",
        "c": "#### C\n\nc\n\n",
        "d": "### D\n\n",
        "e": "## E\n",
    }


def test_levels_are_as_written_and_text_is_as_shown() -> None:
    [first, second] = sections("# The **old** `quay` ![wall](/w.png)\n\n###### Deep\n")

    assert (first.level, first.text, second.level) == (1, "The old quay wall", 6)
    assert (first.content_start, first.length) == (37, 50)


@requirement("posts.read.outline")
@pytest.mark.parametrize("seed", range(2))
def test_ids_are_those_of_the_page_and_every_heading_is_found(seed: int) -> None:
    for body in random_bodies(150, seed=seed):
        found = sections(body)

        assert [section.id for section in found] == [heading.id for heading in render_markdown(body).headings], body
        for section in found:
            assert section.start is not None, body
            assert section.content_start is not None
            assert section.end is not None
            assert 0 <= section.start < section.content_start <= section.end <= len(body), body


@requirement("posts.read.outline")
def test_headings_of_html_have_no_place_in_the_source() -> None:
    body = "<h2>One</h2><p>a</p><h3>Two</h3>"

    found = sections_of(body, body_format=BodyFormat.RICH_TEXT, footnote_prefix="fn-7-")

    assert [(section.level, section.id, section.length) for section in found] == [(2, "one", None), (3, "two", None)]
    assert [section.id for section in found] == [heading.id for heading in render_rich_text(body).headings]


def shout(parser: MarkdownIt) -> None:
    """A plugin: a heading has its text twice."""
    parser.add_render_rule("text", lambda self, tokens, idx, options, env: tokens[idx].content * 2)


@requirement("posts.read.outline", "rendering.plugins")
def test_headings_are_those_that_plugins_make() -> None:
    body = "# Hey\n\nText\n\n# Ho"

    (hey, ho) = sections_of(body, body_format=BodyFormat.MARKDOWN, footnote_prefix="fn-7-", plugins=(shout,))

    assert ((hey.id, hey.start, hey.end), (ho.id, ho.start, ho.end)) == (("heyhey", 0, 13), ("hoho", 13, 17))
    edits = [Addition("More", heading="heyhey")]
    assert edited(body, edits, body_format=BodyFormat.MARKDOWN, most_bytes=1_000, plugins=(shout,)) == (
        "# Hey\n\nMore\n\nText\n\n# Ho"
    )


def test_a_section_is_named_by_id_before_text() -> None:
    found = sections("## Two\n\n## Oil  lamps\n\n## two-1\n\n## Two\n\n## oil lamps\n")

    named = {name: [section.id for section in sections_named(found, name)] for name in ("two-1", "OIL LAMPS", "tar")}

    assert named == {"two-1": ["two-1"], "OIL LAMPS": ["oil-lamps", "oil-lamps-1"], "tar": []}


def test_a_body_of_headings_only_is_read_in_linear_time() -> None:
    found = sections("# a\n" * 8_000)

    assert (len(found), found[-1].length) == (8_000, 4)
