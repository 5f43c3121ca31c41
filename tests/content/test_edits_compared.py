"""Edits make what a plain implementation makes that compiles the whole text before each of them."""

import random

import pytest
from markdown_it import MarkdownIt

from blog_engine.content import _placed_headings
from blog_engine.content._markdown import MAX_MARKUP, page_parser
from blog_engine.content.edits import Addition, EditDoesNotApply, Replacement, TextEdit, edited
from blog_engine.content.options import MarkdownPlugin
from blog_engine.content.sections import BodySection, sections_named, sections_of
from blog_engine.enums import BodyFormat
from tests.content.bodies import random_bodies
from tests.requirements import requirement

Plugins = tuple[MarkdownPlugin, ...]


def made_plainly(text: str, edits: list[TextEdit], plugins: Plugins = ()) -> str | None:
    """Return the text after all edits, ``None`` when one does not apply."""
    for edit in edits:
        changed = changed_by(text, edit, plugins)
        if changed is None:
            return None
        text = changed
    return text


def sections_in(text: str, plugins: Plugins) -> tuple[BodySection, ...]:
    return sections_of(text, body_format=BodyFormat.MARKDOWN, footnote_prefix="fn-7-", plugins=plugins)


def changed_by(text: str, edit: TextEdit, plugins: Plugins) -> str | None:
    end = "\r\n" if "\r\n" in text else "\n"

    def fitted(part: str) -> str:
        return part if "\r" in part else part.replace("\n", end)

    if isinstance(edit, Replacement):
        places, start = list[int](), text.find(fitted(edit.old))
        while start >= 0:
            places.append(start)
            start = text.find(fitted(edit.old), start + len(fitted(edit.old)))
        if not places or (edit.occurrence is None and len(places) > 1) or (edit.occurrence or 1) > len(places):
            return None
        start = places[(edit.occurrence or 1) - 1]
        return text[:start] + fitted(edit.new) + text[start + len(fitted(edit.old)) :]
    place: int | None = len(text)
    if edit.heading is not None:
        found = sections_named(sections_in(text, plugins), edit.heading)
        place = found[0].content_start if len(found) == 1 else None
    if place is None:
        return None
    before, after, added = text[:place].rstrip(), text[place:], fitted(edit.text)
    head = before + end + end if before else ""
    if after.strip():
        return head + added.rstrip() + end + end + after.lstrip("\r\n")
    return head + (added if added.endswith("\n") else added + end)


BLOCKS = [
    *("# One\n", "## Two\n", "Three\n===\n", "### One *x* [a]\n", "#### [a](b) c\n", "# \n", "# one-1\n", "\t# tab\n"),
    *("# &amp; <b>x</b> ![alt](/p.png)\n", "# ![alt](javascript:x)\n", "# `code` \\* $x$\n", "# 漢字\n", "# \u2028x\n"),
    *("# www.a.b ==m==\n", "## y[^n]\n", "- # In list\n", "> # Quoted\n", "> [!NOTE]\n> # Alert\n", "- [ ] # t\n"),
    *("[^n]: # noted\n", "    # noted\n", "[^n]: note\n", "x[^n]\n", "[a]: /u\n", "[!NOTE]\n", "text of a paragraph\n"),
    *("- item\n", "  more\n", "1. n\n", "   1. m\n", "> q\n", "```\n", "~~~\n", "    code\n", "<!--\n", "-->\n"),
    *("<details>\n", "</details>\n", "<summary>s</summary>\n", "<script>\n", "</script>\n", "<div>\n", "---\n"),
    *("$$\n", "x^2\n", ": definition\n", "term\n", "|a|b|\n|-|-|\n|c|d|\n", "a\n  \nb\n", "word " * 120 + "\n\n"),
]
NAMES = ["one", "One", "Three", "one-1", "noted", "section", "absent"]


def random_text(chance: random.Random, most: int) -> str:
    """Return blocks in any order, with blank lines between some of them."""
    text = "".join(
        chance.choice(BLOCKS) + "\n" * chance.choice([0, 0, 1, 2]) for _ in range(chance.randrange(most + 1))
    )
    if chance.random() < 0.2:
        text += "\n\n" + next(random_bodies(1, seed=chance.randrange(10**6)))
    return text.replace("\n", "\r\n") if chance.random() < 0.15 else text


def random_edit(chance: random.Random, text: str, plugins: Plugins) -> TextEdit:
    kind = chance.random()
    if kind < 0.6:
        known = [name for one in sections_in(text, plugins) for name in (one.id, one.text)]
        name = chance.choice(known if known and chance.random() < 0.9 else NAMES)
        return Addition(random_text(chance, chance.choice([1, 2, 12])), heading=name)
    if kind < 0.7 or not text:
        return Addition(chance.choice(BLOCKS))
    start = chance.randrange(len(text))
    old = text[start : start + chance.randrange(1, 12)]
    return Replacement(old, chance.choice([*BLOCKS, "", "", "\n\n", "\n"]), chance.choice([None, 1, 1, 2, 3]))


def random_edits(chance: random.Random, text: str, plugins: Plugins) -> list[TextEdit]:
    """Return edits of which mostly all apply."""
    edits = list[TextEdit]()
    for _ in range(chance.randrange(1, 9)):
        edit = random_edit(chance, text, plugins)
        changed = changed_by(text, edit, plugins)
        if changed is not None:
            edits.append(edit)
            text = changed
        elif chance.random() < 0.1:
            return [*edits, edit]
    return edits


def repeat(parser: MarkdownIt) -> None:
    """A plugin: a text is shown twice."""
    parser.add_render_rule("text", lambda self, tokens, idx, options, env: tokens[idx].content * 2)


def numbered(parser: MarkdownIt) -> None:
    """A plugin whose work on a heading depends on the whole text."""

    def number(state: object) -> None:
        headings = [
            inline
            for opening, inline in zip(state.tokens, state.tokens[1:], strict=False)  # type: ignore[attr-defined]
            if opening.type == "heading_open"
        ]
        for count, inline in enumerate(headings, start=1):
            inline.content = f"{count} {inline.content}"

    parser.core.ruler.before("inline", "numbered", number)


@requirement("posts.edits", "posts.edits.exact", "posts.edits.additions")
@pytest.mark.parametrize(
    ("number", "plugins"),
    [
        (150, ()),
        (30, (repeat,)),
        (30, (numbered,)),
        pytest.param(10_000, (), marks=pytest.mark.heavy),
        pytest.param(2_000, (repeat, numbered), marks=pytest.mark.heavy),
    ],
)
def test_each_edit_sees_what_the_one_before_it_left(
    number: int, plugins: Plugins, monkeypatch: pytest.MonkeyPatch
) -> None:
    applied = 0
    for seed in range(number):
        chance = random.Random(seed)  # noqa: S311  # chance decides what is tested, no secret
        monkeypatch.setattr(_placed_headings, "_FEWEST", chance.choice([1, 20, 500]))
        text = random_text(chance, 40)
        edits = random_edits(chance, text, plugins)
        expected = made_plainly(text, edits, plugins)
        try:
            made = edited(text, edits, body_format=BodyFormat.MARKDOWN, most_bytes=10**6, plugins=plugins)
        except EditDoesNotApply:
            made = None
        assert made == expected, (seed, text, edits)
        applied += expected is not None and any(isinstance(edit, Addition) and edit.heading for edit in edits)
    assert applied > number / 3


@requirement("posts.edits.additions")
def test_the_whole_text_is_parsed_once_for_any_number_of_edits(monkeypatch: pytest.MonkeyPatch) -> None:
    body = "# Tides\n\n" + "a *b* c\n\n" * 2_000
    parsed = count_parsed(monkeypatch)

    counts = []
    for number in (1, 100):
        edits = [Addition(f"New {one}.", heading="Tides") for one in range(number)]
        parsed.clear()
        edited(body, edits, body_format=BodyFormat.MARKDOWN, most_bytes=10**6)
        counts.append((parsed.count("whole"), sum(one for one in parsed if isinstance(one, int))))

    assert [whole for whole, _ in counts] == [0, 0]
    # The parts around the place where it is added.
    assert counts[0][1] < 2 * len(body)
    assert counts[1][1] < 20 * len(body)


def count_parsed(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Return a list to which each parse adds ``whole``, or the characters of a part."""
    parser, parsed = page_parser(False), list[object]()
    parse_whole, parse_part = parser.core.process, parser.block.parse
    monkeypatch.setattr(parser.core, "process", lambda state: (parsed.append("whole"), parse_whole(state)))
    monkeypatch.setattr(
        parser.block, "parse", lambda source, *rest: (parsed.append(len(source)), parse_part(source, *rest))[1]
    )
    return parsed


@requirement("posts.edits.cost")
@pytest.mark.parametrize(
    ("body", "added"),
    [
        ("# h\n\n" + "- a\n" * 8_000, "z"),
        ("# h\n\n" + "a\n\n" * 10_000, "```"),
        ("".join(f"## [a{one}][x{one}]\n" for one in range(4_000)) + "# h", "[x{}]: /y"),
    ],
    ids=["a list", "fences", "links"],
)
@pytest.mark.heavy
def test_a_text_that_cannot_be_divided_is_not_read_again_without_end(
    body: str, added: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    edits: list[TextEdit] = [Addition(added.format(one), heading="h") for one in range(50)]
    if added == "z":
        edits = [edit for one in edits for edit in (one, Replacement("- a\n", "- b\n", 1_000))]
    read = list[int]()
    charge = _placed_headings.PlacedHeadings._spend
    monkeypatch.setattr(
        _placed_headings.PlacedHeadings, "_spend", lambda self, markup: (read.append(markup), charge(self, markup))[1]
    )

    with pytest.raises(EditDoesNotApply, match="send fewer edits at once, or the whole body"):
        edited(body, edits, body_format=BodyFormat.MARKDOWN, most_bytes=10**6)

    assert sum(read) < 2 * MAX_MARKUP + _placed_headings.MOST_READ_AGAIN + MAX_MARKUP
