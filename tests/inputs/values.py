"""Values that the post inputs accept, with what the service receives."""

from collections.abc import Mapping
from datetime import UTC, date, datetime

import pytest

from blog_engine.enums import AuthorType, BodyFormat, Change, Provenance
from blog_engine.errors import Refusal
from blog_engine.inputs.adoption import AdoptPost
from blog_engine.inputs.base import Input, parse
from blog_engine.inputs.posts import (
    AuthorFields,
    AuthorKey,
    Connection,
    ConnectionsInput,
    FaqItem,
    ImageReference,
    InlineApproval,
)

APPROVAL = {"name": "Mina Holt", "facts_checked": False}
CONNECTIONS = {
    "connections": [{"party": "Quay Ltd", "relation": "customer"}],
    "third_party_paid": False,
    "declared_by": "Mina Holt",
}
DECLARED = ConnectionsInput(
    connections=(Connection(party="Quay Ltd", relation="customer"),), third_party_paid=False, declared_by="Mina Holt"
)

ACCEPTED: list[tuple[str, object, object]] = [
    ("title", " Harbour log ", " Harbour log "),
    ("title", "x" * 255, "x" * 255),
    *[
        (field, sent, stored)
        for field in ("description", "search_title", "search_description", "cover_alt", "body")
        for sent, stored in (("Tides", "Tides"), ("", ""), (None, ""), (" \r\n", " \r\n"))
    ],
    ("description", "x" * 3000, "x" * 3000),
    ("search_description", "x" * 3000, "x" * 3000),
    ("body", "x" * 300_000, "x" * 300_000),
    ("body_format", "markdown", BodyFormat.MARKDOWN),
    ("body_format", "rich_text", BodyFormat.RICH_TEXT),
    ("author", "12", AuthorKey("12")),
    ("author", "Mina Holt", AuthorKey("Mina Holt")),
    ("author", " Mina Holt\n", AuthorKey("Mina Holt")),
    ("author", {"name": " Mina "}, AuthorFields(name="Mina", type=AuthorType.PERSON, url=None)),
    ("author", {"name": "Mina"}, AuthorFields(name="Mina", type=AuthorType.PERSON, url=None)),
    (
        "author",
        {"name": "Quay", "type": "organization", "url": "https://quay.example"},
        AuthorFields(name="Quay", type=AuthorType.ORGANIZATION, url="https://quay.example"),
    ),
    ("author", {"name": "Mina", "url": None}, AuthorFields(name="Mina", url=None)),
    *[(field, None, None) for field in ("cover_image", "social_image")],
    *[(field, {"image_id": 4}, ImageReference(image_id=4)) for field in ("cover_image", "social_image")],
    ("cover_image", {"signed_id": "abc"}, ImageReference(signed_id="abc")),
    ("cover_image", {"url": "https://img.example/x.png"}, ImageReference(url="https://img.example/x.png")),
    ("faq", [], ()),
    (
        "faq",
        [{"question": " When?\t", "answer": "At noon.\r\n"}],
        (FaqItem(question=" When?\t", answer="At noon.\r\n"),),
    ),
    *[
        (field, sent, stored)
        for field in ("category", "series", "external_id")
        for sent, stored in (("Sea", "Sea"), (None, None), ("", None), (" ", None), ("x" * 255, "x" * 255))
    ],
    ("tags", [], ()),
    ("tags", ["Sea", "sea"], ("Sea", "sea")),
    ("tags", [" Sea "], ("Sea",)),
    ("category", " Sea\x1c", "Sea"),
    ("series", "\u00a0Sea", "Sea"),
    ("series_position", 1, 1),
    ("series_position", 2**31 - 1, 2**31 - 1),
    ("series_position", None, None),
    ("featured", True, True),
    ("featured", False, False),
    ("canonical_url", "https://old.example/tides", "https://old.example/tides"),
    ("canonical_url", None, None),
    ("canonical_url", " ", None),
    *[("language", *case) for case in (("PT-br", "pt-BR"), ("zh-hans", "zh-Hans"), ("", ""), (" ", ""), (None, ""))],
    *[("translation_of", *case) for case in ((12, "12"), ("tides", "tides"), ("", None), (None, None))],
    ("slug", "low-tide", "low-tide"),
    ("slug", None, None),
    ("slug", "", None),
    *[("provenance", word.value, word) for word in Provenance],
    ("provenance_evidence", "Said so", "Said so"),
    ("provenance_evidence", "", None),
    ("provenance_evidence", None, None),
    *[("made_by_ai", value, value) for value in (True, False, None)],
    ("approval", APPROVAL, InlineApproval(name="Mina Holt", facts_checked=False)),
    (
        "approval",
        APPROVAL | {"revision_identifier": "ab12"},
        InlineApproval(name="Mina Holt", facts_checked=False, revision_identifier="ab12"),
    ),
    ("approval", APPROVAL | {"revision_identifier": None}, InlineApproval(name="Mina Holt", facts_checked=False)),
    *[("change", word.value, word) for word in Change],
    *[
        (field, sent, stored)
        for field in ("change_description", "note")
        for sent, stored in (("Wrong year", "Wrong year"), ("", None), (" ", None), (None, None))
    ],
    ("connections", CONNECTIONS, DECLARED),
    (
        "connections",
        CONNECTIONS | {"connections": [], "declared_on": "2026-02-03"},
        ConnectionsInput(connections=(), third_party_paid=False, declared_by="Mina Holt", declared_on=date(2026, 2, 3)),
    ),
    ("publish_at", "2030-01-31T09:00:00+02:00", datetime(2030, 1, 31, 7, tzinfo=UTC)),
    ("publish_at", None, None),
]


NUL = "a\x00b"
LONE_SURROGATE = "a\ud800b"


def refusal_of_input(
    model: type[Input], raw: Mapping[str, object], *, fixed: Mapping[str, object] | None = None
) -> tuple[str, list[str]]:
    """The code and the details of the refusal that the input must cause."""
    with pytest.raises(Refusal) as caught:
        parse(model, raw, fixed=fixed)
    return caught.value.code, caught.value.details


def parameter_id(value: object) -> str:
    """The id of a parameter: strict pytest wants them different, and 5 is not "5"."""
    text = ascii(value)
    return text if len(text) <= 120 else f"{text[:60]} and {len(text) - 60} more"


ADOPTED_AT = "2020-03-04T12:00:00Z"
ARTICLE: dict[str, object] = {
    "source_system": "oldpress",
    "source_id": "17",
    "slug": "night-ferry",
    "title": "The night ferry",
    "body_format": "markdown",
    "body": "",
}
DECLARATION: dict[str, object] = {
    "reviewer_name": "Rosa",
    "facts_checked": True,
    "approved_at": ADOPTED_AT,
    "declared_by": "Mina",
    "declared_on": "2026-02-03",
}
IMPORTED: dict[str, object] = {
    "reviewer_name": "Rosa",
    "facts_checked": True,
    "approved_at": ADOPTED_AT,
    "evidence": "Workflow entry 4",
    "confirmed_by": "Mina",
}
ADOPTED_CONNECTIONS: dict[str, object] = {"connections": [], "third_party_paid": False, "declared_by": "Mina"}


def adoption_refusal(**fields: object) -> tuple[str, list[str]]:
    """Code and details of the refusal of an otherwise good article; ``...`` leaves a field out."""
    raw = {name: value for name, value in (ARTICLE | fields).items() if value is not ...}
    return refusal_of_input(AdoptPost, raw)


def parse_adoption(**fields: object) -> AdoptPost:
    return parse(AdoptPost, ARTICLE | fields)
