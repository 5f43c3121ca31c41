"""Short answers to writes: what the next step needs, without what was just sent (posts.envelope.short)."""

from collections import Counter
from collections.abc import Sequence
from textwrap import shorten
from typing import Any, Final

from pydantic import ConfigDict

from blog_engine.enums import ProposalState
from blog_engine.outputs.base import Output
from blog_engine.outputs.posts import (
    Adoption,
    AnsweredPost,
    DryRun,
    FindingObject,
    MadeRedirectObject,
    RecordsMade,
    WriteEnvelope,
)
from blog_engine.outputs.proposals import ProposalEnvelope

ALWAYS_SHORT: Final = (
    *("id", "slug", "url", "status", "revision_identifier", "label", "publish_at", "approved", "body_length"),
    "version",
)
MOST_WORDS: Final = 100
"""Characters of the message of a finding."""
_IN_POST: Final = {"series_position": "series", "translation_of": "translations"}
"""The keys of a post that show a changed field of another name."""


def _these_are_required(schema: dict[str, Any]) -> None:
    schema["required"] = list(ALWAYS_SHORT)


class ShortPost(AnsweredPost):
    """The identity and state of a post, and the fields that a write changed."""

    model_config = ConfigDict(json_schema_extra=_these_are_required)


def _only_code(schema: dict[str, Any]) -> None:
    schema["required"] = ["code"]


class ShortFinding(Output):
    """The findings of one code, whose words are those of ``GET /posts/:id/findings``."""

    model_config = ConfigDict(json_schema_extra=_only_code)

    code: str
    number: int
    """Left out for one."""
    message: str
    """The first words of the first of them, if they say more than the code."""


class ShortProposal(Output):
    """The identity and state of a proposal."""

    id: int
    state: ProposalState
    changes: list[str]
    revision_identifier: str


def _only_some_have_the_rest(schema: dict[str, Any]) -> None:
    schema["required"] = ["post", "created", "records", "findings"]


class ShortWrite(Output):
    """The short answer to a write."""

    model_config = ConfigDict(json_schema_extra=_only_some_have_the_rest)

    post: ShortPost
    created: bool
    records: RecordsMade
    findings: list[ShortFinding]
    redirects: list[MadeRedirectObject]
    """Left out for none."""
    proposal: ShortProposal
    preview_url: str
    """Of what is not public yet; anything else is at the ``url`` of the post."""


def _of_a_dry_run(schema: dict[str, Any]) -> None:
    _only_some_have_the_rest(schema)
    schema["required"].append("dry_run")


class ShortDryRun(ShortWrite):
    """The short answer to a dry run, with the difference that a post write makes."""

    model_config = ConfigDict(json_schema_extra=_of_a_dry_run)

    dry_run: bool
    deleted: bool
    difference: str
    truncated: bool


def short_answer(whole: WriteEnvelope | Adoption) -> ShortWrite:
    """Return the short form of the answer to a write."""
    found = {name: value for name, value in vars(whole).items() if name in ShortDryRun.model_fields}
    found["post"] = _short_post(whole)
    found["findings"] = _short_findings(whole.findings)
    if not found.get("redirects"):
        found.pop("redirects", None)
    if isinstance(whole, DryRun) or (isinstance(whole, Adoption) and whole.dry_run):
        return ShortDryRun.with_keys(found)
    found.pop("dry_run", None)
    preview = whole.post.preview_url
    if isinstance(whole, ProposalEnvelope):
        found["proposal"] = ShortProposal.from_attributes(whole.proposal)
        # Those of the proposed content; those of the post are of what the write did not change.
        found["findings"] = _short_findings(whole.proposal.findings)
        preview = whole.proposal.preview_url or preview
    return ShortWrite.with_keys(found | ({"preview_url": preview} if preview else {}))


def _short_findings(findings: Sequence[FindingObject]) -> list[ShortFinding]:
    """Return the findings of each code as one, in their order."""
    numbers = Counter(one.code for one in findings)
    firsts = {one.code: one for one in reversed(findings)}
    return [_short_finding(firsts[code], number) for code, number in numbers.items()]


def _short_finding(first: FindingObject, number: int) -> ShortFinding:
    found: dict[str, Any] = {"code": first.code}
    if number > 1:
        found["number"] = number
    if first.says_more:
        found["message"] = shorten(first.message, MOST_WORDS, placeholder="…")
    return ShortFinding.with_keys(found)


def _short_post(whole: WriteEnvelope | Adoption) -> ShortPost:
    wanted = {*ALWAYS_SHORT, *(_IN_POST.get(name, name) for name in whole.changed)} - {"body"}
    if whole.records.approval is not None:
        wanted.add("revision_approved")
    return ShortPost.with_keys({name: value for name, value in vars(whole.post).items() if name in wanted})
