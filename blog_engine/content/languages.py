"""Language tags (BCP 47): their syntax, the usual case of letters, and the writing direction."""

import re
from typing import Final

LONGEST_TAG: Final = 35
"""Characters that every tag in use fits into (RFC 5646, 4.4.1)."""

_TAG: Final = re.compile(
    r"""
    (?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})     # language
    (?:-(?P<script>[a-z]{4}))?
    (?:-(?:[a-z]{2}|[0-9]{3}))?                     # region
    (?P<variants>(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*)
    (?P<extensions>(?:-[a-wyz0-9](?:-[a-z0-9]{2,8})+)*)
    (?:-x(?:-[a-z0-9]{1,8})+)?                      # private use
    """,
    re.ASCII | re.IGNORECASE | re.VERBOSE,
)
_SINGLETON: Final = re.compile("-([a-z0-9])(?=-)", re.ASCII | re.IGNORECASE)
_SCRIPTS_FROM_RIGHT: Final = frozenset({"adlm", "arab", "aran", "hebr", "mand", "nkoo", "rohg", "samr", "syrc", "thaa"})
_LANGUAGES_FROM_RIGHT: Final = frozenset(
    {"ar", "arc", "ckb", "dv", "fa", "he", "iw", "ks", "mzn", "nqo", "pnb", "ps", "sd", "syr", "ug", "ur", "yi"}
)


def normalized_language(text: str) -> str | None:
    """Return a well-formed tag in the case that RFC 5646, 2.1.1, recommends, such as ``pt-BR``; otherwise ``None``.

    Tags of private use only and the irregular ones of earlier standards, such as ``i-klingon``, are not accepted.
    """
    found = _TAG.fullmatch(text)
    if found is None or len(text) > LONGEST_TAG:
        return None
    variants = found["variants"].lower().split("-")[1:]
    singletons = [one.lower() for one in _SINGLETON.findall(found["extensions"])]
    if len(set(variants)) < len(variants) or len(set(singletons)) < len(singletons):
        return None
    return "-".join(_cased(text.lower().split("-")))


def _cased(subtags: list[str]) -> list[str]:
    in_extension = False
    cased = subtags[:1]
    for subtag in subtags[1:]:
        in_extension |= len(subtag) == 1
        if in_extension:
            cased.append(subtag)
        elif len(subtag) == 2:
            cased.append(subtag.upper())
        else:
            cased.append(subtag.title() if len(subtag) == 4 and subtag.isalpha() else subtag)
    return cased


def direction_of_language(tag: str) -> str:
    """Return the writing direction of a language: that of the script which its tag names, ``ltr`` or ``rtl``."""
    found = _TAG.fullmatch(tag)
    if found is not None and found["script"]:
        return "rtl" if found["script"].lower() in _SCRIPTS_FROM_RIGHT else "ltr"
    return "rtl" if tag.lower().split("-")[0] in _LANGUAGES_FROM_RIGHT else "ltr"


def codes_of_language(tag: str) -> list[str]:
    """Return the tag in lower case and without its last subtags, the longest first."""
    subtags = tag.lower().split("-")
    return ["-".join(subtags[:length]) for length in range(len(subtags), 0, -1)]
