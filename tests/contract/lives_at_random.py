"""Random inputs with few words, so that posts, redirects and pages often collide."""

from typing import Any

from tests.contract.life_records import FUTURE, PAST
from tests.contract.values import Chance

IDS = ["one", "two", "three"]
SLUGS = ["a", "b", "c", "d", "e"]
FORMER = ["old", "older", "oldest", *SLUGS]
WRONG = "0" * 64
OLD_PATHS = [
    *("/blog/a", "/blog/b/", "/blog/%63", "/blog/d.md", "/blog/m1", "/blog/m1/", "/blog/%6D2", "/blog/deep/x", "/x1"),
    *("/x1/", "/x2", "/x3", "/blog/m3", "/blog/m4", "/blog/policies/who", "/blog/policies/how", "/blog/old", "/blog/e"),
]
NEW_PATHS = [
    *(
        *SLUGS,
        "m1",
        "/blog/a",
        "/blog/b?x=1",
        "/blog/c.md",
        "/blog/m2",
        "/x2",
        "https://example.com/blog/d",
        "/blog/old",
    ),
    *("https://e.example/z", "/blog/policies/who", None, None),
]
REDIRECT_TO = [None, None, *SLUGS, "/blog/m1", "/x1", "https://e.example/z"]
VERBS = ["edit", "edit", "edit", "publish", "publish", "unpublish", "remove", "approve", "connect"]
PATHS_TO_LOOK_AT = [
    *(f"/blog/{slug}.md" for slug in [*SLUGS, *("t" + name for name in IDS), "t1", "t2", "m1", "m2", *FORMER]),
    *("/x1", "/x2", "/blog/deep/x", "/blog/policies/who", "/blog/policies/how", "/blog/policies/ai-use"),
]


def some(chance: Chance, offers: dict[str, tuple[float, list[Any]]]) -> dict[str, Any]:
    """Return some of these fields, each with its probability."""
    return {name: chance.choice(values) for name, (often, values) in offers.items() if chance.random() < often}


def post_fields(chance: Chance, images: list[int]) -> dict[str, Any]:
    """Return random fields of a write to a post."""
    sent = some(
        chance,
        {
            "title": (0.3, ["T1", "T2"]),
            "body": (0.4, ["", "Text.", "Other *text*."]),
            "cover_image": (0.15, [None, *({"image_id": number} for number in images)]),
            "cover_alt": (0.15, ["", "The quay"]),
            "slug": (0.3, SLUGS),
            "change": (0.4, ["substantive", "correction", "maintenance"]),
            "note": (0.5, ["It was wrong."]),
            "change_description": (0.1, ["Said more."]),
            "publish_at": (0.25, [None, PAST, FUTURE]),
            "approval": (0.2, [{"name": "Rosa", "facts_checked": checked} for checked in (True, True, False)]),
            "provenance": (0.2, ["ai_assisted", "human_written", "unknown"]),
            "tags": (0.2, [[], ["x"], ["y", "x"]]),
            "featured": (0.1, [True, False]),
        },
    )
    if "approval" in sent and chance.random() < 0.1:
        sent["approval"] = sent["approval"] | {"revision_identifier": WRONG}
    return sent


def adoption(chance: Chance, images: list[int]) -> dict[str, Any]:
    """Return an article of another system."""
    sent = {
        "source_system": "oldpress",
        "source_id": chance.choice(["1", "2", "3", "4"]),
        "slug": chance.choice(SLUGS),
        "title": chance.choice(["T1", "T2"]),
        "body": chance.choice(["Text.", "Old text."]),
        "body_format": "markdown",
    } | some(chance, _past(chance, images))
    if sent.get("first_published_at") is None and "declaration" in sent and chance.random() < 0.5:
        sent["declaration"] = sent["declaration"] | {"declared_first_published_at": "2018-01-01T00:00:00Z"}
    if "declaration" in sent or "provenance_evidence" in sent:
        sent["provenance"] = chance.choice(["ai_assisted", "human_written", "unknown"])
    return sent


def changed_adoption(chance: Chance, images: list[int], sent: dict[str, Any]) -> dict[str, Any]:
    """Return the article with one field changed, added or left out."""
    offers = _past(chance, images) | {
        "slug": (0, SLUGS),
        "title": (0, ["T1", "T2"]),
        "body": (0, ["Text.", "Old text."]),
    }
    name = chance.choice(list(offers))
    if name in sent and offers[name][0] and chance.random() < 0.5:
        return {kept: value for kept, value in sent.items() if kept != name}
    return sent | {name: chance.choice(offers[name][1])}


def _past(chance: Chance, images: list[int]) -> dict[str, tuple[float, list[Any]]]:
    """Return random optional fields of an adoption."""
    review = {"reviewer_name": "Rosa", "facts_checked": chance.choice([True, False]), "approved_at": PAST}
    former = chance.sample(FORMER, k=chance.choice([0, 1, 1, 2]))
    dated = [{"slug": slug, "moved_on": chance.choice([None, "2019-12-31"])} for slug in former]
    return {
        "external_id": (0.2, IDS),
        "cover_image": (0.1, [None, *({"image_id": number} for number in images)]),
        "cover_alt": (0.1, ["", "The quay"]),
        "tags": (0.1, [[], ["x"], ["y", "x"]]),
        "featured": (0.1, [True, False]),
        "old_slugs": (0.6, [former, dated]),
        "first_published_at": (0.3, ["2019-05-06T07:08:09.123456Z", None]),
        "first_published_evidence": (0.5, ["Dump", ""]),
        "last_modified_at": (0.3, ["2020-06-07T08:09:10Z"]),
        "last_modified_evidence": (0.5, ["Dump"]),
        "source_body_sha256": (0.1, ["a" * 64]),
        "provenance_evidence": (0.2, ["Asked."]),
        "connections": (0.15, [{"connections": [], "third_party_paid": False, "declared_by": "Mina"}]),
        "declaration": (0.15, [review | {"declared_by": "Mina", "declared_on": "2026-11-20"}]),
        "imported_approval": (0.1, [review | {"evidence": "Entry 4", "confirmed_by": "Mina"}]),
        "dry_run": (0.2, [True, True, False]),
    }


def redirect(chance: Chance, numbers: list[int]) -> dict[str, Any]:
    """Return a redirect made by hand."""
    sent = {"old_path": chance.choice(OLD_PATHS), "new_path": chance.choice(NEW_PATHS)}
    return sent | some(chance, {"post_id": (0.3, [*numbers, 999_999]), "occurred_on": (0.3, ["2019-12-31"])})


def page_fields(chance: Chance) -> dict[str, Any]:
    """Return random fields of a policy page."""
    return some(
        chance,
        {
            "title": (0.8, ["Who", "How"]),
            "body": (0.7, ["We do.", " "]),
            "status": (0.7, ["published", "published", "draft"]),
            "slug": (0.4, ["who", "how", ""]),
            "approved_by": (0.2, ["Rosa", None]),
        },
    )
