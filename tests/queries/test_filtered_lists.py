"""Lists of what waits: posts that lack an approval, and posts with a finding."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from blog_engine.actor import Call
from blog_engine.errors import ValidationFailed
from blog_engine.findings import FINDINGS, Finding, Subject, findings_of_posts, lasting_codes, listed_findings
from blog_engine.inputs.base import parse
from blog_engine.inputs.posts import ListPosts
from blog_engine.models import FindingCode, Post
from blog_engine.operations.posts import list_posts
from blog_engine.queries.checked import posts_to_check
from blog_engine.queries.post_lists import listed_posts
from blog_engine.services import check_posts, settle_reviews
from tests.requirements import requirement
from tests.support.factories import (
    ARTICLE,
    DECLARATION,
    EDITOR,
    LATER,
    adopt,
    approve,
    declare,
    edit_category,
    make_category,
    publish,
    remove,
    save,
    unpublish,
    update,
)
from tests.support.hosts import blog_settings

pytestmark = pytest.mark.django_db

CALL = Call(EDITOR, LATER, "")


def slugs(**sent: Any) -> set[str]:
    return {post.slug for post in listed_posts(parse(ListPosts, sent | {"per_page": 100})).rows}


def lacking() -> set[str]:
    """Return the posts whose cards say that an approval is missing, after comparing both filters with the cards."""
    cards = list_posts.handler(ListPosts(per_page=100), CALL).posts
    found = {card.slug for card in cards if card.approval_missing}
    assert slugs(approval_missing=True) == found
    assert slugs(approval_missing=False) == {card.slug for card in cards} - found
    return found


@requirement("posts.list.approval")
def test_the_filter_is_the_field_of_the_card_in_every_life() -> None:
    save(slug="by-hand", provenance="human_written")
    draft = save(slug="draft", provenance="ai_assisted").post
    public = save(slug="public", publish=True).post
    publish(save(slug="scheduled").post, publish_at="2030-01-01T09:00:00Z")
    assert lacking() == {"draft", "public", "scheduled"}

    approve(draft, facts_checked=False)
    assert lacking() == {"draft", "public", "scheduled"}
    approve(draft)
    approve(public)
    assert lacking() == {"scheduled"}

    update(draft, body="Other.")
    update(public, body="Other.", change="substantive")
    assert lacking() == {"draft", "public", "scheduled"}
    unpublish(public)
    assert lacking() == {"draft", "public", "scheduled"}
    remove(public)
    assert lacking() == {"draft", "scheduled"}
    update(draft, provenance="human_written")
    assert lacking() == {"scheduled"}


@requirement("posts.list.approval")
def test_an_adopted_post_with_an_earlier_approval_lacks_none() -> None:
    adopt(ARTICLE, declaration=DECLARATION)
    adopt(ARTICLE | {"source_id": "18", "slug": "unseen", "title": "Unseen"})

    assert lacking() == {"unseen"}


@requirement("posts.list.approval")
def test_a_post_of_an_earlier_version_is_judged_by_its_approvals() -> None:
    save(slug="draft")
    approve(save(slug="checked", title="Checked").post)
    with connection.cursor() as cursor:
        cursor.execute("UPDATE blog_engine_post SET approval_missing = NULL")

    assert lacking() == {"draft"}
    assert settle_reviews() == 2
    assert dict(Post.objects.values_list("slug", "approval_missing")) == {"draft": True, "checked": False}


@requirement("posts.list.approval")
def test_another_rule_of_approvals_is_settled_by_the_command(settings: Settings) -> None:
    approve(save(slug="by-token").post)
    assert lacking() == set()

    settings.BLOG_ENGINE = blog_settings(approvals_by="people")
    settle_reviews()
    assert lacking() == {"by-token"}

    settings.BLOG_ENGINE = blog_settings(approvals_by="anyone")
    settle_reviews()
    assert lacking() == set()


def stored_codes() -> dict[str, set[str]]:
    slugs = dict(Post.objects.values_list("pk", "slug"))
    found: dict[str, set[str]] = {slug: set() for slug in slugs.values()}
    for post, code in FindingCode.objects.values_list("post", "code"):
        found[slugs[post]].add(code)
    return found


def present_codes() -> dict[str, set[str]]:
    posts = posts_to_check(list(Post.objects.values_list("pk", flat=True)))
    found = findings_of_posts(posts, has_responsible_party=True, now=LATER)
    return {post.slug: set(lasting_codes(found[post.pk])) for post in posts}


@requirement("posts.list.finding")
def test_every_write_notes_what_a_reading_finds() -> None:
    post = save(slug="first", body="# Top", faq=[{"question": "Why?", "answer": "*So*"}]).post
    assert stored_codes() == present_codes()
    assert {"heading_h1_in_body", "faq_markup_in_answer", "connections_not_declared"} <= stored_codes()["first"]

    update(post, body="Text [gone](/blog/gone).", faq=[], description="Said.")
    assert stored_codes() == present_codes()
    declare(post)
    assert "connections_not_declared" not in stored_codes()["first"]
    publish(post)
    assert (stored_codes() == present_codes(), "approval_absent" in stored_codes()["first"]) == (True, True)
    approve(Post.objects.get())
    assert "approval_absent" not in stored_codes()["first"]
    adopt(ARTICLE)
    assert stored_codes() == present_codes()


@requirement("posts.list.finding")
def test_a_finding_selects_the_posts_that_have_it() -> None:
    save(slug="both", body="# Top", description="")
    save(slug="one", title="One", body="## Text", description="")
    save(slug="none", title="None", body="## Text", description="Said.")

    assert slugs(finding="heading_h1_in_body") == {"both"}
    assert slugs(finding="description_absent") == {"both", "one"}
    assert slugs(finding="description_absent", status="published") == set()
    assert listed_posts(parse(ListPosts, {"finding": "description_absent", "per_page": 1})).place["total"] == 2


@requirement("posts.list.finding")
def test_what_other_rows_say_is_looked_up(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(policy_urls={})
    described, blank = make_category(name="Told", description="Of soil."), make_category(name="Blank")
    first = save(slug="first", title="Same", description="Same.", category="Told", publish=True).post
    save(slug="second", title="Same", description="Same.", category="Blank", publish=True)
    save(slug="third", title="Third")
    assert slugs(finding="title_duplicate") == slugs(finding="description_duplicate") == {"first", "second"}
    assert slugs(finding="category_absent") == {"third"}
    assert slugs(finding="category_description_absent") == {"second"}
    assert slugs(finding="responsible_party_absent") == {"first", "second", "third"}

    update(first, title="Other", change="maintenance")
    edit_category(blank.pk, description="Of water.")
    edit_category(described.pk, description=" ")
    settings.BLOG_ENGINE = blog_settings(policy_urls={"responsible_party": "/imprint"})

    assert slugs(finding="title_duplicate") == set()
    assert slugs(finding="category_description_absent") == {"first"}
    assert slugs(finding="responsible_party_absent") == set()
    settings.BLOG_ENGINE = blog_settings(primary_list_type="tags")
    assert slugs(finding="category_absent") == slugs(finding="category_description_absent") == set()


@requirement("posts.list.finding")
def test_what_changed_elsewhere_is_noted_by_the_command() -> None:
    save(slug="first", body="A [link](/blog/second).")
    assert slugs(finding="link_same_site_broken") == {"first"}
    save(slug="second", title="Second", publish=True)
    remove(save(slug="gone", title="Gone", body="# Top").post)

    assert check_posts(now=LATER) == 1

    assert slugs(finding="link_same_site_broken") == set()
    assert set(FindingCode.objects.values_list("post", flat=True)) <= set(Post.objects.values_list("pk", flat=True))
    assert check_posts(now=LATER) == 0


def shouting(subject: Subject) -> Finding | None:
    return Finding("shouting", None, "Do not shout.", "title") if subject.post.title.isupper() else None


@requirement("posts.list.finding")
def test_a_check_of_the_host_is_a_filter_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FINDINGS, "shouting", shouting)
    save(slug="loud", title="HELP")
    save(slug="calm", title="Help me")

    assert slugs(finding="shouting") == {"loud"}


@requirement("posts.list.finding")
@pytest.mark.parametrize("code", ["descripton_absent", "slug_changed", "category_created", "x" * 200])
def test_a_code_that_no_reading_finds_is_refused(code: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        list_posts.handler(ListPosts(finding=code), CALL)

    assert list(refused.value.details) == ["finding"]
    assert any(known in refused.value.hint for known in listed_findings())


def test_only_findings_that_a_reading_finds_are_filters() -> None:
    about_writes = {code for code, check in FINDINGS.items() if "write" in check.__code__.co_names}
    made = {"author_created", "category_created", "series_created"}

    assert set(FINDINGS) - set(listed_findings()) == about_writes | made


@requirement("posts.list.finding")
def test_a_failed_check_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    post = save(slug="first", body="# Top").post
    others = stored_codes()["first"] - {"heading_h1_in_body"}

    def broken(subject: Subject) -> None:
        raise RuntimeError

    monkeypatch.setitem(FINDINGS, "broken", broken)
    update(post, body="Fine.")

    assert stored_codes() == {"first": others}


@requirement("posts.list.finding")
def test_an_earlier_write_does_not_note_over_a_later_one(monkeypatch: pytest.MonkeyPatch) -> None:
    post = save(slug="first", body="Fine.").post
    asked = list[Subject]()

    def meanwhile(subject: Subject) -> None:
        asked.append(subject)
        if len(asked) == 1:
            update(post, body="# Top")

    monkeypatch.setitem(FINDINGS, "meanwhile", meanwhile)
    update(post, body="## Second\n\n#### Deep")
    monkeypatch.delitem(FINDINGS, "meanwhile")

    assert stored_codes() == present_codes()
    assert slugs(finding="heading_level_skipped") == set()


@requirement("posts.list.finding")
def test_a_write_that_changes_no_finding_stores_none() -> None:
    post = save(slug="first", body="Text.").post

    with CaptureQueriesContext(connection) as queries:
        update(post, body="Other text.")

    about = [one["sql"] for one in queries.captured_queries if "findingcode" in one["sql"]]
    assert [sql.split()[0] for sql in about] == ["SELECT"]
