"""Withholding a version that was public, and showing it again."""

import pytest

from blog_engine.models import Post, WithheldVersion
from tests.admin.desk import EDITOR, WRITER, desk, page_of, sent, url
from tests.requirements import requirement
from tests.support.factories import save, update

pytestmark = pytest.mark.django_db


@pytest.fixture
def post() -> Post:
    made = save(title="Bells", body="One.", publish=True).post
    update(made, body="Two.", change="substantive")
    return Post.objects.get(pk=made.pk)


@pytest.fixture
def old(post: Post) -> str:
    return str(post.revisions.order_by("pk").values_list("identifier", flat=True)[0])


@requirement("public-history.withheld", "public-history.withheld.record")
def test_an_editor_withholds_a_version_and_shows_it_again(post: Post, old: str) -> None:
    client = desk(*EDITOR, name="Ed Editor")
    assert "Withhold it from the public history" in page_of(client, "post_revision", post.pk, old)
    assert "“How this article was made”" in page_of(client, "post_withhold", post.pk, old)

    answer = sent(client, "post_withhold", post.pk, old, act="withhold", reason="A court order")

    assert answer["Location"] == url("post_revision", post.pk, old)
    act = WithheldVersion.objects.get()
    assert (act.identifier, act.reason, act.actor, act.actor_kind) == (old, "A court order", "Ed Editor", "person")
    page = page_of(client, "post_revision", post.pk, old)
    assert "A court order" in page
    assert "Show it in the public history again" in page

    sent(client, "post_withhold", post.pk, old, act="show")

    assert [act.is_withheld for act in WithheldVersion.objects.order_by("pk")] == [True, False]
    assert "A court order" not in page_of(client, "post_revision", post.pk, old)


@requirement("public-history.withheld.repeated")
def test_a_form_about_another_state_does_nothing(post: Post, old: str) -> None:
    first, second = desk(*EDITOR, name="Ed Editor"), desk(*EDITOR, name="Mia Mender")
    sent(first, "post_withhold", post.pk, old, act="withhold", reason="A court order")

    answer = sent(second, "post_withhold", post.pk, old, act="withhold", reason="Privacy")

    assert answer.status_code == 302
    assert WithheldVersion.objects.count() == 1
    assert sent(second, "post_withhold", post.pk, old, act="else").status_code == 200
    assert WithheldVersion.objects.count() == 1


@requirement("public-history.withheld", "public-history.withheld.present")
@pytest.mark.parametrize("reason", ["", " ", "x" * 256])
def test_a_reason_is_needed(post: Post, old: str, reason: str) -> None:
    client = desk(*EDITOR)

    answer = sent(client, "post_withhold", post.pk, old, act="withhold", reason=reason)

    assert answer.status_code == 200
    assert "reason" in answer.context["form"].errors
    assert not WithheldVersion.objects.exists()


@requirement("public-history.withheld.present")
def test_the_present_version_cannot_be_withheld(post: Post) -> None:
    client, present = desk(*EDITOR), post.current_revision_identifier

    assert "Readers see this version now." in page_of(client, "post_withhold", post.pk, present)
    answer = sent(client, "post_withhold", post.pk, present, act="withhold", reason="A court order")

    assert answer.status_code == 200
    assert not WithheldVersion.objects.exists()


@requirement("public-history.withheld")
def test_only_who_may_publish_withholds_and_only_what_was_public(post: Post, old: str) -> None:
    writer, editor = desk(*WRITER), desk(*EDITOR, name="Ed Editor")
    draft = save(title="Draft").post

    assert writer.get(url("post_withhold", post.pk, old)).status_code == 403
    assert "Withhold" not in page_of(writer, "post_revision", post.pk, old)
    assert editor.get(url("post_withhold", post.pk, "0" * 64)).status_code == 404
    assert editor.get(url("post_withhold", draft.pk, draft.current_revision_identifier)).status_code == 404
