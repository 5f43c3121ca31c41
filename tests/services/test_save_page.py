"""Creating and editing policy pages."""

from datetime import date, datetime
from typing import Any

import pytest

from blog_engine.actor import Actor
from blog_engine.enums import PolicyKind
from blog_engine.errors import ScopeRequired, ValidationFailed
from blog_engine.inputs.base import parse
from blog_engine.inputs.records import SavePage
from blog_engine.models import PolicyPage
from blog_engine.services import SavedPage, save_page
from tests.requirements import requirement
from tests.support.factories import EDITOR, LATER, NOW, update
from tests.support.factories import save as save_post
from tests.support.hosts import blog_settings
from tests.support.tables import everything_stored, refused

pytestmark = pytest.mark.django_db

WRITER = Actor("Writer", scopes=["read", "write"])


def save(kind: str = "ai_use", *, actor: Actor = EDITOR, now: datetime = NOW, **fields: Any) -> SavedPage:
    return save_page(parse(SavePage, fields, fixed={"kind": kind}), actor=actor, now=now)


def stored(kind: str = "ai_use") -> PolicyPage:
    return PolicyPage.objects.get(kind=kind)


@requirement("policies.defaults")
def test_a_new_page_is_a_draft_without_a_text() -> None:
    saved = save(title="How we use AI")

    assert saved.created
    assert PolicyPage.objects.values().get() == {
        "id": saved.page.pk,
        "kind": "ai_use",
        "slug": "ai-use",
        "title": "How we use AI",
        "body": "",
        "body_html": "",
        "rendered_with": saved.page.rendered_with,
        "status": "draft",
        "approved_by": None,
        "approved_on": None,
        "updated_at": NOW,
    }


@requirement("policies.kinds")
@pytest.mark.parametrize(
    ("kind", "slug"),
    [
        ("responsible_party", "responsible-party"),
        ("corrections", "corrections"),
        ("editorial", "editorial-policy"),
        ("ai_use", "ai-use"),
    ],
)
def test_each_kind_has_a_slug_of_its_own(kind: str, slug: str) -> None:
    assert save(kind, title="A policy", slug="").page.slug == slug


@requirement("policies.no-text")
def test_the_service_supplies_no_text() -> None:
    for kind in PolicyKind:
        with refused(ValidationFailed, ["title"]):
            save(kind.value, body="Text.")
    assert not PolicyPage.objects.exists()


@requirement("policies.omitted")
def test_what_is_left_out_stays() -> None:
    save(title="How", body="Text.", slug="how", status="published", approved_by="Rosa", approved_on="2026-02-03")

    saved = save(title="How we use AI", now=LATER)

    page = stored()
    assert not saved.created
    assert (page.title, page.body, page.slug, page.status) == ("How we use AI", "Text.", "how", "published")
    assert (page.approved_by, page.approved_on, page.updated_at) == ("Rosa", date(2026, 2, 3), LATER)


@requirement("policies.omitted")
def test_a_blank_slug_keeps_the_stored_one() -> None:
    save(title="How", slug="how")

    assert save(slug=" ").page.slug == "how"


@requirement("policies.object.updated-at")
def test_a_write_that_changes_nothing_keeps_the_time() -> None:
    save(title="How", body="Text.", approved_by="Rosa")
    before = everything_stored()

    saved = save(title="How", body="Text.", approved_by="Rosa", slug="ai-use", status="draft", now=LATER)

    assert not saved.created
    assert everything_stored() == before


HOW: dict[str, Any] = {"title": "How"}
ROSA: dict[str, Any] = {"approved_by": "Rosa", "approved_on": "2020-02-29"}
LEAP_DAY = date(2020, 2, 29)


@requirement("policies.approved-on", "policies.approved-by")
@pytest.mark.parametrize(
    ("writes", "approval"),
    [
        ([HOW | {"approved_by": "Rosa"}], ("Rosa", NOW.date())),
        ([HOW | ROSA], ("Rosa", LEAP_DAY)),
        ([HOW | {"approved_by": "Rosa", "approved_on": None}], ("Rosa", None)),
        ([HOW | {"approved_by": None}], (None, None)),
        ([HOW | {"approved_by": ""}], (None, None)),
        ([HOW | {"approved_by": "  "}], (None, None)),
        ([HOW | {"body": "Text.", "status": "published"}], (None, None)),
        ([HOW | ROSA, {"body": "More.", "status": "published"}], ("Rosa", LEAP_DAY)),
        ([HOW | ROSA, {"approved_by": "Rosa"}], ("Rosa", LATER.date())),
    ],
)
def test_an_approval_is_the_one_that_was_sent(
    writes: list[dict[str, Any]], approval: tuple[str | None, date | None]
) -> None:
    for fields, now in zip(writes, (NOW, LATER), strict=False):
        save(**fields, now=now)

    assert (stored().approved_by, stored().approved_on) == approval


@requirement("policies.approved-on")
def test_today_is_in_the_time_zone_of_the_site(settings: Any) -> None:
    settings.TIME_ZONE = "Pacific/Auckland"

    assert save(title="How", approved_by="Rosa").page.approved_on == date(2026, 11, 22)


@requirement("policies.scopes")
def test_drafts_need_write() -> None:
    save(actor=WRITER, title="How", body="Text.")

    assert not save(actor=WRITER, body="More.").created


PUBLISHED: dict[str, Any] = {"title": "How", "body": "Text.", "status": "published"}


@requirement("policies.scopes")
@pytest.mark.parametrize(
    ("before", "fields"),
    [
        (None, PUBLISHED),
        (HOW | {"body": "Text."}, PUBLISHED),
        *((PUBLISHED, fields) for fields in ({}, {"title": "New"}, {"status": "draft"})),
        # The scope is checked before the meaning.
        (None, {"status": "published"}),
    ],
)
def test_a_page_that_is_or_becomes_published_needs_publish(
    before: dict[str, Any] | None, fields: dict[str, Any]
) -> None:
    if before is not None:
        save(**before)

    with refused(ScopeRequired, ["publish"]):
        save(actor=WRITER, **fields)
    with refused(ScopeRequired, ["write"]):
        save(actor=Actor("Publisher", scopes=["publish"]), **fields)


@requirement("policies.body", "policies.slug", "refusals.all-fields")
@pytest.mark.parametrize(
    ("before", "fields", "details"),
    [
        (None, PUBLISHED | {"body": ""}, ["body"]),
        (None, PUBLISHED | {"body": " \n"}, ["body"]),
        (PUBLISHED, {"body": ""}, ["body"]),
        (None, HOW | {"slug": "corrections"}, ["slug"]),
        (None, {"status": "published", "slug": "corrections"}, ["title", "body", "slug"]),
    ],
)
def test_faulty_fields_are_named(before: dict[str, Any] | None, fields: dict[str, Any], details: list[str]) -> None:
    save("corrections", title="Corrections")
    if before is not None:
        save(**before)

    with refused(ValidationFailed, details):
        save(**fields)


@requirement("policies.body")
def test_a_withdrawn_page_may_lose_its_text() -> None:
    save(**PUBLISHED)

    assert save(body="", status="draft").page.body == ""


@requirement("limits.bodies.size")
def test_a_body_has_a_limit(settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(max_body_bytes=4)
    save(title="How", body="éé")

    with refused(ValidationFailed, ["body"]):
        save(body="ééé")


@requirement("policies.rendering")
def test_the_text_is_rendered_when_it_is_saved() -> None:
    page = save(title="How", body="# Rules\n\nOne[^1]\n\n[^1]: Two <script>alert(1)</script>").page

    assert '<h2 id="rules">' in page.body_html
    assert 'id="fn-ai_use-' in page.body_html
    assert "<script" not in page.body_html


@requirement("policies.responsible")
@pytest.mark.parametrize("status", ["draft", "published"])
def test_the_responsible_party_changes_no_record_of_a_post(status: str) -> None:
    post = save_post(title="Soil", publish=True).post
    update(post, body="New.", change="substantive")
    before = everything_stored()

    save("responsible_party", title="Who we are", body="We.", status=status)

    after = everything_stored()
    assert after.pop("PolicyPage") != before.pop("PolicyPage")
    assert after == before
