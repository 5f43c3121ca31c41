"""Proposing an edit of a post."""

from datetime import timedelta
from typing import Any

import pytest

from blog_engine import services, signals
from blog_engine.actor import Actor
from blog_engine.errors import (
    ChangeTypeRequired,
    CorrectionNoteRequired,
    IdentityConflict,
    ImageNotPermitted,
    NotFound,
    Refusal,
    RevisionMismatch,
    ScopeRequired,
    ValidationFailed,
)
from blog_engine.inputs.base import parse
from blog_engine.inputs.posts import UpdatePost
from blog_engine.models import Category, ChainLink, Post, Proposal, Publication, Revision, StatusChange, Tag
from blog_engine.rules.proposals import PROPOSABLE_FIELDS
from tests.requirements import fields_below, requirement
from tests.support.factories import (
    AGENT,
    BODY,
    EDITOR,
    LATER,
    NOW,
    apply,
    approve,
    propose,
    proposed_for,
    publish,
    remove,
    save,
    seen,
    store_image,
    update,
    withdraw,
)
from tests.support.hosts import blog_settings
from tests.support.tables import refused

pytestmark = pytest.mark.django_db

DUE = NOW + timedelta(hours=5)


def row_of(post: Post) -> dict[str, Any]:
    return Post.objects.filter(pk=post.pk).values().get()


@requirement("proposals.scope", "proposals.untouched")
def test_a_writer_proposes_an_edit_of_a_public_post_which_stays_as_it_is() -> None:
    post = save(publish=True, body=BODY).post
    before = row_of(post)

    written = update(post, actor=AGENT, propose=True, body="Other.", change="substantive", made_by_ai=True)

    assert row_of(post) == before
    assert (written.post.body, written.records.publication) == (BODY, None)
    assert Publication.objects.count() == 1
    proposal = Proposal.objects.get(pk=written.proposal)
    assert (proposal.actor, proposal.made_by_ai, proposal.base_version) == (AGENT.name, True, post.version)
    assert proposal.fields == {"body": "Other.", "change": "substantive", "made_by_ai": True}
    assert proposal.base_revision.identifier == post.current_revision_identifier
    assert (proposal.revision.actor, proposal.revision.made_by_ai) == (AGENT.name, True)


@requirement("proposals.scope", "proposals.untouched")
def test_a_scheduled_post_keeps_its_version_and_schedule() -> None:
    post = publish(save(body=BODY, made_by_ai=True).post, publish_at=DUE.isoformat(), now=NOW).post
    before = row_of(post)

    proposal = Proposal.objects.get(pk=propose(post))

    after = row_of(post)
    changed = {name for name in before if before[name] != after[name]}
    assert changed == set()
    assert (proposal.base_revision.made_by_ai, proposal.base_revision.is_proposed) == (True, True)
    assert (after["status"], StatusChange.objects.count()) == ("scheduled", 1)


@requirement("proposals.scope")
def test_a_reader_proposes_nothing() -> None:
    post = save(publish=True).post

    with refused(ScopeRequired, ["write"]):
        propose(post, actor=Actor("Reader", scopes=["read"]))


@requirement("proposals.status")
@pytest.mark.parametrize("is_archived", [True, False])
def test_drafts_and_archived_posts_are_edited_directly(is_archived: bool) -> None:
    post = save(publish=is_archived).post
    if is_archived:
        remove(post)

    with pytest.raises(ValidationFailed) as caught:
        propose(post)

    assert caught.value.details == ["propose"]
    assert "edit it directly" in str(caught.value)
    assert Proposal.objects.count() == 0


TAKEN = {
    "title": "Other title",
    "description": "Other description",
    "search_title": "Other",
    "search_description": "Other",
    "body": "Other.",
    "cover_alt": "Other",
    "faq": [{"question": "Why?", "answer": "So."}],
    "slug": "other",
    "canonical_url": "https://other.example/",
    "category": "Soil",
    "tags": ["Clay"],
    "series": "Tides",
    "series_position": 4,
    "featured": True,
    "provenance": "human_written",
    "provenance_evidence": "Seen.",
}


@requirement("proposals.fields", "proposals.apply")
@pytest.mark.parametrize("name", TAKEN)
def test_each_field_is_proposed_alone_and_applied_as_an_edit_would(name: str) -> None:
    post = save(publish=True, body=BODY).post
    other = save(publish=True, body=BODY, slug="twin").post

    proposal = propose(post, **{name: TAKEN[name]}, change="substantive")
    data = parse(UpdatePost, {name: TAKEN[name], "change": "substantive"}, fixed={"id": str(other.pk)})
    expected = seen(proposal).post.current_revision_identifier
    applied = apply(proposal).post
    if name == "slug":
        assert applied.slug == "other"
        return
    if name == "series":
        assert applied.series is not None and applied.series.name == "Tides"
        return
    edited = services.update_post(data, actor=EDITOR, now=LATER).post

    assert applied.current_revision_identifier == expected == edited.current_revision_identifier
    differing = {
        "id",
        "slug",
        "feed_id",
        "public_revision_id",
        "version",
        "body_html",
        "own_findings",
        "created_at",
        "updated_at",
    }
    rows = [{key: value for key, value in row_of(one).items() if key not in differing} for one in (applied, edited)]
    if name == "provenance":
        evidence = [row.pop("provenance_evidence") for row in rows]
        assert [AGENT.name in evidence[0], EDITOR.name in evidence[1]] == [True, True]
    assert rows[0] == rows[1]


@requirement("proposals.fields")
def test_the_page_names_the_fields_that_a_proposal_takes() -> None:
    named = fields_below("proposals.signal", page="proposals.md")

    assert sorted(named) == sorted(PROPOSABLE_FIELDS)


@requirement("proposals.fields")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("author", "Rosa"),
        ("body_format", "rich_text"),
        ("external_id", "x"),
        ("publish_at", None),
        ("approval", {"name": "Rosa", "facts_checked": True}),
        ("connections", {"connections": [], "third_party_paid": False, "declared_by": "Rosa"}),
    ],
)
def test_any_other_field_is_refused_by_its_name(name: str, value: object) -> None:
    post = save(publish=True).post

    with refused(ValidationFailed, [name]):
        propose(post, title="Other", change="maintenance", **{name: value})


@requirement("proposals.checks")
@pytest.mark.parametrize(
    ("sent", "refusal", "details"),
    [
        ({"body": "Other."}, ChangeTypeRequired, []),
        ({"body": "Other.", "change": "correction"}, CorrectionNoteRequired, []),
        ({"body": "x" * 300_000, "change": "maintenance"}, ValidationFailed, ["body"]),
        ({"slug": "taken"}, IdentityConflict, ["slug"]),
        ({"series": "Tides", "series_position": 1}, ValidationFailed, ["series_position"]),
        ({"cover_image": {"image_id": 999}}, NotFound, []),
    ],
)
def test_what_an_edit_would_be_refused_for_is_refused(
    sent: dict[str, Any], refusal: type[Refusal], details: list[str]
) -> None:
    post = save(publish=True, body=BODY).post
    save(slug="taken", series="Tides", series_position=1)

    with refused(refusal, details):
        propose(post, **sent)


@requirement("proposals.checks")
def test_a_changed_scheduled_post_also_needs_the_kind_of_change() -> None:
    post = publish(save(body=BODY).post, publish_at=DUE.isoformat(), now=NOW).post

    with refused(ChangeTypeRequired):
        propose(post, body="Other.")


@requirement("proposals.checks")
def test_neither_approval_nor_the_check_of_the_host_is_asked_for_yet(settings) -> None:
    post = save(publish=True, body=BODY).post
    settings.BLOG_ENGINE = blog_settings(require_approval=True, before_publish=lambda post, context: ["No."])

    assert seen(propose(post)).state == "open"


@requirement("proposals.checks")
def test_records_that_a_proposal_names_are_made_when_it_is_applied() -> None:
    post = save(publish=True, body=BODY).post

    propose(post, category="Soil", tags=["Clay"])

    assert (Category.objects.count(), Tag.objects.count()) == (0, 0)


@requirement("proposals.images")
def test_an_image_is_one_that_the_blog_has() -> None:
    post, image = save(publish=True, body=BODY).post, store_image()

    proposal = propose(post, cover_image={"image_id": image.pk}, change="maintenance")

    assert Proposal.objects.get().fields["cover_image"] == {"image_id": image.pk}
    assert seen(proposal).post.cover_image == image
    by_url = {"url": f"/blog/media/{image.sha256}/{image.filename}"}
    assert seen(propose(post, cover_image=by_url, change="maintenance")).post.cover_image == image


@requirement("proposals.images")
@pytest.mark.parametrize("image", [{"url": "https://images.example/a.png"}, {"signed_id": "abc"}])
def test_an_image_from_elsewhere_is_uploaded_first(image: dict[str, str]) -> None:
    post = save(publish=True).post

    with pytest.raises(ImageNotPermitted, match="upload the image first"):
        propose(post, social_image=image, change="maintenance")


@requirement("proposals.unchanged")
@pytest.mark.parametrize("sent", [{"title": "Winter garden", "body": BODY}, {"tags": []}, {"note": "x"}])
def test_an_edit_that_changes_nothing_is_refused(sent: dict[str, Any]) -> None:
    post = save(publish=True, body=BODY).post

    with refused(ValidationFailed, ([name for name in sent if name != "note"] or ["propose"])):
        propose(post, **sent)


@requirement("proposals.unchanged")
def test_fields_with_their_present_value_are_left_out() -> None:
    _, proposal = proposed_for(title="Winter garden", body="Other.", change="maintenance")

    assert Proposal.objects.get(pk=proposal).fields == {"body": "Other.", "change": "maintenance"}


@requirement("proposals.limit")
def test_a_post_has_at_most_twenty_undecided_proposals() -> None:
    post = save(publish=True, body=BODY).post
    proposals = [propose(post, title=f"Title {number}", change="maintenance") for number in range(20)]

    with refused(ValidationFailed, ["propose"]):
        propose(post, title="One more", change="maintenance")
    withdraw(proposals[0])
    propose(post, title="One more", change="maintenance")


@requirement("proposals.limit")
def test_the_fields_of_a_proposal_are_bounded_together(settings) -> None:
    settings.BLOG_ENGINE = blog_settings(max_body_bytes=1000)
    post = save(publish=True, body=BODY).post

    with pytest.raises(ValidationFailed) as caught:
        propose(post, description="x" * 2000, change="maintenance")

    assert (caught.value.details, "2000 bytes" in str(caught.value)) == (["propose"], True)


@requirement("proposals.signal")
def test_a_signal_is_sent_after_the_commit(django_capture_on_commit_callbacks) -> None:
    post, received = save(publish=True, body=BODY).post, []

    def receive(**sent: Any) -> None:
        received.append((sent["post"].pk, sent["actor"], sent["outcome"].proposal))

    signals.proposal_made.connect(receive)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            proposal = propose(post)
            assert received == []
    finally:
        signals.proposal_made.disconnect(receive)

    assert received == [(post.pk, AGENT, proposal)]


@requirement("proposals.expected")
def test_another_version_than_the_expected_one_is_refused() -> None:
    post = save(publish=True, body=BODY).post

    with refused(RevisionMismatch, ["expected_version"]):
        propose(post, title="Other", change="maintenance", expected_version=7)


@requirement("proposals.append-only")
def test_a_proposal_is_chained_with_the_revisions_that_it_names() -> None:
    post, _ = proposed_for()

    kinds = list(ChainLink.objects.filter(post=post.pk).order_by("position").values_list("kind", flat=True))

    assert kinds == ["revision", "publication", "revision", "proposal"]


def test_a_proposed_revision_does_not_change_what_waits_for_a_review() -> None:
    post, proposal = proposed_for()
    identifier = seen(proposal).post.current_revision_identifier

    approve(post, identifier=identifier)
    update(post, title="Other", change="maintenance")

    assert Revision.objects.filter(identifier=identifier).count() == 1
    assert Post.objects.get().review_reason is None


@requirement("proposals.dry-run")
def test_a_dry_run_records_nothing_and_shows_what_would_be_proposed() -> None:
    post = save(publish=True, body=BODY).post
    data = {"body": "Other.", "change": "maintenance", "propose": True, "dry_run": True}

    written = update(post, actor=AGENT, **data)

    assert (written.dry_run, written.proposal, written.post.body) == (True, None, BODY)
    assert "+Other." in written.difference
    assert (Proposal.objects.count(), Revision.objects.count()) == (0, 1)
