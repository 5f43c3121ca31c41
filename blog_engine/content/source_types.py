"""The terms of IPTC's vocabulary of digital source types, which say how an image came about."""

from typing import Final

SOURCE_TYPE_SCHEME: Final = "http://cv.iptc.org/newscodes/digitalsourcetype/"
"""The URI of the vocabulary: that of a term is this and the term."""

SOURCE_TYPES: Final = (
    "digitalCapture",
    "computationalCapture",
    "negativeFilm",
    "positiveFilm",
    "print",
    "humanEdits",
    "algorithmicallyEnhanced",
    "digitalCreation",
    "dataDrivenMedia",
    "trainedAlgorithmicMedia",
    "algorithmicMedia",
    "screenCapture",
    "virtualRecording",
    "composite",
    "compositeCapture",
    "compositeSynthetic",
    "compositeWithTrainedAlgorithmicMedia",
)
"""The terms that can be sent, in the order of the vocabulary."""

RETIRED_SOURCE_TYPES: Final = ("minorHumanEdits", "softwareImage", "digitalArt")
"""Terms that files of earlier years have."""

AI_SOURCE_TYPES: Final = frozenset(
    {"trainedAlgorithmicMedia", "compositeWithTrainedAlgorithmicMedia", "compositeSynthetic"}
)
"""The terms for images that generative AI made, changed, or made parts of."""

CREDIT_LENGTH: Final = 500
"""Characters of the credit line of an image."""

_BY_SPELLING: Final = {term.lower(): term for term in (*SOURCE_TYPES, *RETIRED_SOURCE_TYPES)}


def is_ai_source(term: str | None) -> bool:
    """Return whether a term says that generative AI made or changed the image."""
    return term in AI_SOURCE_TYPES


def source_type_of(text: str) -> str | None:
    """Return the term that a file names, as a URI or alone and in any case, or ``None`` for another vocabulary."""
    return _BY_SPELLING.get(text.strip().rstrip("/").rpartition("/")[2].rpartition(":")[2].lower())
