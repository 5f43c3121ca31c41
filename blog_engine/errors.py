"""The refusals of the engine: codes, statuses and messages (refusals.status)."""

from collections.abc import Iterable
from enum import StrEnum
from typing import ClassVar, TypedDict


class ErrorBody(TypedDict):
    """The value of ``error`` in the envelope."""

    code: str
    message: str
    details: list[str]


class ErrorEnvelope(TypedDict):
    """The body of a response that refuses a call."""

    error: ErrorBody


class Refusal(Exception):
    """The base class of refusals; do not raise it directly.

    ``details`` contains names of fields or scopes, or messages of the host. ``message`` says what is wrong and that
    nothing was written. ``hint`` is a sentence that helps to fix the call: the nearest name, the allowed values, the
    next step. ``str()`` returns both.

    The same texts are read over HTTP and as results of tools: they name fields and actions ("publish the post"), not a
    method, path or tool, except a tool and its path together.
    """

    code: ClassVar[str]
    status: ClassVar[int]
    message: ClassVar[str]
    retry_after: int | None = None
    """Seconds until the next attempt, for the ``Retry-After`` header."""

    def __init__(self, details: Iterable[str] = (), *, hint: str = "") -> None:
        self.details = list(details)
        self.hint = hint
        super().__init__(self.code, self.details)

    def __str__(self) -> str:
        return f"{self.message} {self.hint}" if self.hint else self.message

    @property
    def is_our_own_fault(self) -> bool:
        """Whether the installation is at fault, not the call."""
        return self.status >= 500

    def envelope(self) -> ErrorEnvelope:
        """Return the JSON object of this refusal (refusals.envelope)."""
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
    message = "This URL does not accept that method."

    def __init__(self, allowed: Iterable[str]) -> None:
        self.allowed = list(allowed)
        super().__init__(hint=f"It accepts {', '.join(self.allowed)}." if self.allowed else "")


class IdentityConflict(Refusal):
    code = "identity_conflict"
    status = 409
    message = "The slug or external id belongs to another post; nothing was written."


class SlugReserved(Refusal):
    code = "slug_reserved"
    status = 409
    message = "That path is reserved or already in use; nothing was written."


class PostIsPublic(Refusal):
    code = "post_is_public"
    status = 409
    message = (
        "The post is public and cannot be saved as a draft; nothing was written. "
        "Update the post and send change as substantive, correction or maintenance, or unpublish it first."
    )


class RevisionMismatch(Refusal):
    code = "revision_mismatch"
    status = 409
    message = "The call names another revision or version of the post than the present one; nothing was written."


class RevisionNotNamed(RevisionMismatch):
    """An approval that does not say what was reviewed (approvals.mismatch)."""

    message = "An approval names what was reviewed by its revision_identifier; nothing was written."


class ProposalDecided(Refusal):
    code = "proposal_decided"
    status = 409
    message = "The proposal was applied, rejected or withdrawn before; nothing was written."


class ProposalOutdated(Refusal):
    code = "proposal_outdated"
    status = 409
    message = (
        "The post was changed in a way that the proposal no longer fits; nothing was written. "
        "Read the proposal to see the conflict, propose the edit again for the present content, and reject the old one."
    )


class PreconditionFailed(RevisionMismatch):
    """A ``RevisionMismatch`` of ``If-Match`` or ``If-None-Match`` (RFC 9110, section 13)."""

    status = 412


class IdempotencyConflict(Refusal):
    code = "idempotency_conflict"
    status = 409
    message = "A call with this Idempotency-Key came before, and its answer cannot be given; nothing was written."


class AlreadyChangedInGem(Refusal):
    code = "already_changed_in_gem"
    status = 409
    message = (
        "The adopted post was changed here after its adoption, so an import no longer replaces it; "
        "nothing was written. Read the post and update it instead."
    )


class UploadTicketClosed(Refusal):
    code = "upload_ticket_closed"
    status = 410
    message = "This upload URL accepts no image any more; nothing was written."


class LengthRequired(Refusal):
    code = "length_required"
    status = 411
    message = "A request body needs a Content-Length header; nothing was written."


class PayloadTooLarge(Refusal):
    code = "payload_too_large"
    status = 413
    message = "The request body is larger than this URL accepts; nothing was written."


class UnsupportedMediaType(Refusal):
    code = "unsupported_media_type"
    status = 415
    message = "Send the body as application/json; nothing was written."


class ValidationFailed(Refusal):
    code = "validation_failed"
    status = 422
    message = "Some fields have a value that is not accepted; nothing was written."


class NameOfUser(ValidationFailed):
    """A token under the name of a user of the site (access.tokens.names)."""

    def __init__(self) -> None:
        super().__init__(
            ["name"],
            hint="A user of the site has this name, and the history would not show which of them acted: name the "
            "program or agent instead.",
        )


class UnknownField(Refusal):
    code = "unknown_field"
    status = 422
    message = "Some fields are unknown; nothing was written."


class ChangeTypeRequired(Refusal):
    code = "change_type_required"
    status = 422
    message = (
        "The call changes public content; nothing was written. "
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
        "This blog releases such content only with an approval of exactly this revision, with its facts checked; "
        "nothing was written."
    )


class ApprovalIncomplete(Refusal):
    code = "approval_incomplete"
    status = 422
    message = (
        "An approval needs the reviewer's name and facts_checked as true or false; nothing was written. "
        "Never make them up: leave the approval out unless a person reviewed this content, and ask that person."
    )


class PersonMustApprove(ApprovalIncomplete):
    """An approval by somebody other than a person, where only people approve (approvals.people)."""

    message = "On this blog only a person approves, signed in with an account of the site; nothing was written."


class NameOfAnother(ApprovalIncomplete):
    """An approval under another name than that of the account (approvals.people.name)."""

    message = "On this blog a person approves under the name of the own account; nothing was written."


class WriterApproves(ApprovalIncomplete):
    """An approval by the actor who wrote the revision (approvals.distinct)."""

    message = "On this blog a version is approved by another than its writer; nothing was written."


class SignatureNeeded(ApprovalIncomplete):
    """An approval without the signature of a passkey, where no other counts (approvals.signed.required)."""

    message = "On this blog a person signs each approval with a passkey, at the desk; nothing was written."


class RefusedByHost(Refusal):
    code = "refused_by_host"
    status = 422
    message = (
        "The publication check of the site refused this post; nothing was written. "
        "The details say why: fix the post and send it again."
    )


class BodyFormatNotPermitted(Refusal):
    code = "body_format_not_permitted"
    status = 422
    message = "This blog does not accept bodies in that format; nothing was written."


class IdempotencyKeyReused(Refusal):
    code = "idempotency_key_reused"
    status = 422
    message = (
        "Another call was sent with this Idempotency-Key; nothing was written. "
        "Use a new key for each call, and the same one only to send the same call again."
    )


class SlugNotSupported(Refusal):
    code = "slug_not_supported"
    status = 422
    message = "A slug has a form that this blog does not accept; nothing was written."


class ImageFault(StrEnum):
    """The reason why the bytes of an image cannot be used."""

    EMPTY = "empty"
    SIZE = "size"
    CONTENT = "content"
    PIXELS = "pixels"
    PARTS = "parts"
    MIXED = "mixed"
    NAME = "name"


class ImageNotPermitted(Refusal):
    code = "image_not_permitted"
    status = 422
    message = "The image cannot be used; nothing was written."

    def __init__(self, details: Iterable[str] = (), *, hint: str = "", fault: ImageFault = ImageFault.CONTENT) -> None:
        super().__init__(details, hint=hint)
        self.fault = fault
        """What people are told at the desk."""


class RateLimited(Refusal):
    code = "rate_limited"
    status = 429
    message = "Too many requests in a short time; nothing was written."

    def __init__(self, *, retry_after: int, reason: str = "") -> None:
        seconds = f"{retry_after} seconds" if retry_after > 1 else "a second"
        super().__init__(hint=f"{reason} Wait {seconds}, then send the same call again.".strip())
        self.retry_after = retry_after


class InternalError(Refusal):
    """A fault of the installation, at an unknown point of the call."""

    code = "internal_error"
    status = 500
    message = (
        "The blog could not finish this call because of an internal error, which is in its log. "
        "Read what is stored before you send the call again, and inform a person who runs the blog."
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
        "Send the same call again later, and inform a person who runs the blog if it keeps failing."
    )
    retry_after = 1
