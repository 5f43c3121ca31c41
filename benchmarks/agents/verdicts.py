"""The verdict on each task, from the posts before and after it and from the answers of the agent."""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from benchmarks.agents import wanted

State = Mapping[str, Any]
"""A post as ``state`` describes it."""

OTHERS: Final = "others"
"""The name of the verdict on everything that no task is about."""
_HISTORY: Final = {"identifier", "public", "publications", "approvals", "provenance"}
"""What a change of a public post brings along; agents decide about the provenance."""


class Run(NamedTuple):
    """A run of an agent."""

    before: Mapping[str, State]
    after: Mapping[str, State]
    answers: Mapping[str, str]
    """The answers by the number of the task."""
    proposals: list[dict[str, Any]]
    """The post, the texts and the bodies of each proposal."""
    cover: bytes
    """The picture for the new article."""


@dataclass(frozen=True)
class Verdict:
    """The verdict on one task."""

    faults: list[str]
    is_instead: bool = False
    """Whether it was done in the other way that the task allows."""

    def __str__(self) -> str:
        if self.faults:
            return f"fail: {'; '.join(self.faults)}"
        return "instead" if self.is_instead else "pass"


def verdicts(run: Run) -> dict[str, Verdict]:
    """Return the verdict on each task by its number, and one on the other posts."""
    return {**{name: check(run) for name, check in CHECKS.items()}, OTHERS: Verdict(list(_other_faults(run)))}


def blocks_of(body: str) -> list[str]:
    """Return the blocks of a text without the white space around them."""
    return [block.strip() for block in re.split(r"\n[ \t]*\n", body.replace("\r\n", "\n")) if block.strip()]


def _typo(run: Run) -> Verdict:
    slug = "sourdough-starter-cold-kitchen"
    body = run.before[slug]["body"].replace(*wanted.TYPO)
    return Verdict(
        [*_edit_faults(run, slug, {"body": body}), *_entry_faults(run, slug, "correction", wanted.TYPO_NOTE)]
    )


def _price(run: Run) -> Verdict:
    slug = "city-by-tram-guide"
    body = run.before[slug]["body"].replace(wanted.OLD_PRICE, wanted.NEW_PRICE)
    faults = _edit_faults(run, slug, {"body": body})
    return Verdict([*faults, *_entry_faults(run, slug, "substantive", wanted.PRICE_CHANGE)])


def _paragraph(run: Run) -> Verdict:
    slug = "heat-pump-old-house"
    blocks = blocks_of(run.before[slug]["body"])
    start = blocks.index(f"## {wanted.RUNNING_COSTS}")
    end = next((place for place in range(start + 1, len(blocks)) if blocks[place].startswith("## ")), len(blocks))
    body = "\n\n".join([*blocks[:end], wanted.PARAGRAPH, *blocks[end:]])
    return Verdict([*_edit_faults(run, slug, {"body": body}), *_entry_faults(run, slug, "substantive")])


def _reading(run: Run) -> Verdict:
    slug = "walking-west-highland-way"
    old, new = (blocks_of(state[slug]["body"]) for state in (run.before, run.after))
    faults = _edit_faults(run, slug, {"body": run.after[slug]["body"]}) + _entry_faults(run, slug, "substantive")
    if new[: len(old)] != old:
        return Verdict([*faults, "the text before the new section changed"])
    lines = [line.strip() for line in "\n".join(new[len(old) :]).splitlines()]
    if not lines or lines[0] != f"## {wanted.READING}":
        return Verdict([*faults, "the last section is another one"])
    links = [re.fullmatch(r"[-*+] \[(.+)\]\((\S+)\)", line) for line in lines[1:]]
    found = [(link[1], urlsplit(link[2]).path.rstrip("/")) if link else None for link in links]
    if found != [(run.before[name]["title"], f"/blog/{name}") for name in wanted.READ_NEXT]:
        faults.append("the list has other entries")
    return Verdict(faults)


def _metadata(run: Run) -> Verdict:
    slug = "secondhand-camera-buying"
    fields = {"description": wanted.DESCRIPTION, "tags": sorted(wanted.TAGS), "category": wanted.CATEGORY}
    added = _new_entries(run, slug)
    faults = [] if added and {entry[0] for entry in added} == {"maintenance"} else ["not recorded as maintenance"]
    return Verdict(_edit_faults(run, slug, fields) + faults)


def _article(run: Run) -> Verdict:
    made = [slug for slug in run.after if slug not in run.before and run.after[slug]["title"] == wanted.ARTICLE]
    if len(made) != 1:
        return Verdict([f"{len(made)} new posts have the title"])
    post = run.after[made[0]]
    words = len(post["body"].split())
    lacking = [fact for fact in wanted.ARTICLE_FACTS if fact.lower() not in post["body"].lower()]
    tests = {
        "it is no draft": post["status"] == "draft" and not post["publications"] and not post["approvals"],
        f"it has {words} words": 450 <= words <= 800,
        f"it lacks {', '.join(lacking)}": not lacking,
        "it has no description": bool(post["description"].strip()),
        "it has another category": post["category"] == wanted.ARTICLE_CATEGORY,
        "it has other tags": post["tags"] == sorted(wanted.ARTICLE_TAGS),
        "it has another cover": post["cover"] == hashlib.sha256(run.cover).hexdigest(),
        "the cover is not described": len(post["cover_alt"]) >= 10,
        "it does not say that AI helped": post["provenance"] == "ai_assisted",
    }
    return Verdict([fault for fault, holds in tests.items() if not holds])


def _missing(run: Run) -> Verdict:
    kinds = {
        "description": "description",
        "category": "category",
        "text of the cover": r"\balt|cover",
        "heading level": "heading",
        "broken link": "link|clay-by-the-river",
    }
    answer = run.answers.get("7", "")
    faults = [
        f"the answer lacks: {kind}" for kind, words in kinds.items() if not re.search(words, answer, re.IGNORECASE)
    ]
    if len(answer.strip().splitlines()) > 3 * len(kinds):
        faults.append("the answer has too many lines")
    return Verdict(faults + _edit_faults(run, "bread-oven-garden", {}))


def _difference(run: Run) -> Verdict:
    answer = run.answers.get("8", "").strip()
    kept = _edit_faults(run, "personal-budget-envelopes", {})
    if answer.startswith("Not possible:"):
        return Verdict(kept + ([] if "A year of use" in answer else ["the answer lacks the described change"]), True)
    kinds = {
        "the title": "a year later",
        "the number of envelopes": r"\b(?:nine|9)\b",
        "the months": r"\b(?:six|6)\b",
        "the section that went": "market|coins",
    }
    faults = [
        f"the answer lacks: {kind}" for kind, words in kinds.items() if not re.search(words, answer, re.IGNORECASE)
    ]
    if re.search("look back", answer, re.IGNORECASE):
        faults.append("the answer has a change of another update")
    return Verdict(kept + faults)


def _suggestion(run: Run) -> Verdict:
    slug, (old, new) = "public-library-love", wanted.SATURDAY
    kept = _edit_faults(run, slug, {})
    if run.proposals:
        body = run.before[slug]["body"]
        bodies = [blocks_of(sent) for proposal in run.proposals for sent in proposal["bodies"]]
        tests = {
            "another post has a proposal": all(proposal["post"] == slug for proposal in run.proposals),
            "no proposal has the new sentence": any(new in proposal["texts"] for proposal in run.proposals),
            "more than the sentence was changed": all(
                sent in (blocks_of(body), blocks_of(body.replace(old, new))) for sent in bodies
            ),
        }
        return Verdict(kept + [fault for fault, holds in tests.items() if not holds])
    # The answer can break its lines anywhere.
    answer = " ".join(run.answers.get("9", "").split())
    return Verdict(kept + [f"the answer lacks: {text}" for text in (old, new) if text not in answer], True)


def _plan(run: Run) -> Verdict:
    slug = "learning-piano-adult"
    post = run.after[slug]
    faults = _edit_faults(run, slug, {"status": "scheduled", "publish_at": wanted.RELEASE.isoformat()}, is_public=False)
    if [wanted.REVIEWER, True, post["identifier"]] not in post["approvals"]:
        faults.append("the scheduled text is not approved")
    lines = run.answers.get("10", "").lower().splitlines()
    is_unapproved = {name: any(name in line and "not approved" in line for line in lines) for name in run.before}
    said = {name for name, is_said in is_unapproved.items() if is_said}
    if said != {slug, "adopting-greyhound", "museum-forgeries"}:
        faults.append(f"said to be not approved: {', '.join(sorted(said)) or 'none'}")
    dates = {
        "linocut-christmas-cards": r"2030-01-07|\b0?7\.? january|january 0?7\b",
        "esperanto-year": r"2030-01-21|\b21\.? january|january 21\b",
        "translating-poetry": r"2030-02-11|\b11\.? february|february 11\b",
    }
    for name, date in dates.items():
        if not any(name in line and "scheduled" in line and re.search(date, line) for line in lines):
            faults.append(f"the answer lacks the date of {name}")
    return Verdict(faults)


CHECKS: Final[Mapping[str, Callable[[Run], Verdict]]] = {
    "1": _typo,
    "2": _price,
    "3": _paragraph,
    "4": _reading,
    "5": _metadata,
    "6": _article,
    "7": _missing,
    "8": _difference,
    "9": _suggestion,
    "10": _plan,
}
_POSTS: Final = {
    *("sourdough-starter-cold-kitchen", "city-by-tram-guide", "heat-pump-old-house", "walking-west-highland-way"),
    *("secondhand-camera-buying", "bread-oven-garden", "personal-budget-envelopes", "public-library-love"),
    "learning-piano-adult",
}
"""The posts that tasks are about."""


def _edit_faults(run: Run, slug: str, fields: Mapping[str, Any], *, is_public: bool = True) -> list[str]:
    """Return how a post differs from what it was with these fields; without fields nothing of it can change."""
    if slug not in run.after:
        return [f"{slug} is gone"]
    old, new = dict(run.before[slug]) | fields, run.after[slug]
    free = _HISTORY if fields else set()
    faults = [
        f"{key} is not as asked" for key in sorted(old) if key not in free and not _is_equal(key, old[key], new[key])
    ]
    if fields and is_public and new["public"] != new["identifier"]:
        faults.append("readers do not see the present content")
    added = new["approvals"][len(run.before[slug]["approvals"]) :]
    if any(approval[:2] != [wanted.REVIEWER, True] for approval in added):
        faults.append("it has an approval that was not given")
    return faults


def _is_equal(key: str, old: Any, new: Any) -> bool:
    return blocks_of(old) == blocks_of(new) if key == "body" else bool(old == new)


def _entry_faults(run: Run, slug: str, kind: str, text: str = "") -> list[str]:
    """Return what is wrong with the one publication that a change has to record."""
    added = _new_entries(run, slug)
    if len(added) != 1 or added[0][0] != kind:
        return [f"recorded: {', '.join(entry[0] for entry in added) or 'nothing'} instead of one {kind}"]
    said = added[0][2 if kind == "correction" else 1] or ""
    return [f"described as {said!r}"] if text and said.strip() != text else []


def _new_entries(run: Run, slug: str) -> list[list[Any]]:
    entries: list[list[Any]] = run.after[slug]["publications"][len(run.before[slug]["publications"]) :]
    return entries


def _other_faults(run: Run) -> Iterable[str]:
    for slug, post in run.before.items():
        if slug not in _POSTS and run.after.get(slug) != post:
            yield f"{slug} changed"
    for slug, post in run.after.items():
        if slug not in run.before and post["title"] != wanted.ARTICLE:
            yield f"{slug} was made"
