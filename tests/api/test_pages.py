"""``/pages``."""

from typing import Any

import pytest
from django.test import Client

from blog_engine.enums import PolicyKind
from blog_engine.inputs.records import SavePage
from blog_engine.services import save_page
from tests.requirements import requirement
from tests.support.clients import assert_json, client_with, refusal_in
from tests.support.factories import EDITOR, NOW, approve, save
from tests.support.hosts import blog_settings
from tests.support.tables import undone

pytestmark = pytest.mark.django_db

PAGES = "/blog/api/v1/pages"
POSTS = "/blog/api/v1/posts"


def put(client: Client, kind: str, /, **fields: Any) -> Any:
    return client.put(f"{PAGES}/{kind}", fields, content_type="application/json")


@requirement("policies.object", "policies.object.url", "policies.statuses")
def test_a_page_is_made_and_then_edited(editor: Client) -> None:
    made = put(editor, "ai_use", title="How we use AI", body="Sparingly.")
    edited = put(editor, "ai_use", status="published", approved_by="Rosa", approved_on="2026-02-03")

    assert_json(made)
    assert (made.status_code, edited.status_code) == (201, 200)
    assert made.json() == {
        "kind": "ai_use",
        "slug": "ai-use",
        "url": "https://example.com/blog/policies/ai-use",
        "title": "How we use AI",
        "body": "Sparingly.",
        "status": "draft",
        "approved_by": None,
        "approved_on": None,
        "updated_at": made.json()["updated_at"],
    }
    changed = {"status": "published", "approved_by": "Rosa", "approved_on": "2026-02-03"}
    assert edited.json() == made.json() | changed | {"updated_at": edited.json()["updated_at"]}


@requirement("api.lists.envelope", "policies.read")
def test_pages_are_listed_by_id_drafts_too(editor: Client) -> None:
    for kind in ("editorial", "ai_use", "corrections"):
        put(editor, kind, title=kind)

    first = editor.get(PAGES, {"per_page": 2}).json()

    assert [page["kind"] for page in first["pages"]] == ["editorial", "ai_use"]
    assert first.pop("next_cursor")
    assert first | {"pages": []} == {"pages": [], "page": 1, "per_page": 2, "total": 3}
    assert [page["kind"] for page in editor.get(f"{PAGES}?per_page=2&page=2").json()["pages"]] == ["corrections"]


@requirement("policies.read")
def test_a_page_is_read_as_it_was_answered(editor: Client) -> None:
    made = put(editor, "editorial", title="How we work", body="One\r\ntwo ").json()

    response = editor.get(f"{PAGES}/editorial")

    assert (response.status_code, response.json()) == (200, made)
    assert editor.get(PAGES).json()["pages"] == [made]


@requirement("policies.read")
@pytest.mark.parametrize("kind", ["ai_use", "privacy", "1", "%00"])
def test_a_page_that_is_not_there_is_not_found(editor: Client, kind: str) -> None:
    assert refusal_in(editor.get(f"{PAGES}/{kind}")) == (404, "not_found", [])


@requirement("policies.read")
def test_reading_a_page_takes_no_input(editor: Client) -> None:
    put(editor, "ai_use", title="How")

    assert refusal_in(editor.get(f"{PAGES}/ai_use?format=json")) == (422, "unknown_field", ["format"])


@requirement("policies.object", "posts.object.times")
def test_its_time_is_in_utc_and_in_whole_seconds(editor: Client, settings: Any) -> None:
    settings.TIME_ZONE = "Asia/Kathmandu"
    save_page(SavePage(kind=PolicyKind.AI_USE, title="How"), actor=EDITOR, now=NOW)

    assert editor.get(f"{PAGES}/ai_use").json()["updated_at"] == "2026-11-21T12:00:00Z"


@requirement("policies.object.url")
def test_the_address_is_the_hosted_one_also_while_the_host_has_its_own(editor: Client, settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(policy_urls={"ai_use": "/about/ai"})

    made = put(editor, "ai_use", title="How", body="So.", status="published", slug="how").json()

    assert made["url"] == "https://example.com/blog/policies/how"


@requirement("policies.unknown-kind", "policies.defaults", "policies.slug")
def test_a_wrong_page_is_refused(editor: Client, subtests: pytest.Subtests) -> None:
    put(editor, "corrections", title="Corrections")

    for kind, fields, answer in [
        ("privacy", {"title": "Privacy"}, (422, "validation_failed", ["kind"])),
        ("ai_use", {"body": "So."}, (422, "validation_failed", ["title"])),
        ("ai_use", {"title": "How", "status": "published"}, (422, "validation_failed", ["body"])),
        ("ai_use", {"title": "How", "slug": "corrections"}, (422, "validation_failed", ["slug"])),
        (
            "ai_use",
            {"title": None, "slug": "A b", "approved_on": 1},
            (422, "validation_failed", ["title", "slug", "approved_on"]),
        ),
        ("ai_use", {"title": "How", "publish": True}, (422, "unknown_field", ["publish"])),
        ("ai_use", {"title": "How", "kind": "ai_use"}, (422, "unknown_field", ["kind"])),
    ]:
        with subtests.test(kind=kind, fields=fields, answer=answer), undone():
            assert refusal_in(put(editor, kind, **fields)) == answer
            assert editor.get(PAGES).json()["total"] == 1


@requirement("policies.scopes")
def test_the_scopes_of_a_page(editor: Client) -> None:
    writer, publisher = client_with("write"), client_with("publish")

    assert refusal_in(writer.get(PAGES)) == (403, "scope_required", ["read"])
    assert refusal_in(put(publisher, "privacy")) == (403, "scope_required", ["write"])
    assert put(writer, "ai_use", title="How", body="So.").status_code == 201
    assert refusal_in(put(writer, "ai_use", status="published")) == (403, "scope_required", ["publish"])
    assert put(editor, "ai_use", status="published").status_code == 200
    assert refusal_in(put(writer, "ai_use", title="New")) == (403, "scope_required", ["publish"])


@requirement("policies.states", "policies.responsible", "findings.responsible")
def test_the_responsible_party_changes_labels_at_once(editor: Client, settings: Any) -> None:
    settings.BLOG_ENGINE = blog_settings(policy_urls={})
    post = save(title="Soil", provenance="ai_assisted", publish=True).post
    approve(post)

    def label() -> tuple[str, list[str]]:
        codes = [finding["code"] for finding in editor.get(f"{POSTS}/soil/findings").json()["findings"]]
        return editor.get(f"{POSTS}/soil").json()["label"], [code for code in codes if code.startswith("responsible")]

    absent = ("ai_assisted", ["responsible_party_absent"])
    assert label() == absent
    put(editor, "responsible_party", title="Who we are", body="We.")
    assert label() == absent
    put(editor, "responsible_party", status="published")
    assert label() == ("none", [])
    put(editor, "responsible_party", status="draft")
    assert label() == absent
