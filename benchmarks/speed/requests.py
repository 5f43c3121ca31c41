"""A measured request."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Ask:
    """A request."""

    path: str
    method: str = "GET"
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    status: int = 200
    """The expected status."""
