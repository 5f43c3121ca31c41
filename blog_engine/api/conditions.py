"""The conditions of a request on the version of a post: ``If-Match`` and ``If-None-Match`` (RFC 9110, section 13)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from django.http import HttpRequest
from django.utils.http import parse_etags

from blog_engine.actor import Call
from blog_engine.errors import PreconditionFailed, RevisionMismatch
from blog_engine.inputs.base import parse
from blog_engine.inputs.types import LARGEST_VERSION
from blog_engine.operations.base import Operation
from blog_engine.outputs.base import Output

EXPECTED: Final = "expected_version"
ANY: Final = "*"
# Servers that compress an answer make its tag weak; the version it names is the same.
_ENTITY_TAG: Final = re.compile('(?:W/)?"([0-9]{1,15})"')
_EXISTS: Final = "The post exists: leave If-None-Match out to write to it."
_ONLY_ANY: Final = "On a write, If-None-Match takes only *, and no If-Match beside it."
_ONE_TAG: Final = 'If-Match takes one ETag of this post, such as "7", or *.'


@dataclass(frozen=True, slots=True)
class Conditions:
    """The two headers of a request; ``If-Match`` comes first (RFC 9110, section 13.2.2)."""

    if_match: str
    """``*`` when it expects nothing."""
    if_none_match: str | None

    @classmethod
    def of(cls, request: HttpRequest) -> Self:
        none = request.headers.get("If-None-Match")
        return cls(request.headers.get("If-Match", ANY).strip(), None if none is None else none.strip())

    @property
    def are_sent(self) -> bool:
        return self.if_match != ANY or self.if_none_match is not None

    def is_known(self, version: int) -> bool:
        """Return whether a caller who reads a post has this version already (api.if-none-match).

        Raises ``PreconditionFailed`` if ``If-Match`` does not have it.
        """
        if self.if_match != ANY and not _have(self.if_match, version):
            raise PreconditionFailed([EXPECTED], hint=f"The post has version {version}.")
        return self.if_none_match is not None and _have(self.if_none_match, version)

    def run(
        self, operation: Operation[Any, Any], sent: Mapping[str, object], call: Call, path: Mapping[str, str]
    ) -> Output | None:
        """Run an operation with the version that the headers name as the expected one (api.if-match).

        Raises ``PreconditionFailed`` when the post has another one, or a header names no version. Another operation
        than on a post only learns whether it must create.
        """
        output: Output | None
        if EXPECTED not in operation.input.model_fields:
            call = replace(call, creates_only=True) if self.if_none_match == ANY else call
            output = operation.run(sent, call, fixed=path)
            return output
        if not self.are_sent:
            output = operation.run(sent, call, fixed=path)
            return output
        version, hint = self._expected(creates=not path)
        if EXPECTED in sent:
            data: Any = parse(operation.input, sent, fixed=path)
            version = version if data.expected_version == version else LARGEST_VERSION
        try:
            # No post has the largest version: every other fault of the call comes first (RFC 9110 section 13.2.1).
            output = operation.run({**sent, EXPECTED: version}, call, fixed=path)
        except RevisionMismatch as refusal:
            if EXPECTED not in refusal.details:
                raise
            raise PreconditionFailed(refusal.details, hint=hint or refusal.hint) from refusal
        return output

    def _expected(self, *, creates: bool) -> tuple[int, str]:
        """Return the version to expect, and the hint if the post has another one; empty for that of the service."""
        if self.if_none_match is not None:
            if self.if_none_match != ANY or self.if_match != ANY:
                return LARGEST_VERSION, _ONLY_ANY
            return (0 if creates else LARGEST_VERSION), _EXISTS
        found = _ENTITY_TAG.fullmatch(self.if_match)
        return (int(found[1]), "") if found else (LARGEST_VERSION, _ONE_TAG)


def _have(tags: str, version: int) -> bool:
    """Return whether a list of tags has that of a version; weak tags are those of the same version."""
    return tags == ANY or any(
        int(found[1]) == version for tag in parse_etags(tags) if (found := _ENTITY_TAG.fullmatch(tag))
    )
