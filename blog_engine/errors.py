"""Every refusal the engine can give, and the envelope it travels in (service.md section 7, decisions.md 9)."""

from collections.abc import Iterable
from typing import ClassVar, TypedDict


class ErrorBody(TypedDict):
    """The inside of the envelope."""

    code: str
    message: str
    details: list[str]


class ErrorEnvelope(TypedDict):
    """What a client receives instead of an answer."""

    error: ErrorBody


class Refusal(Exception):
    """A call the engine declines; nothing was written.

    ``details`` names fields, scopes or carries a host's messages. ``message`` says what is wrong, and that nothing was
    written; ``hint`` is one more English sentence that helps the caller to fix the call: the nearest name, the allowed
    values, the next step; ``str()`` gives both. People and models read both, over HTTP and as tools: they name fields
    and acts ("publish the post"), no method, path or tool, unless they name the tool and the path together. Only the
    subclasses are raised.
    """

    code: ClassVar[str]
    status: ClassVar[int]
    message: ClassVar[str]
    retry_after: int | None = None
    """Seconds to wait before the next attempt, for the ``Retry-After`` header."""

    def __init__(self, details: Iterable[str] = (), *, hint: str = "") -> None:
        self.details = list(details)
        self.hint = hint
        super().__init__(self.code, self.details)

    def __str__(self) -> str:
        return f"{self.message} {self.hint}" if self.hint else self.message

    @property
    def is_our_own_fault(self) -> bool:
        """Whether it is about the installation and not about what was sent."""
        return self.status >= 500

    def envelope(self) -> ErrorEnvelope:
        """The JSON object of this refusal, exactly ``code``, ``message`` and ``details``."""
        return {"error": {"code": self.code, "message": str(self), "details": self.details}}


class Unauthenticated(Refusal):
    code = "unauthenticated"
    status = 401
    message = "An authenticated actor is required."


class ScopeRequired(Refusal):
    code = "scope_required"
    status = 403
    message = "The actor lacks a scope that this call needs; nothing was written."


class NotFound(Refusal):
    code = "not_found"
    status = 404
    message = "There is no such record; nothing was written."


class MethodNotAllowed(Refusal):
    code = "method_not_allowed"
    status = 405
    message = "This address does not answer that method."

    def __init__(self, allowed: Iterable[str]) -> None:
        self.allowed = list(allowed)
        super().__init__(hint=f"It answers {', '.join(self.allowed)}." if self.allowed else "")


class IdentityConflict(Refusal):
    code = "identity_conflict"
    status = 409
    message = "The slug or external id belongs to another post; nothing was written."


class SlugReserved(Refusal):
    code = "slug_reserved"
    status = 409
    message = "That address is reserved or already leads somewhere else; nothing was written."


class PostIsPublic(Refusal):
    code = "post_is_public"
    status = 409
    message = (
        "The post is public, so a draft save does not touch it; nothing was written. "
        "Update the post and send change as substantive, correction or maintenance, or unpublish it first."
    )


class RevisionMismatch(Refusal):
    code = "revision_mismatch"
    status = 409
    message = "The approval names another revision than the one it would be bound to; nothing was written."


class AlreadyChangedInGem(Refusal):
    code = "already_changed_in_gem"
    status = 409
    message = (
        "The adopted post was changed here after its adoption, so an import no longer replaces it; "
        "nothing was written. Read the post and update it instead."
    )


class LengthRequired(Refusal):
    code = "length_required"
    status = 411
    message = "A request body needs a Content-Length header; nothing was written."


class PayloadTooLarge(Refusal):
    code = "payload_too_large"
    status = 413
    message = "The request body is larger than this address accepts; nothing was written."


class UnsupportedMediaType(Refusal):
    code = "unsupported_media_type"
    status = 415
    message = "Send the body as application/json; nothing was written."


class ValidationFailed(Refusal):
    code = "validation_failed"
    status = 422
    message = "Some fields have a value that is not accepted; nothing was written."


class UnknownField(Refusal):
    code = "unknown_field"
    status = 422
    message = "Some fields are not known here; nothing was written."


class ChangeTypeRequired(Refusal):
    code = "change_type_required"
    status = 422
    message = (
        "This changes the public revision; nothing was written. "
        "Send change as substantive, correction (with note) or maintenance."
    )


class CorrectionNoteRequired(Refusal):
    code = "correction_note_required"
    status = 422
    message = (
        "A correction needs a note that says what was wrong; nothing was written. "
        "Send note: readers see it with the correction."
    )


class ApprovalRequired(Refusal):
    code = "approval_required"
    status = 422
    message = (
        "This blog releases such content only with a facts-checked approval of exactly this revision; "
        "nothing was written."
    )


class ApprovalIncomplete(Refusal):
    code = "approval_incomplete"
    status = 422
    message = (
        "An approval needs the reviewer's name and facts_checked as true or false; nothing was written. "
        "Ask the reviewer for what is missing."
    )


class RefusedByHost(Refusal):
    code = "refused_by_host"
    status = 422
    message = (
        "The site's own publication check refused this post; nothing was written. "
        "The details say why: mend the post and send it again."
    )


class BodyFormatNotPermitted(Refusal):
    code = "body_format_not_permitted"
    status = 422
    message = "This blog does not accept bodies of that format; nothing was written."


class SlugNotSupported(Refusal):
    code = "slug_not_supported"
    status = 422
    message = "A slug has a form that this blog does not accept; nothing was written."


class ImageNotPermitted(Refusal):
    code = "image_not_permitted"
    status = 422
    message = "The image cannot be used; nothing was written."


class RateLimited(Refusal):
    code = "rate_limited"
    status = 429
    message = "Too many requests in a short time; nothing was written."

    def __init__(self, *, retry_after: int) -> None:
        seconds = f"{retry_after} seconds" if retry_after > 1 else "a second"
        super().__init__(hint=f"Wait {seconds}, then send the same call again.")
        self.retry_after = retry_after


class InternalError(Refusal):
    """A fault of the installation: it stopped the call at a point that the message cannot know."""

    code = "internal_error"
    status = 500
    message = (
        "The blog has a fault of its own and could not finish this call; its log says more. "
        "Read what is stored before you send the call again, and tell a person who runs the blog."
    )


class Busy(Refusal):
    code = "busy"
    status = 503
    message = "The database is busy; nothing was written. Wait a second, then send the same call again."
    retry_after = 1


class Unavailable(Refusal):
    code = "unavailable"
    status = 503
    message = (
        "A service that this call needs is out of reach; nothing was written. "
        "Send the same call again later, and tell a person who runs the blog if it stays so."
    )
    retry_after = 1
