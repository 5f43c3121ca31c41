"""Short answers to writes: what the next step needs, without what was just sent (posts.envelope.short)."""

from typing import Any, Final

from pydantic import ConfigDict

from blog_engine.enums import Label, ProposalState
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
_IN_POST: Final = {"series_position": "series", "translation_of": "translations"}
"""The keys of a post that show a changed field of another name."""


def _these_are_required(schema: dict[str, Any]) -> None:
    schema["required"] = list(ALWAYS_SHORT)


class ShortPost(AnsweredPost):
    """The identity and state of a post, and the fields that a write changed."""

    model_config = ConfigDict(json_schema_extra=_these_are_required)


class ShortProposal(Output):
    """The identity and state of a proposal."""

    id: int
    state: ProposalState
    changes: list[str]
    revision_identifier: str


def _only_some_have_the_rest(schema: dict[str, Any]) -> None:
    schema["required"] = ["post", "created", "records", "label", "findings", "redirects"]


class ShortWrite(Output):
    """The short answer to a write."""

    model_config = ConfigDict(json_schema_extra=_only_some_have_the_rest)

    post: ShortPost
    created: bool
    records: RecordsMade
    label: Label
    findings: list[FindingObject]
    redirects: list[MadeRedirectObject]
    proposal: ShortProposal
    preview_url: str
    """Of what is not public yet; of anything else there is ``url``."""
    url: str


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
    found.setdefault("label", whole.post.label)
    if isinstance(whole, DryRun) or (isinstance(whole, Adoption) and whole.dry_run):
        return ShortDryRun.with_keys(found)
    found.pop("dry_run", None)
    preview = whole.post.preview_url
    if isinstance(whole, ProposalEnvelope):
        found["proposal"] = ShortProposal.from_attributes(whole.proposal)
        # Those of the proposed content; those of the post are of what the write did not change.
        found["findings"] = whole.proposal.findings
        preview = whole.proposal.preview_url or preview
    return ShortWrite.with_keys(found | ({"preview_url": preview} if preview else {"url": whole.post.url}))


def _short_post(whole: WriteEnvelope | Adoption) -> ShortPost:
    wanted = {*ALWAYS_SHORT, *(_IN_POST.get(name, name) for name in whole.changed)} - {"body"}
    if whole.records.approval is not None:
        wanted.add("revision_approved")
    return ShortPost.with_keys({name: value for name, value in vars(whole.post).items() if name in wanted})
