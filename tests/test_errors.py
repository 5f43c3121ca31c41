"""Refusals: codes, HTTP statuses and envelopes."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import blog_engine
from blog_engine import errors
from blog_engine.actor import Actor, Scope
from tests.requirements import requirement

PACKAGE = Path(blog_engine.__file__).parent

STATUSES = {
    401: ["unauthenticated"],
    403: ["scope_required"],
    404: ["not_found"],
    405: ["method_not_allowed"],
    409: [
        *("identity_conflict", "slug_reserved", "post_is_public", "revision_mismatch", "already_changed_in_gem"),
        *("proposal_decided", "proposal_outdated", "idempotency_conflict"),
    ],
    410: ["upload_ticket_closed"],
    411: ["length_required"],
    413: ["payload_too_large"],
    415: ["unsupported_media_type"],
    422: [
        *("validation_failed", "unknown_field", "change_type_required", "correction_note_required"),
        *("approval_required", "approval_incomplete", "refused_by_host", "body_format_not_permitted"),
        *("slug_not_supported", "image_not_permitted", "idempotency_key_reused"),
    ],
    429: ["rate_limited"],
    500: ["internal_error"],
    503: ["busy", "unavailable"],
}


@requirement("refusals.status")
def test_every_code_has_its_status_and_there_is_no_other() -> None:
    assert {one.code: one.status for one in errors.Refusal.__subclasses__()} == {
        code: status for status, codes in STATUSES.items() for code in codes
    }


@requirement("refusals.envelope")
@pytest.mark.parametrize(("details", "listed"), [((), []), (("title", "body"), ["title", "body"])])
def test_an_envelope_has_a_code_a_message_and_a_list(details: tuple[str, ...], listed: list[str]) -> None:
    refusal = errors.ValidationFailed(details)

    assert refusal.envelope() == {
        "error": {"code": "validation_failed", "message": errors.ValidationFailed.message, "details": listed}
    }


@requirement("posts.change.required")
@pytest.mark.parametrize("word", ["change", "substantive", "correction", "maintenance"])
def test_a_missing_change_type_is_answered_with_what_to_send(word: str) -> None:
    message = errors.ChangeTypeRequired().envelope()["error"]["message"]

    assert re.search(rf"\b{word}\b", message)


FIXED_BY_THE_CONTRACT = errors.Unauthenticated
OF_NO_WRITE = errors.MethodNotAllowed
OF_ANY_MOMENT = errors.InternalError


@requirement("refusals.messages")
@pytest.mark.parametrize(
    "refusal",
    sorted(set(errors.Refusal.__subclasses__()) - {FIXED_BY_THE_CONTRACT, OF_NO_WRITE, OF_ANY_MOMENT}, key=str),
)
def test_every_refusal_that_a_write_can_meet_says_that_nothing_was_written(refusal: type[errors.Refusal]) -> None:
    assert "nothing was written" in refusal.message.lower()


@pytest.mark.parametrize("refusal", sorted(errors.Refusal.__subclasses__(), key=str))
def test_a_message_leaves_room_for_one_more_sentence_among_three(refusal: type[errors.Refusal]) -> None:
    assert len(re.findall(r"[.?!](?: |$)", refusal.message)) in {1, 2}


@requirement("refusals.hints")
def test_a_hint_follows_the_message() -> None:
    told = errors.NotFound(hint="List the posts.").envelope()["error"]["message"]

    assert told == f"{errors.NotFound.message} List the posts."


def test_a_missing_scope_is_named_with_the_message_too() -> None:
    with pytest.raises(errors.ScopeRequired) as refused:
        Actor("Drafting agent", scopes=["read", "write"]).require(Scope.PUBLISH)

    assert "publish" in re.findall(r"\w+", refused.value.hint)


@pytest.mark.parametrize(("seconds", "told"), [(12, ["12"]), (1, [])])
def test_a_rate_limited_caller_gets_the_seconds_to_wait(seconds: int, told: list[str]) -> None:
    assert re.findall("[0-9]+", errors.RateLimited(retry_after=seconds).hint) == told


@pytest.mark.parametrize("methods", [["GET", "POST"], ["GET"], []])
def test_another_method_is_answered_with_those_that_work(methods: list[str]) -> None:
    refusal = errors.MethodNotAllowed(methods)

    assert (re.findall(r"\b[A-Z]{3,}\b", refusal.hint), refusal.details) == (methods, [])


SHARED_PACKAGES = (
    "errors.py",
    "actor.py",
    "inputs",
    "queries",
    "images",
    "services",
    "operations",
    "fetching/urls.py",
)
OF_ONE_INTERFACE = re.compile(r"\b(?:GET|POST|PUT|PATCH|DELETE)\b|\bblog_(?!engine)[a-z]|/api/|\btools?\b|\bendpoint\b")
NAMED_FOR_BOTH = re.compile(r"\bblog_\S+ or (?:GET|POST|PATCH|DELETE) /\S+")


def texts_in(package: str) -> Iterator[str]:
    """Yield every text of a package except docstrings."""
    path = PACKAGE / package
    for file in [path] if path.is_file() else sorted(path.rglob("*.py")):
        tree = ast.parse(file.read_text("utf-8"))
        said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
                yield node.value


@pytest.mark.parametrize("package", SHARED_PACKAGES)
def test_texts_for_callers_are_right_for_the_api_and_for_tools(package: str) -> None:
    texts = list(texts_in(package))

    assert texts
    assert [text for text in texts if OF_ONE_INTERFACE.search(NAMED_FOR_BOTH.sub("", text))] == []


def test_a_refusal_as_text_is_its_message_with_the_hint() -> None:
    assert str(errors.NotFound()) == errors.NotFound.message
    assert str(errors.ValidationFailed(["title"], hint="title must be text.")) == (
        f"{errors.ValidationFailed.message} title must be text."
    )
    assert str(errors.RateLimited(retry_after=7)).endswith("Wait 7 seconds, then send the same call again.")
