"""The codes of service.md section 7 and decisions.md 9, as HTTP statuses and envelopes."""

import re

import pytest

from blog_engine import errors
from tests.requirements import requirement

STATUSES = {
    401: ["unauthenticated"],
    403: ["scope_required"],
    404: ["not_found"],
    405: ["method_not_allowed"],
    409: ["identity_conflict", "slug_reserved", "post_is_public", "revision_mismatch", "already_changed_in_gem"],
    411: ["length_required"],
    413: ["payload_too_large"],
    415: ["unsupported_media_type"],
    422: [
        *("validation_failed", "unknown_field", "change_type_required", "correction_note_required"),
        *("approval_required", "approval_incomplete", "refused_by_host", "body_format_not_permitted"),
        *("slug_not_supported", "image_not_permitted"),
    ],
    429: ["rate_limited"],
    503: ["busy", "unavailable"],
}


@requirement("refusal:status")
def test_every_code_has_its_status_and_there_is_no_other() -> None:
    assert {one.code: one.status for one in errors.Refusal.__subclasses__()} == {
        code: status for status, codes in STATUSES.items() for code in codes
    }


@requirement("refusal:envelope")
@pytest.mark.parametrize(("details", "listed"), [((), []), (("title", "body"), ["title", "body"])])
def test_an_envelope_has_a_code_a_message_and_a_list(details: tuple[str, ...], listed: list[str]) -> None:
    refusal = errors.ValidationFailed(details)

    assert refusal.envelope() == {
        "error": {"code": "validation_failed", "message": errors.ValidationFailed.message, "details": listed}
    }


@requirement("state:change-required")
@pytest.mark.parametrize("word", ["change", "substantive", "correction", "maintenance"])
def test_a_missing_change_type_is_answered_with_what_to_send(word: str) -> None:
    message = errors.ChangeTypeRequired().envelope()["error"]["message"]

    assert re.search(rf"\b{word}\b", message)
