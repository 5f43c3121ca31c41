"""Other destinations for the links and images of a Markdown source."""

import re

import pytest

from blog_engine.content._markdown import compile_markdown
from blog_engine.content.destinations import Destination, markdown_uses, with_destinations
from tests.content.bodies import random_bodies
from tests.content.test_hostile import MARKDOWN
from tests.content.test_one_parse import BODIES, WRITTEN
from tests.requirements import requirement
from tests.support.costs import takes_at_most

_URL = re.compile(r'\b(href|src)="([^"]*)"')


def shown(source: str) -> str:
    """The HTML of a source without where its links and images lead; a bare link is one like any other."""
    return _URL.sub(r"\1", compile_markdown(source, hard_breaks=True, footnote_prefix="fn-").html)


def all_new(source: str) -> dict[str, str]:
    return {one.url: f"/new/{place}" for place, one in enumerate(markdown_uses(source).destinations)}


@requirement("import.links.markdown")
def test_nothing_but_destinations_changes_in_random_markdown() -> None:
    changed = 0
    for source in [*random_bodies(200, seed=17), *BODIES, *WRITTEN[::3]]:
        new = all_new(source)

        result = with_destinations(source, new)

        assert shown(result) == shown(source), source
        before = [one.url for one in markdown_uses(source).destinations]
        after = [one.url for one in markdown_uses(result).destinations]
        assert all(other in (one, new[one]) for one, other in zip(before, after, strict=True)), source
        changed += before != after
    assert changed > 100


@requirement("import.links.markdown")
@pytest.mark.parametrize("source", BODIES + WRITTEN)
def test_every_destination_of_ordinary_markdown_changes(source: str) -> None:
    new = {url: target for url, target in all_new(source).items() if not url.startswith("mailto:")}

    after = [one.url for one in markdown_uses(with_destinations(source, new)).destinations]

    assert after == [new.get(one.url, one.url) for one in markdown_uses(source).destinations]


def test_destinations_and_html_that_readers_do_not_see_have_their_lines() -> None:
    source = "# [a](/1)\n\none\n![b](/2) two\n\n> - [c](</3 4>)\n\n| x |\n|---|\n| [d](/5) |\n\n<b>x</b> <q>y</q>\n"

    uses = markdown_uses(source)

    assert uses.destinations == (
        Destination("/1", False, 1),
        Destination("/2", True, 4),
        Destination("/3%204", False, 6),
        Destination("/5", False, 10),
    )
    assert uses.raw_html == ((12, "<q>"),)


@pytest.mark.parametrize(
    ("source", "result"),
    [
        ("[a](/1)", "[a](/new)"),
        ("[a](/1 'T')", "[a](/new 'T')"),
        ("[a](<  /1>)", "[a](/new)"),
        ("<https://o.example/1_2>", "[https://o.example/1\\_2](/new)"),
        ("(https://o.example/1_2)", "([https://o.example/1\\_2](/new))"),
        ("www.o.example/1", "[www.o.example/1](/new)"),
        ("[a]: /1\n\n[a] [b][a]", "[a]: /new\n\n[a] [b][a]"),
        ("`[a](/1)` [a](/1)", "`[a](/1)` [a](/new)"),
        ("[a](\n/1)", "[a](\n/new)"),
        ("> [a](\n> /1)", "> [a](\n> /new)"),
    ],
)
def test_each_way_to_write_a_destination_is_changed_in_place(source: str, result: str) -> None:
    urls = ("/1", "https://o.example/1_2", "http://www.o.example/1")

    assert with_destinations(source, dict.fromkeys(urls, "/new")) == result


def test_a_destination_with_unusual_characters_stays_one() -> None:
    assert with_destinations("[a](/1)", {"/1": "/n (x) <y>\\"}) == "[a](/n%20%28x%29%20%3Cy%3E%5C)"


_FAST = {"open brackets", "balanced brackets", "open images", "one long reference used often"}


@pytest.mark.parametrize(
    "name", [name if name in _FAST else pytest.param(name, marks=pytest.mark.heavy) for name in MARKDOWN]
)
def test_hostile_markdown_takes_bounded_time(name: str) -> None:
    source = MARKDOWN[name][:60_000]
    with takes_at_most(20):
        with_destinations(source, all_new(source))
