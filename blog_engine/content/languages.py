"""Language tags (BCP 47): their syntax, the usual case of letters, and the writing direction."""

import re
from typing import Final

LONGEST_TAG: Final = 35
"""Characters that every tag in use fits into (RFC 5646, 4.4.1)."""

_TAG: Final = re.compile(
    r"""
    [a-z]{2,3}(?:-[a-z]{3}){0,3}                    # language
    (?:-(?P<script>[a-z]{4}))?
    (?:-(?P<region>[a-z]{2}|[0-9]{3}))?
    (?P<variants>(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*)
    (?P<extensions>(?:-[a-wyz0-9](?:-[a-z0-9]{2,8})+)*)
    (?:-x(?:-[a-z0-9]{1,8})+)?                      # private use
    """,
    re.ASCII | re.IGNORECASE | re.VERBOSE,
)
_SINGLETON: Final = re.compile("-([a-z0-9])(?=-)", re.ASCII | re.IGNORECASE)
_GRANDFATHERED: Final = frozenset(
    {"art-lojban", "cel-gaulish", "no-bok", "no-nyn", "zh-guoyu", "zh-hakka", "zh-min", "zh-min-nan", "zh-xiang"}
)
"""The regular grandfathered tags (RFC 5646, 2.1): they look like others, but mean another language."""

_SCRIPTS_FROM_RIGHT: Final = frozenset({"adlm", "arab", "aran", "hebr", "mand", "nkoo", "rohg", "samr", "syrc", "thaa"})
_LANGUAGES_FROM_RIGHT: Final = frozenset(
    {
        *("aao", "abv", "acm", "acq", "acw", "acx", "aeb", "afb", "ajp", "apc", "apd", "ar", "arq", "ars", "ary"),
        *("arz", "ayl", "azb", "bal", "bcc", "bft", "bgn", "brh", "ckb", "dcc", "fa", "gju", "glk", "haz", "hnd"),
        *("hno", "khw", "ks", "lah", "lki", "lrc", "luz", "mzn", "ota", "pbt", "pbu", "pes", "pnb", "prs", "ps"),
        *("pst", "rhg", "sd", "sdh", "shu", "skr", "trw", "ug", "ur", "uzs"),
        *("aii", "arc", "cld", "dv", "hbo", "he", "iw", "ji", "nqo", "sam", "syc", "syr", "ydg", "yi"),
    }
)
_REGIONS_FROM_RIGHT: Final = {
    "az": {"iq", "ir"},
    "ha": {"cm", "sd"},
    "kk": {"af", "cn", "ir", "mn"},
    "ku": {"iq", "ir", "lb"},
    "ky": {"cn"},
    "ms": {"cc"},
    "pa": {"pk"},
    "tg": {"pk"},
    "uz": {"af"},
}
"""Where languages that are written from the left elsewhere have the Arabic script (CLDR, likely subtags)."""


def normalized_language(text: str) -> str | None:
    """Return a well-formed tag in the case that RFC 5646, 2.1.1, recommends, such as ``pt-BR``; otherwise ``None``.

    Tags of private use only and those of earlier standards, such as ``i-klingon`` and ``art-lojban``, are not
    accepted. No language with more than three letters, which the syntax allows, was ever registered.
    """
    found = _TAG.fullmatch(text)
    if found is None or len(text) > LONGEST_TAG or text.lower() in _GRANDFATHERED:
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
    """Return the writing direction of a language, ``ltr`` or ``rtl``.

    It is that of the script which the tag names, otherwise that of the usual script in the region or everywhere.
    """
    found = _TAG.fullmatch(tag.lower())
    script, region = (found["script"], found["region"]) if found else (None, None)
    language = tag.lower().partition("-")[0]
    if script:
        return "rtl" if script in _SCRIPTS_FROM_RIGHT else "ltr"
    return "rtl" if language in _LANGUAGES_FROM_RIGHT or region in _REGIONS_FROM_RIGHT.get(language, ()) else "ltr"


def codes_of_language(tag: str) -> list[str]:
    """Return the tag in lower case and without its last subtags, the longest first."""
    subtags = tag.lower().split("-")
    return ["-".join(subtags[:length]) for length in range(len(subtags), 0, -1)]
