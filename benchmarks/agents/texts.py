"""The posts of the benchmark: paragraphs of the search corpus, with those that the tasks are about at fixed places."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import cycle
from random import Random
from typing import Any, Final

from benchmarks.agents import wanted
from benchmarks.search.corpus import Text
from benchmarks.search.corpus import texts as corpus

Sections = Mapping[str, list[str]]
"""Blocks of Markdown by the heading of their section."""

PICTURE: Final = "{picture}"
"""Where a body gets the URL of its image."""
_SECTION_WORDS: Final = 260
_OTHER_POSTS: Final = 23

_CODE: Final = '''```python
def mean_of(rows: list[float], *, window: int = 7) -> list[float]:
    """Return the mean of each window of the rows."""
    return [sum(rows[start : start + window]) / window for start in range(len(rows) - window + 1)]
```'''
_CASH: Final = "On Saturdays we still pay in coins, because the beekeeper has no terminal."
_EXTRAS: Final = (
    "- Write down what you did, and when.\n- Change one thing at a time.\n- Ask somebody who has done it.",
    "| Step | Days | Cost |\n| --- | --- | --- |\n| Preparing | 2 | 14 |\n| Doing it | 5 | 120 |\n| Tidying | 1 | 0 |",
    _CODE,
    "> The second attempt is cheaper than the first one, and the third is the one you show to friends.",
    "1. Measure what you have.\n2. Decide what you can live without.\n3. Buy the rest, used if possible.",
    f"![A table with the things that this section is about]({PICTURE})",
)


@dataclass(frozen=True)
class Post:
    """A seeded post."""

    slug: str
    title: str
    description: str
    tags: list[str]
    body: str
    status: str = "published"
    """``published``, ``scheduled`` or ``draft``."""
    fields: Mapping[str, Any] = field(default_factory=dict)
    """More fields of the call that stores it."""


@cache
def paragraphs() -> tuple[Text, ...]:
    """Return the English posts of the corpus, each of one paragraph."""
    return tuple(text for text in corpus() if text.body.isascii())


def posts() -> list[Post]:
    """Return all posts in the order in which they were made."""
    of_tasks = [*_public_of_tasks(), *_drafts(), *_scheduled()]
    taken = {post.slug for post in of_tasks}
    first = sorted(paragraphs(), key=lambda text: text.slug not in wanted.READ_NEXT)
    others = [_plain(text) for text in first if text.slug not in taken][:_OTHER_POSTS]
    return [*others, *of_tasks]


def body_of(slug: str, *, words: int, special: Sections | None = None) -> str:
    """Return a body of about this many words; the special sections lie evenly between the others."""
    chance = Random(f"body {slug}")
    pool = iter(chance.sample(paragraphs(), len(paragraphs())))
    extras = cycle(chance.sample(_EXTRAS, len(_EXTRAS)))
    count = max(2, round(words / _SECTION_WORDS))
    sections = [_section(pool, next(extras)) for _ in range(count)]
    own = [[f"## {heading}", *blocks] for heading, blocks in (special or {}).items()]
    for number, section in enumerate(own):
        sections.insert(1 + (number + 1) * count // (len(own) + 1) + number, section)
    blocks = [next(pool).body, *(block for section in sections for block in section)]
    return "\n\n".join(blocks) + "\n"


def _section(pool: Iterator[Text], extra: str) -> list[str]:
    first, second, third = next(pool), next(pool), next(pool)
    return [f"## {first.title}", first.body, extra, second.body, third.body]


def _plain(text: Text, status: str = "published", **fields: Any) -> Post:
    words = 350 + 40 * (len(text.body) % 20)
    return Post(text.slug, text.title, text.description, text.tags, body_of(text.slug, words=words), status, fields)


def _of_corpus(slug: str) -> Text:
    return next(text for text in paragraphs() if text.slug == slug)


def _special(slug: str, words: int, special: Sections, **changed: Any) -> Post:
    text = _of_corpus(slug)
    made = {"title": text.title, "description": text.description, "tags": text.tags} | changed
    return Post(slug, body=body_of(slug, words=words, special=special), **made)


def _public_of_tasks() -> list[Post]:
    warm = (
        "A jar on the boiler is the oldest trick of all. The shelf above ours keeps twenty-four degrees through the "
        f"night; anything above thirty is too warm, and a {wanted.TYPO[0]} that swings by ten degrees between day and "
        "night is worse than one that is low and steady."
    )
    fares = [
        "Buy tickets from the machine on the platform, not from the driver, who sells only single journeys and takes "
        "no cards. Line 42 has machines on board.",
        f"{wanted.OLD_PRICE} and is valid on trams, buses and the two ferries from the moment it is stamped. A day "
        "pass is worth its price from the fourth journey. The airport bus is not included: a family of four pays 42 "
        "euros there and back.",
        "Inspectors wear no uniform. They are polite, they have heard every story, and the fine is ninety euros.",
    ]
    costs = [
        "The first year used 3,530 kilowatt hours for heating and 810 for hot water, measured by a meter of its own.",
        "At the tariff of our supplier that is four fifths of what the oil used to cost, and the chimney sweep no "
        "longer comes.",
    ]
    kit = ["We carried nine kilos each, food included, and sent nothing ahead. Next time it is going to be seven."]
    battery = ["Ask for the charger. A camera without one has often been in a drawer for years, with a dead battery."]
    hours = [
        "The library is open from ten to six on weekdays, and until eight on Thursdays.",
        f"{wanted.SATURDAY[0]} The seed swap is in the hall, on the first Saturday of the month.",
    ]
    tram = Post(
        "city-by-tram-guide",
        "The city by tram: a guide for a long weekend",
        "Six lines, two ferries and where to get off for what.",
        ["travel", "trains"],
        body_of("city-by-tram-guide", words=3000, special={"Before you go": kit, "Tickets and passes": fares}),
    )
    return [
        _special("sourdough-starter-cold-kitchen", 1500, {"Where to put the jar": [warm]}),
        tram,
        _special("heat-pump-old-house", 2000, {wanted.RUNNING_COSTS: costs}),
        _special("walking-west-highland-way", 1800, {"What we carried": kit}),
        _special("secondhand-camera-buying", 1000, {"The battery": battery}, tags=["photography"]),
        _special("public-library-love", 1200, {"Opening hours": hours}),
        budget(1),
    ]


def budget(edition: int) -> Post:
    """Return the post about budgets as it was first (1), after the update (2), and after upkeep (3)."""
    special = {
        "How many envelopes": [
            "We use twelve envelopes. More of them only move the arguments from the kitchen table to the screen.",
            "Keep three months of rent in the one that is never opened.",
        ],
        "Cash at the market": [_CASH],
        "Looking back": ["Every January we read the list of last year, once, without comments."],
    }
    first = _special("personal-budget-envelopes", 1500, special, title="Budgeting with envelopes")
    if edition == 1:
        return first
    body = first.body.replace("twelve envelopes", "nine envelopes").replace(
        "three months of rent", "six months of rent"
    )
    body = body.replace(f"## Cash at the market\n\n{_CASH}\n\n", "")
    if edition == 3:
        body = body.replace("## Looking back", "## A look back")
    return replace(first, title="Budgeting with envelopes, a year later", body=body)


def _drafts() -> list[Post]:
    oven = {
        "The dome": ["### Sand first", "##### Then clay", "The clay came from [the river](/blog/clay-by-the-river)."]
    }
    text = _of_corpus("bread-oven-garden")
    unfinished = Post(
        text.slug,
        text.title,
        "",
        text.tags,
        body_of(text.slug, words=700, special=oven),
        "draft",
        {"category": None, "cover_alt": "", "provenance": "human_written"},
    )
    slugs = (
        "learning-piano-adult",
        "vinyl-records-cleaning",
        "choosing-first-telescope",
        "adopting-greyhound",
        "museum-forgeries",
    )
    return [unfinished, *(_plain(_of_corpus(slug), "draft", provenance="ai_assisted") for slug in slugs)]


def _scheduled() -> list[Post]:
    dates = {
        "linocut-christmas-cards": "2030-01-07T08:00:00Z",
        "esperanto-year": "2030-01-21T08:00:00Z",
        "translating-poetry": "2030-02-11T17:30:00Z",
    }
    return [_plain(_of_corpus(slug), "scheduled", publish_at=date) for slug, date in dates.items()]
