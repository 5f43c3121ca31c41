"""What a requirement is."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class R:
    """One rule that somebody can rely on: ``source`` says where it stands, ``sentence`` what it says."""

    id: str
    source: str
    sentence: str
