"""Who approves: the settings ``approvals_by`` and ``distinct_reviewer``, by every call that takes an approval."""

from collections.abc import Callable
from typing import Any

import pytest
from pytest_django import Settings

from blog_engine import services
from blog_engine.actor import Actor, Call
from blog_engine.enums import ActorKind, Label, PostStatus, ReviewReason
from blog_engine.errors import (
    ApprovalIncomplete,
    ApprovalRequired,
    NameOfAnother,
    PersonMustApprove,
    Refusal,
    ScopeRequired,
    WriterApproves,
)
from blog_engine.inputs.base import parse
from blog_engine.inputs.posts import ApproveRevision
from blog_engine.models import Approval, Post, Revision
from blog_engine.operations import posts as operations
from blog_engine.queries.checked import posts_with_label
from blog_engine.queries.posts import read_post, reported_post
from blog_engine.rules.label import label_of
from blog_engine.surface_report.content import _judge_records
from tests.admin.desk import person
from tests.requirements import requirement
from tests.support.clients import call_operation
from tests.support.factories import (
    AGENT,
    DECLARATION,
    EDITOR,
    IMPORTED,
    LATER,
    NOW,
    adopt,
    apply,
    approve,
    proposed_for,
    publish,
    save,
    seen,
    update,
)
from tests.support.hosts import blog_settings
from tests.support.tables import execute, stored_rows

pytestmark = pytest.mark.django_db

BOT = Actor("Bot", id="token:3", kind=ActorKind.TOKEN)
AI: dict[str, Any] = {"provenance": "ai_assisted", "made_by_ai": True, "body": "It leaves at ten."}
CHECKED: dict[str, Any] = {"facts_checked": True}
INVENTED: dict[str, Any] = {"name": "Nobody Inparticular", "facts_checked": True}
"""What a machine sends for a person who does not exist."""


@pytest.fixture
def people(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(approvals_by="people", policy_urls={"responsible_party": "/about"})


def vera(**columns: Any) -> Actor:
    """Vera Example as the desk and a hook name her."""
    user = person(name="Vera Example")
    for name, value in columns.items():
        setattr(user, name, value)
    user.save()
    return Actor("Vera Example", kind=ActorKind.PERSON, user_id=user.pk)


def signed(post: Post, actor: Actor, **fields: Any) -> Any:
    raw = {"revision_identifier": post.current_revision_identifier, "facts_checked": True} | fields
    data = parse(ApproveRevision, raw, fixed={"id": str(post.pk)})
    return services.approve_revision(data, actor=actor, now=NOW, base_url="https://blog.example")


def label(post: Post) -> Label:
    return label_of(read_post(post.pk), has_responsible_party=True)


def refusal_of(write: Callable[[], object]) -> Refusal:
    """The refusal of a write, after which the rows are as before."""
    before = stored_rows()
    with pytest.raises(Refusal) as caught:
        write()
    assert stored_rows() == before
    return caught.value


def _draft(actor: Actor) -> Callable[[], object]:
    return lambda: save(actor=actor, **AI, approval=INVENTED)


def _public(actor: Actor) -> Callable[[], object]:
    return lambda: save(actor=actor, publish=True, **AI, approval=INVENTED)


def _edit_of_draft(actor: Actor) -> Callable[[], object]:
    post = save(**AI).post
    return lambda: update(post, actor=actor, body="It leaves at nine.", approval=INVENTED)


def _edit_of_public(actor: Actor) -> Callable[[], object]:
    post = save(**AI, publish=True).post
    return lambda: update(post, actor=actor, body="Nine.", change="substantive", approval=INVENTED)


def _release(actor: Actor) -> Callable[[], object]:
    post = save(**AI).post
    return lambda: publish(post, actor=actor, approval=INVENTED)


def _schedule(actor: Actor) -> Callable[[], object]:
    post = save(**AI).post
    return lambda: publish(post, actor=actor, publish_at="2031-01-01T00:00:00Z", approval=INVENTED)


def _restore(actor: Actor) -> Callable[[], object]:
    post = save(**AI, publish=True).post
    update(post, body="Nine.", change="substantive")
    old = post.current_revision_identifier
    return lambda: update(post, actor=actor, restore=old, change="substantive", approval=INVENTED)


def _approval(actor: Actor) -> Callable[[], object]:
    post = save(**AI).post
    return lambda: approve(post, actor=actor)


def _approval_of_public(actor: Actor) -> Callable[[], object]:
    post = save(**AI, publish=True).post
    return lambda: approve(post, actor=actor)


def _proposal(actor: Actor) -> Callable[[], object]:
    _post, proposal = proposed_for()
    return lambda: apply(proposal, actor=actor, approval=INVENTED)


def _scheduled_proposal(actor: Actor) -> Callable[[], object]:
    _post, proposal = proposed_for()
    return lambda: apply(proposal, actor=actor, publish_at="2031-01-01T00:00:00Z", approval=INVENTED)


def _approval_of_proposal(actor: Actor) -> Callable[[], object]:
    post, proposal = proposed_for()
    identifier = seen(proposal).post.current_revision_identifier
    return lambda: approve(post, identifier=identifier, actor=actor)


DOORS = [
    *(_draft, _public, _edit_of_draft, _edit_of_public, _release, _schedule, _restore),
    *(_approval, _approval_of_public, _proposal, _scheduled_proposal, _approval_of_proposal),
]


@requirement("approvals.people")
@pytest.mark.usefixtures("people")
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(
    "actor",
    [
        BOT,
        EDITOR,
        Actor("Vera Example", id="user:7", kind=ActorKind.TOKEN),
        Actor("Vera Example", id="user:7"),
        Actor("Vera Example", kind=ActorKind.PERSON, user_id=987_654),
        Actor("Vera Example", kind=ActorKind.PERSON, user_id="vera"),
    ],
    ids=["token", "system", "token with the id of a user", "system with it", "no one", "a false id"],
)
def test_no_one_else_approves_by_any_door(door: Callable[[Actor], Callable[[], object]], actor: Actor) -> None:
    assert isinstance(refusal_of(door(actor)), PersonMustApprove)


@requirement("approvals.people")
@pytest.mark.usefixtures("people")
@pytest.mark.parametrize("door", DOORS)
def test_a_deactivated_user_approves_by_no_door(door: Callable[[Actor], Callable[[], object]]) -> None:
    assert isinstance(refusal_of(door(vera(is_active=False))), PersonMustApprove)


@requirement("approvals.people", "approvals.people.name")
@pytest.mark.usefixtures("people")
@pytest.mark.parametrize("door", DOORS)
def test_a_person_approves_under_no_other_name(door: Callable[[Actor], Callable[[], object]]) -> None:
    assert isinstance(refusal_of(door(vera())), NameOfAnother)


@requirement("approvals.people.name")
@pytest.mark.usefixtures("people")
@pytest.mark.parametrize(
    "fields", [{}, {"name": "Vera Example"}, {"name": " vera  EXAMPLE"}, {"name": "\uff36era Example"}]
)
def test_the_reviewer_is_the_account(fields: dict[str, Any]) -> None:
    reviewer, post = vera(), save(**AI).post

    written = signed(post, reviewer, **fields)

    stored = Approval.objects.get()
    assert (stored.reviewer_name, stored.recorded_by) == ("Vera Example", "Vera Example")
    assert (stored.actor_kind, stored.actor_id) == ("person", reviewer.id)
    assert written.post.is_reviewed


@requirement("approvals.people.name")
@pytest.mark.usefixtures("people")
def test_a_hook_cannot_give_a_person_another_name() -> None:
    reviewer, post = vera(), save(**AI).post
    false = Actor("Nobody Inparticular", kind=ActorKind.PERSON, user_id=reviewer.user_id)

    assert isinstance(refusal_of(lambda: signed(post, false, name="Nobody Inparticular")), NameOfAnother)
    signed(post, false)

    assert Approval.objects.get().reviewer_name == "Vera Example"


@requirement("approvals.incomplete")
def test_where_anyone_approves_the_name_is_needed() -> None:
    post, reviewer = save(**AI).post, vera()

    for actor in (BOT, EDITOR, reviewer):
        for write in (
            lambda actor=actor: signed(post, actor),
            lambda actor=actor: publish(post, actor=actor, approval=CHECKED),
        ):
            refusal = refusal_of(write)
            assert (type(refusal), refusal.details) == (ApprovalIncomplete, [])


@requirement("approvals.people.link", "approvals.people")
@pytest.mark.usefixtures("people")
def test_the_refusal_names_the_page_at_which_a_person_signs() -> None:
    draft = save(slug="draft", **AI).post
    public, proposal = proposed_for()
    made = seen(proposal).post.current_revision_identifier
    page = f"https://blog.example/admin/blog_engine/post/{draft.pk}/review/"

    assert f"there: {page}" in str(refusal_of(lambda: signed(draft, BOT)))
    of_proposal = refusal_of(lambda: signed(public, BOT, revision_identifier=made))
    assert f"/admin/blog_engine/post/{public.pk}/proposals/{proposal}/" in str(of_proposal)
    assert "review_url" in str(refusal_of(lambda: save(actor=BOT, slug="new", **AI, approval=INVENTED)))
    assert "propose: true" in str(refusal_of(lambda: update(public, actor=BOT, body="X", approval=INVENTED)))


@requirement("approvals.people.link")
@pytest.mark.usefixtures("people")
def test_without_a_desk_the_refusal_says_what_to_do(settings: Settings) -> None:
    settings.ROOT_URLCONF = "tests.support.without_desk"
    post = save(**AI).post

    assert "admin" in str(refusal_of(lambda: signed(post, BOT)))
    assert call_operation(operations.get_preview_link, id=str(post.pk))["review_url"] is None


@requirement("posts.object.preview")
def test_a_preview_names_the_review() -> None:
    post = save(**AI).post

    answer = call_operation(operations.get_preview_link, id=str(post.pk))

    assert answer["review_url"].endswith(f"/admin/blog_engine/post/{post.pk}/review/")


@requirement("approvals.people.link")
def test_the_approval_that_is_required_names_it_as_well(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(approvals_by="people", require_approval=True)
    post = save(**AI).post

    refusal = refusal_of(lambda: publish(post, actor=BOT))

    assert isinstance(refusal, ApprovalRequired)
    assert f"/post/{post.pk}/review/" in str(refusal)


def _old(post: Post) -> None:
    approve(post, actor=BOT)


def _of_before_kinds(post: Post) -> None:
    approve(post)
    of_reviewer = Approval.objects.filter(post=post)
    rows = list(of_reviewer.values("revision", "reviewer_name", "facts_checked", "approved_at", "created_at"))
    insert = Approval(post=post, kind="sent", recorded_by="Vera Example", **_row(rows[0]))
    insert.save()


def _row(row: dict[str, Any]) -> dict[str, Any]:
    return {"revision_id": row.pop("revision"), **row}


@requirement("approvals.people.counted", "approvals.people.changed", "approvals.people.everywhere")
@pytest.mark.parametrize("record", [_old, _of_before_kinds])
def test_an_approval_from_before_the_setting_does_not_count(record: Callable[[Post], None], settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(policy_urls={"responsible_party": "/about"})
    post = save(**AI, publish=True).post
    record(post)
    assert (label(post), read_post(post.pk).is_approved) == (Label.NONE, True)

    settings.BLOG_ENGINE = blog_settings(
        approvals_by="people", require_approval=True, policy_urls={"responsible_party": "/about"}
    )

    assert (label(post), read_post(post.pk).is_approved) == (Label.AI_ASSISTED, False)
    posts = Post.objects.all()
    assert list(posts_with_label(posts, Label.AI_ASSISTED, has_responsible_party=True)) == [post]
    [reported] = reported_post(str(post.pk)).posts
    assert reported.post.public_revision is not None
    assert _judge_records(reported, reported.post.public_revision).result == "fail"
    assert isinstance(refusal_of(lambda: update(post, featured=True)), ApprovalRequired)

    signed(read_post(post.pk), vera())
    assert (label(post), read_post(post.pk).is_approved) == (Label.NONE, True)
    [reported] = reported_post(str(post.pk)).posts
    assert reported.post.public_revision is not None
    assert _judge_records(reported, reported.post.public_revision).result == "pass"


@requirement("approvals.people.counted")
@pytest.mark.parametrize("evidence", [{"declaration": DECLARATION}, {"imported_approval": IMPORTED}])
@pytest.mark.usefixtures("people")
def test_an_adoption_keeps_its_approval_which_does_not_count(evidence: dict[str, Any]) -> None:
    for number, actor in enumerate((BOT, vera())):
        names = {"source_id": str(number), "slug": f"ferry-{number}", "provenance": "ai_assisted"}
        names["provenance_evidence"] = "Written in 2026."

        adopted = adopt(actor=actor, **names, **evidence)

        assert Approval.objects.get(post=adopted.post).reviewer_name == "Rosa Reviewer"
        assert (adopted.label, adopted.post.is_approved) == (Label.AI_ASSISTED, False)


@requirement("adoption.no-gates", "approvals.people.counted")
@pytest.mark.parametrize("evidence", [{}, {"declaration": DECLARATION}, {"imported_approval": IMPORTED}])
def test_an_article_that_a_token_adopts_is_public_with_its_notice_until_a_person_approves(
    evidence: dict[str, Any], settings: Settings
) -> None:
    settings.BLOG_ENGINE = blog_settings(
        approvals_by="people", require_approval=True, policy_urls={"responsible_party": "/about"}
    )
    names = {"provenance": "ai_assisted", "provenance_evidence": "Written in 2026."}

    post = adopt(actor=BOT, **names, **evidence).post

    assert (post.status, label(post)) == (PostStatus.PUBLISHED, Label.AI_ASSISTED)
    changed = {"body": "Other words.", "change": "maintenance"}
    assert isinstance(refusal_of(lambda: update(post, actor=BOT, **changed)), ApprovalRequired)
    signed(read_post(post.pk), vera())
    assert label(read_post(post.pk)) == Label.NONE
    assert isinstance(refusal_of(lambda: update(post, actor=BOT, **changed)), ApprovalRequired)


@requirement("approvals.people.counted")
@pytest.mark.usefixtures("people")
def test_the_approval_of_another_post_with_the_same_content_does_not_count() -> None:
    one, other = (save(slug=slug, **AI).post for slug in ("one", "other"))
    reviewer = vera()

    signed(one, reviewer)

    assert (label(one), label(other)) == (Label.NONE, Label.AI_ASSISTED)


@requirement("approvals.people.counted")
def test_the_approval_of_a_proposal_counts_once_the_post_has_its_content(settings: Settings) -> None:
    changes = {"approvals_by": "people", "policy_urls": {"responsible_party": "/about"}}
    settings.BLOG_ENGINE = blog_settings(**changes)
    post = save(publish=True, body="One.\n\nTwo.\n\nThree.", provenance="ai_assisted").post
    proposal = update(post, actor=AGENT, propose=True, body="One!\n\nTwo.\n\nThree.", change="maintenance").proposal
    assert proposal is not None
    identifier = seen(proposal).post.current_revision_identifier
    signed(post, vera(), revision_identifier=identifier)
    assert label(post) == Label.AI_ASSISTED

    settings.BLOG_ENGINE = blog_settings(require_approval=True, **changes)
    apply(proposal, actor=BOT)

    assert label(post) == Label.NONE


@requirement("approvals.people.counted")
@pytest.mark.usefixtures("people")
def test_content_that_returns_has_the_approvals_that_it_had() -> None:
    reviewer = vera()
    by_person, by_token = "Signed by a person.", "Signed by a token."
    post = save(**AI | {"body": by_person}).post
    signed(post, reviewer)
    post = update(post, body=by_token).post
    Approval(
        post=post,
        revision=Revision.objects.get(),
        kind="sent",
        reviewer_name="Vera Example",
        facts_checked=True,
        approved_at=NOW,
        created_at=NOW,
        recorded_by="Vera Example",
        actor_kind="token",
        actor_id="token:3",
    ).save()
    assert label(post) == Label.AI_ASSISTED

    assert label(update(post, body=by_person).post) == Label.NONE


@requirement("approvals.people.changed")
def test_the_queue_follows_with_render_posts(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings()
    draft = save(**AI).post
    approve(draft, actor=BOT)
    changed = save(slug="changed", **AI).post
    approve(changed, actor=BOT)
    update(changed, body="Nine.")
    assert _reasons() == {draft.pk: None, changed.pk: ReviewReason.CHANGED}

    settings.BLOG_ENGINE = blog_settings(approvals_by="people")
    assert services.settle_reviews() == 2

    assert _reasons() == {draft.pk: ReviewReason.AI_DRAFT, changed.pk: ReviewReason.AI_DRAFT}
    assert services.settle_reviews() == 0
    settings.BLOG_ENGINE = blog_settings(approvals_by="anyone")
    assert services.settle_reviews() == 2
    assert _reasons() == {draft.pk: None, changed.pk: ReviewReason.CHANGED}


def _reasons() -> dict[int, str | None]:
    return dict(Post.objects.values_list("pk", "review_reason"))


@requirement("approvals.people.everywhere")
def test_a_schedule_that_a_token_approved_is_not_released(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(require_approval=True)
    post = publish(save(**AI).post, publish_at="2026-11-22T00:00:00Z", approval=INVENTED).post

    settings.BLOG_ENGINE = blog_settings(require_approval=True, approvals_by="people")
    services.publish_due(now=LATER.replace(year=2027))
    assert Post.objects.get().status == "scheduled"

    signed(read_post(post.pk), vera())
    services.publish_due(now=LATER.replace(year=2027))
    assert Post.objects.get().status == "published"


@requirement("desk.signature.once", "approvals.people.counted")
@pytest.mark.usefixtures("people")
def test_the_approval_of_a_token_with_the_same_name_is_no_signature_of_the_person(settings: Settings) -> None:
    reviewer, post = vera(), save(**AI).post
    strict = settings.BLOG_ENGINE
    settings.BLOG_ENGINE = blog_settings(approvals_by="anyone")
    signed(post, Actor("Vera Example", id="token:9", kind=ActorKind.TOKEN), name="Vera Example")
    settings.BLOG_ENGINE = strict
    data = {"revision_identifier": post.current_revision_identifier, "facts_checked": True}

    services.sign_revision(parse(ApproveRevision, data, fixed={"id": str(post.pk)}), actor=reviewer, now=LATER)
    services.sign_revision(parse(ApproveRevision, data, fixed={"id": str(post.pk)}), actor=reviewer, now=LATER)

    assert list(Approval.objects.order_by("pk").values_list("actor_kind", flat=True)) == ["token", "person"]


@pytest.fixture
def distinct(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(approvals_by="people", distinct_reviewer=True)


@requirement("approvals.distinct")
@pytest.mark.usefixtures("distinct")
@pytest.mark.parametrize(
    "write",
    [
        lambda me: save(actor=me, **AI, approval=CHECKED),
        lambda me: save(actor=me, publish=True, **AI, approval=CHECKED),
        lambda me: signed(save(actor=me, **AI).post, me),
        lambda me: signed(save(actor=me, publish=True, **AI).post, me),
        lambda me: publish(save(actor=me, **AI).post, actor=me, approval=CHECKED),
        lambda me: update(save(**AI).post, actor=me, body="Nine.", approval=CHECKED),
        lambda me: signed(update(save(**AI).post, actor=me, body="Nine.").post, me),
    ],
    ids=["draft", "public", "own draft", "own public post", "release", "edit", "edited by them"],
)
def test_the_writer_does_not_approve(write: Callable[[Actor], object]) -> None:
    me = vera()

    with pytest.raises(WriterApproves):
        write(me)

    assert not Approval.objects.exists()


@requirement("approvals.distinct")
@pytest.mark.usefixtures("distinct")
def test_the_proposer_does_not_approve_the_proposal() -> None:
    me = vera()
    post = save(publish=True, body="One.\n\nTwo.").post
    proposal = update(post, actor=me, propose=True, body="One!\n\nTwo.", change="maintenance").proposal
    assert proposal is not None
    identifier = seen(proposal).post.current_revision_identifier

    for write in (
        lambda: signed(post, me, revision_identifier=identifier),
        lambda: apply(proposal, actor=me, approval=CHECKED),
        lambda: apply(proposal, actor=me, publish_at="2031-01-01T00:00:00Z", approval=CHECKED),
    ):
        assert isinstance(refusal_of(write), WriterApproves)


@requirement("approvals.distinct")
@pytest.mark.usefixtures("distinct")
def test_another_person_with_the_same_name_approves() -> None:
    me = vera()
    namesake = person(name="Vera Examples")
    namesake.last_name = "Example"
    namesake.save()
    post = save(actor=me, **AI).post

    signed(post, Actor("Vera Example", kind=ActorKind.PERSON, user_id=namesake.pk))

    assert Approval.objects.get().actor_id == f"user:{namesake.pk}"


@requirement("approvals.distinct")
def test_a_token_does_not_approve_what_it_wrote_under_any_name(settings: Settings) -> None:
    settings.BLOG_ENGINE = blog_settings(distinct_reviewer=True)
    post = save(actor=BOT, **AI).post

    assert isinstance(refusal_of(lambda: signed(post, BOT, name="Rosa Reviewer")), WriterApproves)
    signed(post, EDITOR, name="Rosa Reviewer")

    assert Approval.objects.count() == 1


@requirement("approvals.distinct.name")
@pytest.mark.usefixtures("distinct")
@pytest.mark.parametrize(("writer", "is_refused"), [("vera  example", True), ("Wanda Writer", False), (None, False)])
def test_without_a_recorded_id_the_name_of_the_writer_decides(writer: str | None, is_refused: bool) -> None:
    me, post = vera(), save(**AI).post
    execute('UPDATE "blog_engine_post" SET "unrecorded_actor" = %s, "unrecorded_by" = NULL', writer)

    if is_refused:
        assert isinstance(refusal_of(lambda: signed(post, me)), WriterApproves)
    else:
        assert signed(post, me).post.is_reviewed


@requirement("access.scopes.instead")
def test_without_the_scope_the_refusal_names_what_is_open() -> None:
    post = save(publish=True).post
    reader = Call(actor=Actor("Reader", ["read"], id="token:4"), now=NOW, base_url="https://blog.example")
    writer = Call(actor=AGENT, now=NOW, base_url="https://blog.example")
    review = f"https://blog.example/admin/blog_engine/post/{post.pk}/review/"

    def hint(op: Any, call: Call, **raw: Any) -> str:
        with pytest.raises(ScopeRequired) as caught:
            call_operation(op, raw, call=call, id=str(post.pk))
        return str(caught.value)

    assert review in hint(operations.publish_post, writer)
    assert review in hint(operations.approve_revision, writer, name="Rosa", facts_checked=True)
    assert "propose: true" in hint(operations.update_post, writer, body="Nine.", change="substantive")
    assert "propose" not in hint(operations.update_post, reader, body="Nine.", change="substantive")
