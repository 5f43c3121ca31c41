"""Importing articles that another system published (service.md section 4.1, Adoptions)."""

from blog_engine import services
from blog_engine.actor import Call, Scope
from blog_engine.errors import (
    AlreadyChangedInGem,
    ApprovalIncomplete,
    BodyFormatNotPermitted,
    IdentityConflict,
    ImageNotPermitted,
    NotFound,
    SlugNotSupported,
    SlugReserved,
)
from blog_engine.inputs.adoption import AdoptPost
from blog_engine.operations.base import operation
from blog_engine.outputs.adoption import Adoption
from blog_engine.outputs.context import AnswerContext


@operation(
    scope=Scope.PUBLISH,
    refuses=[
        NotFound,
        IdentityConflict,
        SlugReserved,
        AlreadyChangedInGem,
        SlugNotSupported,
        ApprovalIncomplete,
        ImageNotPermitted,
        BodyFormatNotPermitted,
    ],
)
def adopt_post(data: AdoptPost, call: Call) -> Adoption:
    """Import an article with the evidence for its past, or with dry_run show what that would make."""
    adopted = services.adopt_post(data, actor=call.actor, now=call.now, base_url=call.base_url)
    return Adoption.of(adopted, AnswerContext.of(call))
