"""Requests for a review, what is sent back, remarks, answers and who is concerned."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission, User

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.errors import NotFound, RevisionMismatch, ScopeRequired, ValidationFailed
from blog_engine.inputs.conversation import AddRemark, AnswerRemark, RequestReview, ResolveRemark, ReturnReview
from blog_engine.models import Post, Remark
from blog_engine.queries import conversation as queries
from blog_engine.queries.conversation import conversation_of, posts_asked_of, posts_returned_to, remarks_of
from blog_engine.services import Written, _conversation
from tests.requirements import requirement
from tests.support.factories import LATER, NOW, approve, publish, remove, save, update
from tests.support.tables import refused

pytestmark = pytest.mark.django_db

WANDA = Actor("Wanda Writer", scopes=["read", "write"], id="user:7")
AGENT = Actor("Drafting agent", scopes=["read", "write"], id="token:3")
RITA = Actor("Rita Reviewer", scopes=["read", "publish"], id="user:8")
READER = Actor("Reader", scopes=["read"])
BODY = "# Leeks\n\nLeeks are *sown* in\nMarch, [they say](https://example.com/leeks)."


def reviewer(username: str = "rita", *, name: str = "Rita Reviewer", **fields: Any) -> User:
    first, _, last = name.partition(" ")
    user = User.objects.create_user(username, first_name=first, last_name=last, **{"is_staff": True} | fields)
    user.user_permissions.add(Permission.objects.get(codename="approve_post"))
    return user


def ask(post: Post, note: str = "", person: str = "", *, actor: Actor = WANDA, **expected: Any) -> Written:
    data = RequestReview(id=str(post.pk), note=note, person=person, **expected)
    return services.request_review(data, actor=actor, now=NOW)


def send_back(post: Post, note: str = "A source, please.", *, actor: Actor = RITA, **expected: Any) -> Written:
    return services.return_review(ReturnReview(id=str(post.pk), note=note, **expected), actor=actor, now=LATER)


def remark(post: Post, text: str = "Really?", passage: str = "", *, actor: Actor = RITA, **expected: Any) -> Written:
    return services.add_remark(
        AddRemark(id=str(post.pk), text=text, passage=passage, **expected), actor=actor, now=LATER
    )


def answer(post: Post, to: int, text: str = "Yes.", *, actor: Actor = WANDA) -> Written:
    return services.answer_remark(AnswerRemark(id=str(post.pk), remark=to, text=text), actor=actor, now=LATER)


def resolve(post: Post, one: int, *, actor: Actor = WANDA) -> Written:
    return services.resolve_remark(ResolveRemark(id=str(post.pk), remark=one), actor=actor, now=LATER)


def entry(written: Written) -> Remark:
    assert written.remark is not None
    return written.remark


def kinds(post: Post) -> list[str]:
    return [one.kind for one in remarks_of(post.pk)]


def row(post: Post) -> Post:
    return Post.objects.get(pk=post.pk)


@requirement("reviews.request")
def test_a_request_keeps_note_person_and_who_asked() -> None:
    rita, post = reviewer(), save().post

    written = ask(post, "Please look at the numbers.", "rita")

    stored = row(post)
    assert (stored.review_requested_by, stored.review_requested_at) == ("Wanda Writer", NOW)
    assert (stored.review_asked, stored.review_asked_name) == (str(rita.pk), "Rita Reviewer")
    assert stored.review_requester == "user:7"
    (said,) = remarks_of(post.pk)
    assert said == written.remark
    assert (said.kind, said.text, said.actor, said.actor_id) == (
        "request", "Please look at the numbers.", "Wanda Writer", "user:7",
    )  # fmt: skip
    assert (said.person, said.person_name, said.written_at) == (str(rita.pk), "Rita Reviewer", NOW)
    assert said.revision_identifier == post.current_revision_identifier


@requirement("reviews.request")
def test_a_later_request_replaces_the_first() -> None:
    reviewer()
    post = save().post
    ask(post, "The numbers.", "rita")

    ask(post, "And the title.", actor=AGENT)

    stored = row(post)
    assert (stored.review_requested_by, stored.review_asked, stored.review_asked_name) == ("Drafting agent", "", "")
    assert kinds(post) == ["request", "request"]


@requirement("reviews.request")
@pytest.mark.parametrize("end", [approve, remove], ids=["approved", "archived"])
def test_nothing_is_asked_of_a_post_that_is_approved_or_archived(end: Callable[[Post], Written]) -> None:
    post = end(publish(save().post).post).post

    written = ask(post, "Please.")

    assert (written.remark, row(post).review_requested_at, kinds(post)) == (None, None, [])


@requirement("reviews.person")
@pytest.mark.parametrize("key", ["rita", "Rita Reviewer", "rita reviewer", "id"])
def test_a_person_is_named_by_user_name_full_name_or_id(key: str) -> None:
    rita, post = reviewer(), save().post

    ask(post, person=str(rita.pk) if key == "id" else key)

    assert row(post).review_asked == str(rita.pk)


@requirement("reviews.person")
@pytest.mark.parametrize(
    "make",
    [
        lambda: None,
        lambda: User.objects.create_user("rita", is_staff=True),
        lambda: reviewer(is_active=False),
        lambda: reviewer(is_staff=False),
        lambda: (reviewer("one", name="rita"), reviewer("two", name="Rita")),
    ],
    ids=["unknown", "without the right", "inactive", "not at the desk", "two"],
)
def test_who_may_not_sign_is_not_asked(make: Callable[[], object]) -> None:
    make()
    reviewer("ines", name="Ines Editor")
    post = save().post

    with pytest.raises(ValidationFailed, match="Ines Editor") as caught:
        ask(post, person="rita")

    assert caught.value.details == ["review.person"]
    assert row(post).review_requested_at is None


def test_superusers_and_members_of_a_group_can_be_asked() -> None:
    group = Group.objects.create(name="Reviewers")
    group.permissions.add(Permission.objects.get(codename="approve_post"))
    User.objects.create_user("gwen", is_staff=True).groups.add(group)
    User.objects.create_superuser("root")
    post = save().post

    for name in ("gwen", "root"):
        ask(post, person=name)
        assert row(post).review_asked_name == name


@requirement("reviews.return")
def test_a_post_that_is_sent_back_is_its_writers_turn() -> None:
    post = save(made_by_ai=True).post
    ask(post)

    written = send_back(post, "Source for paragraph 3, please.")

    stored = row(post)
    assert (stored.review_requested_by, stored.review_requested_at, stored.review_reason) == (None, None, None)
    assert (stored.review_returned_by, stored.review_returned_at) == ("Rita Reviewer", LATER)
    assert entry(written).text == "Source for paragraph 3, please."
    assert kinds(post) == ["request", "return"]


@requirement("reviews.return")
def test_a_scheduled_post_that_is_sent_back_still_waits() -> None:
    post = publish(save().post, publish_at=(NOW + timedelta(days=1)).isoformat(), now=NOW).post

    send_back(post)

    assert row(post).review_reason == "scheduled"


@requirement("reviews.return")
@pytest.mark.parametrize("end", [approve, remove], ids=["approved", "archived"])
def test_nothing_is_sent_back_of_a_post_that_is_approved_or_archived(end: Callable[[Post], Written]) -> None:
    post = end(publish(save().post).post).post

    with refused(ValidationFailed, ["review"]):
        send_back(post)


@requirement("reviews.end")
@pytest.mark.parametrize(
    "end",
    [approve, lambda post: approve(post, facts_checked=False), publish, lambda post: remove(publish(post).post)],
    ids=["approval", "unchecked approval", "release", "archive"],
)
@pytest.mark.parametrize("begin", [ask, send_back])
def test_an_answer_ends_the_review(begin: Callable[[Post], Written], end: Callable[[Post], object]) -> None:
    post = save().post
    open_remark = entry(remark(post))
    begin(post)

    end(post)

    stored = row(post)
    assert (stored.review_requested_at, stored.review_returned_at, stored.review_requester) == (None, None, "")
    assert stored.open_remarks == 1
    assert open_remark in remarks_of(post.pk)


@requirement("reviews.end")
def test_asking_again_ends_that_a_post_was_sent_back_and_an_edit_does_not() -> None:
    post = save().post
    ask(post)
    send_back(post)

    update(post, body="Better.")
    assert row(post).review_returned_at == LATER

    ask(post, "Done.")
    assert (row(post).review_returned_at, row(post).review_reason) == (None, "requested")


@requirement("reviews.version")
def test_only_whose_turn_it_is_makes_a_version() -> None:
    post = save(body=BODY).post
    versions = []

    steps: list[Callable[[], object]] = [
        lambda: ask(post),
        lambda: services.cancel_review_request(RequestReview(id=str(post.pk)), actor=WANDA, now=LATER),
        lambda: send_back(post),
        lambda: remark(post, passage="March"),
        lambda: answer(post, remarks_of(post.pk)[-1].pk),
        lambda: resolve(post, next(one.pk for one in remarks_of(post.pk) if one.is_open)),
    ]
    for step in steps:
        before = row(post).version
        step()
        versions.append(row(post).version - before)

    assert versions == [1, 1, 1, 0, 0, 0]


@requirement("reviews.version")
@pytest.mark.parametrize("step", [ask, send_back, remark])
def test_a_step_on_another_version_than_the_expected_one_is_refused(step: Callable[..., Written]) -> None:
    post = save().post
    update(post, body="Another.")

    with refused(RevisionMismatch, ["expected_version"]):
        step(post, expected_version=post.version)

    assert kinds(post) == []


@requirement("reviews.once")
def test_a_repeated_step_is_recorded_once() -> None:
    post = save(body=BODY).post

    first = [entry(ask(post, "Please.")), entry(send_back(post)), entry(remark(post, passage="March"))]
    again = entry(answer(post, first[-1].pk))
    version = row(post).version

    assert answer(post, first[-1].pk).remark is None
    assert remarks_of(post.pk) == [*first, again]

    assert entry(ask(post, "Again.")) and ask(post, "Again.").remark is None
    assert row(post).version == version + 1
    update(post, body="Other content.")
    assert entry(ask(post, "Again."))


@requirement("reviews.once")
def test_a_step_that_was_taken_back_is_recorded_again() -> None:
    post = save().post
    ask(post)
    services.cancel_review_request(RequestReview(id=str(post.pk)), actor=WANDA, now=LATER)

    ask(post)

    assert kinds(post) == ["request", "request"]


@requirement("reviews.passage")
@pytest.mark.parametrize(
    "passage", ["Leeks are *sown* in\nMarch", "Leeks are sown in March, they say.", "  are\tsown  in ", "# Leeks"]
)
def test_a_passage_is_quoted_as_source_or_as_read(passage: str) -> None:
    post = save(body=BODY).post

    said = entry(remark(post, "When?", passage))

    assert (said.kind, said.text, said.passage) == ("remark", "When?", passage)
    assert row(post).open_remarks == 1


@requirement("reviews.passage")
def test_a_passage_that_is_not_there_is_refused() -> None:
    post = save(body=BODY).post

    with refused(ValidationFailed, ["review.passage"]):
        remark(post, "When?", "in April")


@requirement("reviews.passage.gone")
def test_an_open_remark_says_whether_its_passage_is_there() -> None:
    post = save(body=BODY).post
    gone, kept, done = (
        entry(remark(post, text, passage)) for text, passage in (("1", "sown"), ("2", "March"), ("3", "they say"))
    )
    plain = entry(remark(post, "4"))
    resolve(post, done.pk)

    update(post, body="Planted in *Mar*ch.")

    found = {one.pk: one.in_text for one in conversation_of(row(post))}
    assert found == {gone.pk: False, kept.pk: True, done.pk: None, plain.pk: None}


@requirement("reviews.answer")
def test_an_answer_belongs_to_the_entry_that_began_it() -> None:
    post = save().post
    began = entry(send_back(post))
    first = entry(answer(post, began.pk))

    second = entry(answer(post, first.pk, "Sure?", actor=RITA))

    assert (first.in_reply_to_id, second.in_reply_to_id) == (began.pk, began.pk)


@requirement("reviews.answer")
@pytest.mark.parametrize("step", [answer, resolve])
def test_an_entry_of_another_post_is_not_answered(step: Callable[[Post, int], Written]) -> None:
    post, other = save().post, save(title="Other").post
    foreign = entry(remark(other))

    for key in (foreign.pk, foreign.pk + 1000):
        with refused(ValidationFailed, ["review.remark"]):
            step(post, key)

    assert row(other).open_remarks == 1


@requirement("reviews.resolve")
def test_a_remark_is_resolved_once_and_keeps_who_did_it() -> None:
    post = save().post
    said = entry(remark(post))

    resolve(post, said.pk)
    resolve(post, said.pk, actor=RITA)

    stored = Remark.objects.get(pk=said.pk)
    assert (stored.resolved_by, stored.resolved_at, stored.text) == ("Wanda Writer", LATER, "Really?")
    assert row(post).open_remarks == 0


@requirement("reviews.resolve")
def test_only_remarks_are_resolved() -> None:
    post = save().post
    others = [entry(ask(post)), entry(send_back(post))]
    others.append(entry(answer(post, others[-1].pk)))

    for one in others:
        with refused(ValidationFailed, ["review.remark"]):
            resolve(post, one.pk)


@requirement("reviews.texts")
def test_a_deleted_draft_takes_its_conversation_with_it() -> None:
    post = save().post
    answer(post, entry(send_back(post)).pk)

    remove(post)

    assert (Post.objects.count(), Remark.objects.count()) == (0, 0)


@requirement("reviews.texts")
def test_no_entry_is_written_past_the_services() -> None:
    said = entry(remark(save().post))

    for write in (said.save, said.delete, lambda: Remark.objects.update(text="Other")):
        with pytest.raises(TypeError):
            write()


@requirement("reviews.limits")
def test_too_many_entries_and_open_remarks_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_conversation, "MOST_OPEN", 2)
    monkeypatch.setattr(_conversation, "MOST_ENTRIES", 4)
    post = save().post
    remark(post, "1")
    remark(post, "2")

    with refused(ValidationFailed, ["review"]):
        remark(post, "3")
    ask(post)
    send_back(post)
    with refused(ValidationFailed, ["review"]):
        ask(post, "Again.")

    assert (row(post).review_returned_at, kinds(post)) == (LATER, ["remark", "remark", "request", "return"])


@requirement("reviews.limits")
@pytest.mark.parametrize(
    ("model", "field", "length"),
    [
        (RequestReview, "note", 4000),
        (ReturnReview, "note", 4000),
        (AddRemark, "text", 4000),
        (AddRemark, "passage", 1000),
    ],
)
def test_texts_have_limits(model: Any, field: str, length: int) -> None:
    others = {"text": "Why?"} if model is AddRemark else {}

    assert getattr(model.from_data({"id": "1", **others, field: "a" * length}), field) == "a" * length
    with refused(ValidationFailed, [field]):
        model.from_data({"id": "1", **others, field: "a" * (length + 1)})


def test_a_long_conversation_shows_open_remarks_and_the_newest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "MOST_SHOWN", 3)
    post = save().post
    old = entry(remark(post, "Old, and open."))
    entries = [entry(answer(post, old.pk, f"{number}")) for number in range(4)]

    assert remarks_of(post.pk) == [old, *entries[-2:]]


@pytest.mark.parametrize(
    ("step", "actor", "scope"),
    [
        (ask, READER, "write"),
        (ask, RITA, "write"),
        (send_back, WANDA, "publish"),
        (remark, READER, "write"),
        (lambda post, actor: answer(post, 1, actor=actor), READER, "write"),
        (lambda post, actor: resolve(post, 1, actor=actor), READER, "write"),
    ],
)
def test_each_step_needs_its_scope(step: Callable[..., Written], actor: Actor, scope: str) -> None:
    post = save().post

    with refused(ScopeRequired, [scope]):
        step(post, actor=actor)


@pytest.mark.parametrize("step", [ask, send_back, remark])
def test_a_step_needs_its_post(step: Callable[[Post], Written]) -> None:
    with refused(NotFound):
        step(Post(pk=4711))


def test_what_is_sent_back_and_asked_is_found_by_person() -> None:
    rita = reviewer()
    mine, foreign, asked = save(title="Mine").post, save(title="Foreign").post, save(title="Asked").post
    ask(mine)
    ask(foreign, actor=AGENT)
    send_back(mine)
    send_back(foreign)
    ask(asked, person="rita")

    assert list(posts_returned_to("user:7")) == [mine]
    assert list(posts_returned_to("token:3")) == [foreign]
    assert list(posts_returned_to("user:70")) == []
    assert list(posts_asked_of(rita.pk)) == [asked]
    assert list(posts_asked_of("")) == []


def test_an_actor_of_another_kind_has_no_id() -> None:
    post = save().post

    assert entry(remark(post, actor=Actor("Host", id="x:1"))).actor_id == ""
