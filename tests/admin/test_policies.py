"""Policy pages at the desk."""

from datetime import date
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from blog_engine import services
from blog_engine.admin.policies import SavePolicyView
from blog_engine.enums import PolicyKind
from blog_engine.inputs.base import parse
from blog_engine.inputs.records import SavePage
from blog_engine.models import PolicyPage
from tests.admin.desk import faults, logged, nothing_written, page_of, sent, url
from tests.requirements import requirement
from tests.support.factories import EDITOR as ACTOR
from tests.support.factories import LATER, NOW
from tests.support.hosts import blog_settings
from tests.support.tables import everything_stored

pytestmark = pytest.mark.django_db

PAGE = {"title": "How we work", "slug": "", "body": "", "status": "draft", "approved_by": "", "approved_on": ""}


def stored(kind: str = "editorial", **fields: Any) -> PolicyPage:
    data = parse(SavePage, {"kind": kind, "title": "How we work"} | fields)
    return services.save_page(data, actor=ACTOR, now=NOW).page


def seen(page: PolicyPage) -> str:
    return PolicyPage.objects.get(pk=page.pk).updated_at.isoformat()


def test_a_policy_page_is_written_and_published(editor: Client) -> None:
    answer = sent(
        editor,
        "policypage_add",
        **PAGE | {"kind": "editorial", "body": "We *check*.\r\n\r\nTwice.", "status": "published"},
    )

    page = PolicyPage.objects.get()
    assert answer["Location"] == url("policypage_change", page.pk)
    assert (page.kind, page.slug, page.body) == ("editorial", "editorial-policy", "We *check*.\n\nTwice.")
    assert "We <em>check</em>" in editor.get("/blog/policies/editorial-policy").content.decode()
    assert logged() == [(1, "How we work")]


def test_what_is_left_alone_stays(editor: Client) -> None:
    page = stored(body="One.\r\nTwo.", approved_by="Rosa", approved_on="2020-01-31")

    sent(
        editor,
        "policypage_change",
        page.pk,
        **PAGE
        | {"title": "New", "slug": page.slug, "body": "One.\r\nTwo.", "seen": seen(page)}
        | {"approved_by": "Rosa", "approved_on": "2020-01-31"},
    )

    page.refresh_from_db()
    assert (page.title, page.body) == ("New", "One.\r\nTwo.")
    assert (page.approved_by, page.approved_on) == ("Rosa", date(2020, 1, 31))


def test_an_approval_is_cleared(editor: Client) -> None:
    page = stored(approved_by="Rosa")

    sent(editor, "policypage_change", page.pk, **PAGE | {"slug": page.slug, "seen": seen(page)})

    page.refresh_from_db()
    assert (page.approved_by, page.approved_on) == (None, None)


def test_a_fault_is_shown_at_its_field(editor: Client, subtests: pytest.Subtests) -> None:
    stored("corrections")

    for fields, wrong in [
        ({"title": ""}, "title"),
        ({"slug": "Bad Slug!"}, "slug"),
        ({"slug": "corrections"}, "slug"),
        ({"status": "published", "body": " "}, "body"),
        ({"body": "x" * 300_000}, "body"),
        ({"status": "other"}, "status"),
        ({"approved_on": "x"}, "approved_on"),
        ({"kind": "corrections"}, "kind"),
        ({"kind": ""}, "kind"),
    ]:
        with subtests.test(fields=fields, wrong=wrong), nothing_written():
            assert faults(sent(editor, "policypage_add", **PAGE | {"kind": "editorial"} | fields)) == [wrong]


@requirement("desk.policies")
def test_a_newer_text_of_somebody_else_is_not_written_over_unseen(editor: Client) -> None:
    page = stored(body="First.")
    old = seen(page)
    data = parse(SavePage, {"kind": "editorial", "body": "Theirs."})
    services.save_page(data, actor=ACTOR, now=LATER)
    before = everything_stored()
    mine = PAGE | {"slug": page.slug, "body": "Mine."}

    answer = sent(editor, "policypage_change", page.pk, **mine | {"seen": old})

    assert faults(answer) == ["__all__"]
    shown = answer.content.decode()
    assert ("Mine." in shown, "Theirs." in shown) == (True, True)
    assert everything_stored() == before

    sent(editor, "policypage_change", page.pk, **mine | {"seen": answer.context["form"]["seen"].value()})
    assert PolicyPage.objects.get().body == "Mine."


@requirement("desk.policies")
def test_the_preview_is_the_page_of_readers_and_stores_nothing(editor: Client) -> None:
    page = stored(body="Stored *text*.")

    with nothing_written():
        shown = page_of(editor, "policypage_preview", page.pk)
        answer = sent(
            editor, "policypage_preview", page.pk, title="New title", body="# One\r\n\r\nNew <script>x</script>"
        )
        new = answer.content.decode()

    assert "Stored <em>text</em>." in shown
    assert "blog-prose" in new
    assert "New title" in new
    assert "<script>x" not in new
    assert "noindex" in new
    assert "no-store" in answer["Cache-Control"]


@requirement("desk.policies")
def test_a_page_that_is_not_stored_is_previewed(editor: Client) -> None:
    answer = sent(editor, "policypage_preview_new", title="New", body="Text.", kind="editorial")

    assert "Text." in answer.content.decode()
    assert not PolicyPage.objects.exists()


@pytest.mark.parametrize("body", ["x" * 300_000, "```\na\n```\n" * 9_000])
def test_a_text_that_is_too_long_is_not_rendered(editor: Client, body: str) -> None:
    answer = sent(editor, "policypage_preview_new", title="New", body=body)

    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("text/plain")


def test_each_policy_has_one_page(editor: Client) -> None:
    for kind in ("editorial", "corrections", "ai_use"):
        stored(kind)
    page = page_of(editor, "policypage_add")
    assert 'value="responsible_party"' in page
    assert 'value="editorial"' not in page

    stored("responsible_party")
    assert editor.get(url("policypage_add"))["Location"] == url("policypage_changelist")


def test_a_page_of_the_site_itself_is_named(editor: Client, settings: Settings) -> None:
    page = stored()
    settings.BLOG_ENGINE = blog_settings(policy_urls={"editorial": "/how-we-work"})

    assert "/how-we-work" in page_of(editor, "policypage_change", page.pk)


@requirement("desk.policies")
def test_a_page_that_somebody_added_meanwhile_is_not_written_over(
    editor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored(body="Theirs.")
    before = everything_stored()
    monkeypatch.setattr(SavePolicyView, "missing", [PolicyKind.EDITORIAL])

    answer = sent(editor, "policypage_add", **PAGE | {"kind": "editorial", "body": "Mine."})

    assert faults(answer) == ["kind"]
    assert "Mine." in answer.content.decode()
    assert everything_stored() == before
