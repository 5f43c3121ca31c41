"""The steps of a review over the API and tools, which share one field of the update of a post."""

from datetime import datetime
from typing import Final

from blog_engine import services
from blog_engine.actor import Actor
from blog_engine.errors import ValidationFailed
from blog_engine.inputs.conversation import (
    AddRemark,
    AnswerRemark,
    RequestReview,
    ResolveRemark,
    ReturnReview,
    ReviewAction,
    ReviewStep,
    UpdateOrReview,
)

_GOES_ALONG: Final = frozenset({"id", "review", "expected_revision", "expected_version", "answer", "with_body"})


def review_step(data: UpdateOrReview, step: ReviewStep, *, actor: Actor, now: datetime) -> services.Written:
    """Take one step of a review; raises ``ValidationFailed`` with the fields that were sent besides (reviews.step)."""
    others = [name for name in type(data).model_fields if name in data.model_fields_set - _GOES_ALONG]
    # A flag that is off asks for nothing.
    if wrong := [name for name in others if getattr(data, name) is not False]:
        raise ValidationFailed(["review", *wrong], hint="Send review in a call of its own, without fields of the post.")
    about = {name: getattr(data, name) for name in ("expected_revision", "expected_version")}
    post = {"id": data.id} | {name: value for name, value in about.items() if value is not None}
    text, remark = step.text or "", step.remark
    match step.action:
        case ReviewAction.REQUEST:
            asked = RequestReview.from_data({**post, "note": text, "person": step.person or ""})
            return services.request_review(asked, actor=actor, now=now)
        case ReviewAction.CANCEL:
            return services.cancel_review_request(RequestReview.from_data(post), actor=actor, now=now)
        case ReviewAction.RETURN:
            return services.return_review(ReturnReview.from_data({**post, "note": text}), actor=actor, now=now)
        case ReviewAction.REMARK:
            said = AddRemark.from_data({**post, "text": text, "passage": step.passage or ""})
            return services.add_remark(said, actor=actor, now=now)
        case ReviewAction.ANSWER:
            answer = AnswerRemark.from_data({**post, "remark": remark, "text": text})
            return services.answer_remark(answer, actor=actor, now=now)
        case ReviewAction.RESOLVE:
            return services.resolve_remark(ResolveRemark.from_data({**post, "remark": remark}), actor=actor, now=now)
