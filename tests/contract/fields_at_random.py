"""Random inputs of the operations: each field with valid, odd or invalid values."""

from typing import Any

from tests.contract.values import (
    DAYS,
    FAQ_TEXTS,
    GARBAGE,
    KINDS,
    ODD_DAYS,
    ODD_PATHS,
    ODD_SLUGS,
    ODD_TARGETS,
    ODD_TEXTS,
    ODD_TIMES,
    ODD_TITLES,
    ODD_URLS,
    PATHS,
    SLUGS,
    TARGETS,
    TEXTS,
    TIMES,
    TITLES,
    UNKNOWN_ID,
    URLS,
    Chance,
    Known,
    Make,
    mostly,
    object_of,
    one_of,
    several,
)


def _image(chance: Chance, known: Known) -> Any:
    by_id = {"image_id": known.id_of(chance, "images")}
    if known.is_tidy or chance.random() < 0.6:
        return chance.choice([None, by_id, by_id, {"url": f"{known.gallery}/{chance.choice(['quay', 'wall'])}.png"}])
    return chance.choice(
        [
            {"url": f"{known.gallery}/{chance.choice(['page', 'loop', 'moved', 'cut', 'large', 'gone'])}.png"},
            {"url": chance.choice([*URLS, *ODD_URLS])},
            {"signed_id": chance.choice(["", "x", "a:b:c"])},
            {"image_id": True},
            by_id | {"url": "https://x.example/i.png"},
            {},
        ]
    )


def _body(chance: Chance, known: Known) -> Any:
    pictures = [f"![a]({url})" for url in [*known.media, f"{known.gallery}/wall.png"]]
    if not known.is_tidy and chance.random() < 0.03:
        return chance.choice(ODD_TEXTS)
    return chance.choice([*TEXTS[:5], *TEXTS, *FAQ_TEXTS, *pictures, " ".join(pictures)])


def _owner(chance: Chance, known: Known) -> Any:
    ids = [int(key) for key in known.posts if key.isdigit() and key != "10000007"]
    return chance.choice([None, None, UNKNOWN_ID, *ids, *ids])


_TITLE = one_of(TITLES, ODD_TITLES)
_TEXT = one_of(TEXTS, ODD_TEXTS)
_SLUG = one_of(SLUGS, ODD_SLUGS)
_DAY = one_of(DAYS, ODD_DAYS)
_URL = one_of(URLS, ODD_URLS)
_WORDS = one_of(["News", "news", "NEWS", "Été", "Straße", "STRASSE", " a ", "c++", "c#"], ["!!!", "x" * 255, "", None])
_TAG = one_of(["News", "news", "NEWS", "Été", "Straße", "STRASSE", " a ", "c++", "c#", "!!!"], ["", None, "x" * 256])
_TIME = one_of(["2019-05-06T07:08:09.123456Z", "2020-06-07T08:09:10+01:00", None], ODD_TIMES)
_EVIDENCE = one_of(["Database dump", "Database dump", "", " ", None])
_REVIEW: dict[str, Make] = {
    "reviewer_name": one_of(["Rosa"], [" ", None]),
    "facts_checked": one_of([True, True, False], ["true"]),
    "approved_at": one_of(["2020-01-02T03:04:05Z"], ["2020-01-02T03:04:05", *ODD_TIMES]),
}
_CONNECTION = object_of({"party": one_of(["Acme"], ["", 3]), "relation": one_of(["owner"], [" ", None])}, left_out=0.02)

CONNECTIONS: dict[str, Make] = {
    "connections": several(_CONNECTION, 2),
    "third_party_paid": one_of([True, False], [0]),
    "declared_by": one_of(["Rosa"], [""]),
    "declared_on": _DAY,
}
APPROVAL: dict[str, Make] = {
    "name": one_of(["Rosa"], [" ", None]),
    "facts_checked": one_of([True, True, False], ["true"]),
    "revision_identifier": lambda chance, known: chance.choice([*known.identifiers * 3, "0" * 64, None, "", 3]),
}
CONTENT: dict[str, Make] = {
    "title": _TITLE,
    "description": _TEXT,
    "search_title": _TITLE,
    "search_description": _TEXT,
    "body": _body,
    "body_format": one_of(["markdown"], ["rich_text", "html", ""]),
    "author": one_of(
        ["Ada Example", "ada-example", "Zoë", {"name": "Org", "type": "organization"}, "!!!"],
        [str(UNKNOWN_ID), "", 3, {}],
    ),
    "cover_image": _image,
    "cover_alt": _TITLE,
    "social_image": _image,
    "faq": several(
        object_of({"question": one_of(["Why?", "why?"], [" "]), "answer": one_of(TEXTS[2:], ODD_TEXTS)}, left_out=0.02),
        3,
    ),
    "category": _WORDS,
    "tags": several(_TAG, 4),
    "series": _WORDS,
    "series_position": one_of([1, 2, None], [0, 2**31, True]),
    "featured": one_of([True, False], [None]),
    "canonical_url": _URL,
    "slug": _SLUG,
    "external_id": one_of(["e1", "e2", "e3"], [" ", None, "x" * 256]),
    "provenance": one_of(["ai_assisted", "human_written", "unknown"], ["AI", None]),
    "provenance_evidence": _TITLE,
}
RECORD: dict[str, Make] = {
    "made_by_ai": one_of([True, False, None], ["no"]),
    "approval": object_of(APPROVAL | {"revision_identifier": one_of([None], ["0" * 64, "", 3])}),
    "change": one_of(["substantive", "correction", "maintenance"], ["first", None]),
    "change_description": _TITLE,
    "note": _TITLE,
    "connections": object_of(CONNECTIONS),
    "publish_at": one_of([*TIMES, None], ODD_TIMES),
}
POST: dict[str, Make] = CONTENT | RECORD | {"publish": one_of([True, True, False], [1])}
ADOPTION: dict[str, Make] = CONTENT | {
    "source_system": one_of(["oldpress"], ["newpress", "Oldpress", "", "x" * 256]),
    "source_id": one_of(["1", "2", "3"], ["4", " ", "x" * 255, "é", 1]),
    "body": mostly(one_of(TEXTS[2:4]), _body),
    "provenance": one_of(["unknown"], ["ai_assisted", "human_written", "AI"]),
    "source_body_sha256": one_of(["a" * 64, None], ["A" * 64, ""]),
    "old_slugs": several(
        mostly(
            one_of(["old", "older", "oldest", *SLUGS]),
            object_of({"slug": one_of(["old", "older", "feed", "A"]), "moved_on": _DAY}),
        ),
        2,
    ),
    "feed_id": one_of(["https://old.example/?p=1", "urn:x:2", "tag:old.example,2019:3"], ["17", "", None, "a b:c"]),
    "category_description": _TEXT,
    "first_published_at": _TIME,
    "first_published_evidence": _EVIDENCE,
    "last_modified_at": _TIME,
    "last_modified_evidence": _EVIDENCE,
    "declaration": object_of(
        _REVIEW | {"declared_by": one_of(["Mina"], [""]), "declared_on": _DAY, "declared_first_published_at": _TIME},
        left_out=0.02,
    ),
    "imported_approval": object_of(
        _REVIEW | {"evidence": one_of(["Entry 4"], [" "]), "confirmed_by": one_of(["Mina"], [None])}, left_out=0.02
    ),
    "connections": object_of(CONNECTIONS),
    "dry_run": one_of([True, False, False], ["true"]),
}
CATEGORY: dict[str, Make] = {
    "name": mostly(_WORDS, _TITLE),
    "slug": one_of(["news", "sea", *SLUGS, None], ODD_SLUGS),
    "description": _TEXT,
    "position": one_of([0, 1, -5, 2**31 - 1, -(2**31)], [2**31, None, 1.0]),
}
SERIES: dict[str, Make] = {name: CATEGORY[name] for name in ("name", "slug", "description")}
AUTHOR: dict[str, Make] = {
    "name": one_of(["Ada Example", "Zoë", "Mina Holt", *TITLES], ODD_TITLES),
    "slug": one_of(["ada-example", "mina", *SLUGS, None], ODD_SLUGS),
    "type": one_of(["person", "organization"], ["robot", None]),
    "bio": _TEXT,
    "url": _URL,
    "profile_urls": several(_URL, 3),
    "avatar": _image,
    "host_reference": _TITLE,
}
REDIRECT: dict[str, Make] = {
    "old_path": mostly(one_of(PATHS), one_of(ODD_PATHS)),
    "new_path": one_of(TARGETS, ODD_TARGETS),
    "post_id": _owner,
    "occurred_on": _DAY,
}
REMOVAL: dict[str, Make] = {"redirect_to": one_of(TARGETS, ODD_TARGETS)}
PAGE: dict[str, Make] = {
    "title": one_of(["About", *TITLES], ODD_TITLES),
    "body": _body,
    "status": one_of(["published", "published", "draft"], ["scheduled", None]),
    "slug": one_of(["who", "ai-use", "corrections", *SLUGS], ODD_SLUGS),
    "approved_by": one_of(["Rosa", "", None], ["x" * 256, 3]),
    "approved_on": one_of([*DAYS, None], ODD_DAYS),
}
FAQ_EXTRACTION: dict[str, Make] = {
    "body": mostly(one_of(FAQ_TEXTS + TEXTS), one_of([*ODD_TEXTS, "## FAQ\n" * 40_000])),
    "standalone_questions": several(one_of(["Is it late?", "C#", "FAQ", "", "x" * 9000], ["\x00", "\ud800"]), 3),
}
UPLOAD: dict[str, Make] = {
    "url": lambda chance, known: (_image(chance, known) or {}).get("url", chance.choice(GARBAGE)),
}
PAGED: dict[str, Make] = {
    "page": one_of(["1", "1", "2", "999999999"], ["0", "01", "x"]),
    "per_page": one_of(["1", "100", "1000"], ["-1", "", "1.0"]),
}
POSTS: dict[str, Make] = PAGED | {
    "status": one_of(["draft", "published", "scheduled", "archived"], ["x", ""]),
    "category": one_of(["news", "News", str(UNKNOWN_ID), "9" * 30], [" "]),
    "tag": one_of(["strasse", str(UNKNOWN_ID), "c#"], ["\x00"]),
    "author": one_of(["ada-example", "Ada Example"], [""]),
    "series": one_of(["News"], [""]),
    "q": one_of(["text", 'été "a b" -x', "%_\\", "a", "'&|!():*", "x" * 101, ""], ["\x00"]),
}
VIEWS: dict[str, Make] = {"from": _DAY, "to": _DAY}
TOP: dict[str, Make] = {
    "days": one_of(["1", "30", "36500"], ["36501", "0", "x", "٣"]),
    "limit": one_of(["1", "100"], ["101", "", "1_0"]),
}
REPORT: dict[str, Make] = {
    "scope": one_of(["site", "all"], ["post", "blog", ""]),
    "page": one_of(["1", "2", "1000000"], ["0", "1000001", "x"]),
    "reach": one_of(["false", "true"], ["yes", "1"]),
    "format": one_of(["json"], ["html", ""]),
}
KIND = one_of(KINDS, ["terms", "AI_USE", "%00", "%ff", "1", "..", "responsible_party%20"])
