"""Nothing that is not public is in any byte of the public history, in any setting."""

from datetime import timedelta

import pytest
from django.test import override_settings

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.enums import ActorKind
from blog_engine.inputs.base import parse
from blog_engine.inputs.conversation import AddRemark, RequestReview, ReturnReview
from blog_engine.inputs.history import WithholdVersion
from blog_engine.models import ApiToken, Post, Publication
from blog_engine.services import make_checkpoint
from blog_engine.services.tokens import create_token
from tests.requirements import requirement
from tests.support.factories import LATER, NOW, approve, declare, propose, publish, reject, save, unpublish, update
from tests.support.hosts import blog_settings
from tests.support.pages import Visitor

PERSON = Actor("Vera Example", kind=ActorKind.PERSON, user_id=90210)
SECRETS = (
    *("Zinc-draft", "Zinc-reviewed-draft", "Zinc-proposal", "Zinc-rejection", "Zinc-later-draft", "Zinc-remark"),
    *("Zinc-request", "Zinc-return", "Zinc-party", "Zinc-relation", "Zinc-declarer", "Zinc-withheld-title"),
    *("Zinc-withheld-text", "Zinc-withheld-change", "Zinc-agent", "Zinc-token"),
    "Zinc-other-post",
)
IDS = ("90210", "token:")


def _life() -> tuple[Post, list[str]]:
    """Return a public post with everything that readers must not see, and the identifiers of its public versions."""
    token = create_token("Zinc-token", now=NOW)
    bot = Actor("Zinc-agent", id=f"token:{ApiToken.objects.get().pk}", kind=ActorKind.TOKEN)
    save(title="Zinc-other-post", body="Zinc-draft")
    post = save(title="Bells", body="Zinc-draft", actor=bot).post
    update(post, body="Zinc-reviewed-draft", actor=bot)
    approve(Post.objects.get(pk=post.pk), actor=PERSON)
    _talk(post)
    publish(post, publish_at=(NOW + timedelta(days=3)).isoformat(), now=NOW)
    publish(post, publish_at=None, now=NOW)
    update(post, body="Copper.", actor=PERSON)
    publish(post, actor=PERSON)
    update(
        post,
        title="Zinc-withheld-title",
        body="Zinc-withheld-text",
        change="substantive",
        change_description="Zinc-withheld-change",
        actor=PERSON,
    )
    withheld = Post.objects.get(pk=post.pk).current_revision_identifier
    update(post, title="Bells", body="Bronze.", change="correction", note="It was copper.", actor=PERSON)
    approve(Post.objects.get(pk=post.pk), actor=PERSON)
    declare(post, connections=[{"party": "Zinc-party", "relation": "Zinc-relation"}], declared_by="Zinc-declarer")
    reject(propose(post, body="Zinc-proposal", change="maintenance", actor=bot), reason="Zinc-rejection")
    propose(post, title="Zinc-proposal", change="maintenance", actor=bot)
    data = WithholdVersion(id=str(post.pk), identifier=withheld, reason="A court order")
    services.withhold_version(data, actor=PERSON, now=LATER)
    unpublish(post, actor=PERSON)
    update(post, body="Zinc-later-draft")
    update(post, body="Bronze.")
    publish(post, actor=PERSON)
    assert token
    return Post.objects.get(pk=post.pk), list(
        Publication.objects.filter(post=post.pk).values_list("revision__identifier", flat=True)
    )


def _talk(post: Post) -> None:
    named = {"id": str(post.pk)}
    services.request_review(parse(RequestReview, named | {"note": "Zinc-request"}), actor=PERSON, now=NOW)
    services.add_remark(parse(AddRemark, named | {"text": "Zinc-remark", "passage": ""}), actor=PERSON, now=NOW)
    update(post, body="Zinc-draft")
    services.return_review(parse(ReturnReview, named | {"note": "Zinc-return"}), actor=PERSON, now=NOW)


@requirement("public-history.private", "public-history.withheld")
def test_no_byte_of_the_public_history_is_of_what_was_not_public(visitor: Visitor, subtests: pytest.Subtests) -> None:
    post, identifiers = _life()
    make_checkpoint(now=LATER + timedelta(days=1))
    texts = [f"/{one}" for one in identifiers] + [
        f"/{old}/{new}" for old in set(identifiers) for new in set(identifiers)
    ]
    paths = ["", "?page=2", ".json", ".json?page=2", "/evidence.json", *texts]

    for setting in ("off", "dates", "names", "full"):
        with override_settings(BLOG_ENGINE=blog_settings(public_history=setting)):
            answers = {path: visitor.get(f"/bells/history{path}") for path in paths}
            answers |= {path: visitor.get(f"/bells{path}") for path in (".md",)}
        found = {path for path, answer in answers.items() if answer.status_code == 200}
        with subtests.test(setting=setting):
            assert len(found) == {"off": 1, "dates": 3, "names": 3, "full": 6}[setting]
            for path in found:
                sent = str(dict(answers[path].items())).encode() + answers[path].content
                assert [word for word in SECRETS if word.encode() in sent] == [], path
                if path != "/evidence.json":
                    assert [word for word in IDS if word.encode() in sent] == [], path
    assert post.status == "published"
