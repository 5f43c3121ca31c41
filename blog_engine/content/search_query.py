"""What a reader's search asks for: words, quoted phrases, and words with a minus before them."""

import re
from dataclasses import dataclass
from typing import Final

from blog_engine.content.search_text import folded_words, is_spaceless

MOST_TERMS: Final = 8
"""Words of a query that are looked for; more do not narrow a search of 100 characters."""

_PART: Final = re.compile(r'(?P<minus>(?<!\S)-)?(?:"(?P<phrase>[^"]*)"?|(?P<word>[^\s"]+))')

# Words that a question is made of, folded. They are not asked for when others are left. Words that mean
# something in another language ("die", "war", "car", "son") are not among them.
_OF_QUESTIONS: Final = """
a about an and are as at be by can do does for from had has have how i if in into is it its me my of on or our should so
than that the their them there they this to was we what when where which who why will with would you your dont isnt cant
aber als am auf aus bei beim das dass dein dem den der des du ein eine einem einen einer eines er es hat ich ihr im
ist kann kein mein meine meinem meinen mich mir mit muss nach nicht oder sein seine sich sie sind soll um und vom von
wann warum welche welcher welches wenn wer wie wieso wird wo woher wozu zu zum zur
au aux avec ce ces cette comment dans de du elle en est et il ils je la le les leur ma mes mon nous ou par pas pour
pourquoi quand que quel quelle quelles quels qui quoi sa ses sont sur une vos votre vous
como con cual cuando del donde el los las para por una uno y dei della di gli lo per che
في من على عن الي ما ماذا متي كيف هل لماذا اين هو هي هذا هذه التي الذي ان لا مع او كم
"""
_FUNCTION_WORDS: Final = frozenset(_OF_QUESTIONS.split())


@dataclass(frozen=True, slots=True)
class Term:
    """A word to look for, folded. The last one may be unfinished; an exact one is part of a quoted phrase."""

    word: str
    is_last: bool = False
    is_exact: bool = False


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A query as ``folded_words`` spells it; ``phrases``, ``runs`` and ``excluded`` occur so in the folded texts."""

    terms: tuple[Term, ...]
    phrases: tuple[str, ...]
    """What was in quotes."""
    runs: tuple[str, ...]
    """Words of scripts without spaces: they are asked for as a whole, but need not be."""
    excluded: tuple[str, ...]
    title: str
    """All words in their order: a title that has them so fits best."""


def parse_query(text: str) -> SearchQuery:
    """Read a query. Quotes ask for a phrase, a minus before a word or phrase excludes it; a last quote may be open."""
    terms: list[Term] = []
    phrases: list[str] = []
    excluded: list[str] = []
    wanted: list[str] = []
    parts = list(_PART.finditer(text))
    for number, part in enumerate(parts, start=1):
        is_quoted = part["phrase"] is not None
        words = folded_words(part["phrase"] if is_quoted else part["word"])
        runs = words.split()
        if part["minus"]:
            excluded += [_within(words)] if runs else []
            continue
        wanted += runs
        if is_quoted:
            phrases += [_within(words)] if runs else []
            terms += [Term(run, is_exact=True) for run in runs]
        else:
            terms += [
                Term(run, is_last=number == len(parts) and place == len(runs)) for place, run in enumerate(runs, 1)
            ]
    asked = tuple(dict.fromkeys(_without_function_words(terms)))[:MOST_TERMS]
    runs_asked = tuple(term.word for term in asked if is_spaceless(term.word) and len(term.word) > 2)
    return SearchQuery(asked, tuple(phrases), runs_asked, tuple(excluded), _within(" ".join(wanted)))


def _without_function_words(terms: list[Term]) -> list[Term]:
    return [term for term in terms if term.is_exact or term.word not in _FUNCTION_WORDS] or terms


def _within(words: str) -> str:
    """The phrase as it stands inside a folded text: scripts without spaces have no border around it."""
    runs = words.split()
    start = "" if runs and is_spaceless(runs[0]) else " "
    end = "" if runs and is_spaceless(runs[-1]) else " "
    return f"{start}{' '.join(runs)}{end}" if runs else ""
