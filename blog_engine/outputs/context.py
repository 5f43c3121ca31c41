"""What is the same for every object of one answer, asked once."""

from dataclasses import dataclass
from datetime import datetime

from blog_engine.actor import Call
from blog_engine.addresses import Addresses
from blog_engine.queries.policies import policy_url
from blog_engine.vocabulary import PolicyKind


@dataclass(frozen=True, slots=True)
class AnswerContext:
    """The addresses and the time of an answer, and whether the blog names a responsible party."""

    addresses: Addresses
    now: datetime
    has_responsible_party: bool

    @classmethod
    def of(cls, call: Call) -> "AnswerContext":
        """Costs at most one query."""
        return cls(
            addresses=Addresses.on(call.base_url),
            now=call.now,
            has_responsible_party=policy_url(PolicyKind.RESPONSIBLE_PARTY) is not None,
        )
