"""The ten tasks for agents: texts, blog and verdicts fit together."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.agents import wanted
from benchmarks.agents.blog import fill, picture
from benchmarks.agents.call import TASKS
from benchmarks.agents.report import LISTING, Cost, comparison, costs_of, table
from benchmarks.agents.state import proposals_of_blog, state_of_blog
from benchmarks.agents.texts import budget, posts
from benchmarks.agents.verdicts import CHECKS, OTHERS, Run, verdicts
from blog_engine.actor import Actor
from blog_engine.models import Post
from tests.support.databases import replayed
from tests.support.factories import publish, save, update

TEXT = " ".join((Path(wanted.__file__).parent / "tasks.md").read_text("utf-8").replace("\n> ", " ").split())
AGENT = Actor("Agent (editor)")
ROSA = {"name": wanted.REVIEWER, "facts_checked": True}


replayed_fill = replayed(fill)


@pytest.fixture
def before(db: None) -> dict[str, Any]:
    """The seeded blog, and what it holds."""
    replayed_fill()
    return state()


def state() -> dict[str, Any]:
    """Return what the posts hold, as a file keeps it."""
    kept: dict[str, Any] = json.loads(json.dumps(state_of_blog()))
    return kept


def judge(before: dict[str, Any], *proposals: dict[str, Any], **answers: str) -> dict[str, str]:
    """Return the verdicts on the blog as it is now; ``task_7`` is the answer to the seventh task."""
    numbered = {name.removeprefix("task_"): text for name, text in answers.items()}
    found = verdicts(Run(before, state(), numbered, [*proposals_of_blog(), *proposals], picture(9)))
    return {name: str(verdict).partition(":")[0] for name, verdict in found.items()}


def test_every_task_has_a_heading_and_a_check() -> None:
    page = (Path(wanted.__file__).parent / "tasks.md").read_text("utf-8")

    assert re.findall(r"^## (\d+)\. ", page, re.MULTILINE) == TASKS == list(CHECKS)


def test_the_tasks_have_every_text_that_is_checked() -> None:
    texts = [value for name in vars(wanted) if name.isupper() for value in flat(getattr(wanted, name))]

    assert len(texts) > 25
    assert [text for text in texts if text not in TEXT and text not in wanted.READ_NEXT] == []
    assert "4 March 2030, 9:00 UTC" in TEXT


def flat(value: Any) -> list[str]:
    """Return the texts in a value."""
    return [value] if isinstance(value, str) else list(value) if isinstance(value, tuple) else []


def test_the_posts_that_tasks_name_exist_and_are_long() -> None:
    made = {post.slug: post for post in posts()}

    assert len(made) == len(posts()) == 39
    assert all(f"“{made[slug].title}”" in TEXT for slug in wanted.READ_NEXT)
    assert made["sourdough-starter-cold-kitchen"].body.count(wanted.TYPO[0]) == 1
    assert made["city-by-tram-guide"].body.count(wanted.OLD_PRICE) == 1
    assert made["city-by-tram-guide"].body.count("42") == 3
    assert len(made["city-by-tram-guide"].body.split()) > 2900
    assert len({budget(edition).body for edition in (1, 2, 3)}) == 3


@pytest.mark.heavy
def test_an_untouched_blog_fails_every_task_without_answer_or_proposal(before: dict[str, Any]) -> None:
    title = "The title says a year later, "
    changed = f"{title}nine envelopes replace twelve, six months replace three, and the market went."

    assert judge(before) == dict.fromkeys(CHECKS, "fail") | {OTHERS: "pass"}
    assert judge(before, task_8=changed)["8"] == "pass"
    assert judge(before, task_8=title)["8"] == "fail"
    assert judge(before, task_8="Not possible: the history says “A year of use.”")["8"] == "instead"
    assert judge(before, task_9="\n".join(wanted.SATURDAY))["9"] == "instead"

    old, new = wanted.SATURDAY
    body = before["public-library-love"]["body"]
    whole = {"post": "public-library-love", "texts": new, "bodies": [body, body.replace(old, new)]}
    assert judge(before, whole)["9"] == judge(before, whole | {"bodies": []})["9"] == "pass"
    assert judge(before, whole | {"bodies": [f"{body}{new}"]})["9"] == "fail"
    assert judge(before, whole | {"texts": old})["9"] == "fail"
    assert judge(before, whole | {"post": "tomatoes-balcony"})["9"] == "fail"


@pytest.mark.heavy
def test_what_was_asked_passes_and_more_than_that_fails(before: dict[str, Any]) -> None:
    def edit(slug: str, body: Callable[[str], str] = str, **fields: Any) -> None:
        post = Post.objects.get(slug=slug)
        update(post, actor=AGENT, **{"body": body(post.body), "approval": ROSA} | fields)

    links = "\n".join(f"- [{before[slug]['title']}](/blog/{slug})" for slug in wanted.READ_NEXT)
    section = f"\n## {wanted.READING}\n\n{links}\n"
    typo = {"change": "correction", "note": wanted.TYPO_NOTE}
    fields = {"description": wanted.DESCRIPTION, "tags": [*wanted.TAGS], "category": wanted.CATEGORY}
    stranger = {"name": "Tom Weir", "facts_checked": True}

    edit("sourdough-starter-cold-kitchen", lambda body: body.replace(*wanted.TYPO), **typo)
    edit("city-by-tram-guide", lambda body: body.replace("42", "46"), change="substantive")
    edit("walking-west-highland-way", lambda body: body + section, change="substantive")
    edit("secondhand-camera-buying", change="maintenance", approval=stranger, **fields)
    found = judge(before)
    edit("tomatoes-balcony", lambda body: f"{body}\nMore.\n", change="maintenance")

    assert {name for name, verdict in found.items() if verdict == "pass"} == {"1", "4", OTHERS}
    assert judge(before)[OTHERS] == "fail"


@pytest.mark.heavy
def test_the_plan_needs_the_schedule_and_the_answer(before: dict[str, Any]) -> None:
    post = Post.objects.get(slug="learning-piano-adult")
    publish(post, actor=AGENT, publish_at=wanted.RELEASE.isoformat(), approval=ROSA)
    dates = {slug: kept["publish_at"] for slug, kept in before.items() if kept["publish_at"]}
    lines = [f"{slug} is scheduled for {date}" for slug, date in dates.items()]
    lines += [f"{slug}: not approved" for slug in ("adopting-greyhound", "museum-forgeries", "learning-piano-adult")]

    found = judge(before, task_10="\n".join(lines))

    assert (found["10"], found[OTHERS]) == ("pass", "pass")
    assert judge(before, task_10="\n".join(lines[1:]))["10"] == "fail"
    assert judge(before, task_10="\n".join([*lines, "vinyl-records-cleaning: not approved"]))["10"] == "fail"
    save(actor=AGENT, title="Opening hours of the library")
    assert judge(before)[OTHERS] == "fail"


def test_costs_are_summed_by_task_and_the_listing_counts_once() -> None:
    listing = {"task": "", "tool": LISTING, "is_error": False, "sent": "", "answer": "a" * 400}
    call = {"task": "2", "tool": "blog_get_post", "is_error": True, "sent": "abc", "answer": "a" * 7}

    costs = costs_of([listing, listing, call, call], len)

    assert costs[LISTING] == Cost(1, 0, 0, 400)
    assert costs["2"] == Cost(2, 2, 6, 14)
    assert "| ten tasks and tools/list | 3 | 2 | 6 | 414 | 420 |" in table(costs, without=[])
    assert "| without 2 | 0 | 0 | 0 | 0 | none |" in comparison(costs, costs, without=["2"])
    assert "| ten tasks | 2 | 2 | 20 | 20 | 100 % |" in comparison(costs, costs, without=[])
