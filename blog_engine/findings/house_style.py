"""The check of the rules that the blog has written for itself."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final
from urllib.parse import urldefrag, urlsplit

from django.utils.translation import gettext_noop as _

from blog_engine.conf import get_settings
from blog_engine.content.sections import folded_name
from blog_engine.content.terms import Hits, prose_in_html
from blog_engine.findings.base import Finding, Subject
from blog_engine.inputs.house_style import TermRule
from blog_engine.queries.house_style import StoredStyle
from blog_engine.rendering.bodies import stored_facts

CODE: Final = "house_style"
MOST_TERMS_NAMED: Final = 20
"""Terms of one post that are named; a post in another style must not drown its other findings."""

MOST_IN_LISTS: Final = 30_000
"""Characters of the texts of a post in which lists look for terms; a page of them has up to 100 posts."""
_FIELDS: Final = ("title", "description", "search_title", "search_description")


def is_short_for_terms(of: Subject) -> bool:
    """Return whether a list can look for the terms in a post; true if there are none to look for."""
    style = of.style
    if style is None or not style.rules.terms:
        return True
    texts = [getattr(of.post, name) for name in _FIELDS] + [of.body_html]
    texts += [text for pair in of.faq for text in (pair.question, pair.answer)]
    return sum(map(len, texts)) <= MOST_IN_LISTS


def house_style(subject: Subject) -> Iterable[Finding]:
    style = subject.style
    if style is None:
        return ()
    # A body without text has a finding of its own.
    is_blank = stored_facts(subject.post.body_facts)["is_blank"]
    checks = (_description, _terms) if is_blank else (_description, _terms, _words, _sections, _sources)
    return [finding for check in checks for finding in check(subject, style)]


def _description(subject: Subject, style: StoredStyle) -> Iterator[Finding]:
    text = subject.post.shown_description
    number, least, most = len(text.strip()), style.rules.least_description, style.rules.most_description
    location = "search_description" if text == subject.post.search_description else "description"
    values = {"number": number, "least": least, "most": most}
    # One that is missing has a finding of its own.
    if least and 0 < number < least:
        message = _("The house style wants a description of at least %(least)s characters; it has %(number)s.")
        yield Finding.of(CODE, "least_description", message, location, values=values)
    if most and number > most:
        message = _("The house style wants a description of at most %(most)s characters; it has %(number)s.")
        yield Finding.of(CODE, "most_description", message, location, values=values)


def _terms(subject: Subject, style: StoredStyle) -> Iterator[Finding]:
    if not style.rules.terms:
        return
    found: dict[int, tuple[str, Hits]] = {}
    for location, text in _texts(subject):
        for term, hits in style.finder.hits(text).items():
            first, known = found.get(term, (location, Hits(0, hits.passage)))
            found[term] = first, Hits(known.number + hits.number, known.passage)
    for position in islice(sorted(found), MOST_TERMS_NAMED):
        yield _of_term(style.rules.terms[position], *found[position])
    if (others := len(found) - MOST_TERMS_NAMED) > 0:
        message = _("The post has %(number)s other terms that the house style avoids.")
        yield Finding.of(CODE, "terms", message, None, values={"number": others})


def _texts(of: Subject) -> Iterator[tuple[str, str]]:
    """Yield the texts that readers see, with their locations."""
    for name in _FIELDS:
        yield name, getattr(of.post, name)
    yield "body", prose_in_html(of.body_html)
    for index, pair in enumerate(of.faq):
        yield f"faq[{index}].question", pair.question
        yield f"faq[{index}].answer", pair.answer


def _of_term(rule: TermRule, location: str, hits: Hits) -> Finding:
    values = {"avoid": rule.avoid, "use": rule.use, "number": hits.number, "passage": hits.passage}
    values["reason"] = f" {rule.reason}" if rule.reason else ""
    if rule.use:
        message = _("Write “%(use)s” instead of “%(avoid)s”: “%(passage)s” (%(number)s in all).%(reason)s")
    else:
        message = _("The house style avoids “%(avoid)s”: “%(passage)s” (%(number)s in all).%(reason)s")
    return Finding.of(CODE, "terms", message, location, values=values)


def _words(subject: Subject, style: StoredStyle) -> Iterator[Finding]:
    number, least, most = subject.post.word_count, style.rules.least_words, style.rules.most_words
    values = {"number": number, "least": least, "most": most}
    if least and number < least:
        message = _("The house style wants at least %(least)s words; the text has %(number)s.")
        yield Finding.of(CODE, "least_words", message, "body", values=values)
    if most and number > most:
        message = _("The house style wants at most %(most)s words; the text has %(number)s.")
        yield Finding.of(CODE, "most_words", message, "body", values=values)


def _sections(subject: Subject, style: StoredStyle) -> Iterator[Finding]:
    headings = {folded_name(heading["text"]) for heading in stored_facts(subject.post.body_facts)["headings"]}
    for rule in style.rules.sections:
        is_meant = rule.category in (None, subject.post.category_id)
        if is_meant and folded_name(rule.heading) not in headings:
            message = _("The house style wants a heading “%(heading)s”.")
            yield Finding.of(CODE, "sections", message, "body", values={"heading": rule.heading})


def _sources(subject: Subject, style: StoredStyle) -> Iterator[Finding]:
    least = style.rules.least_sources
    if not least:
        return
    own = urlsplit(get_settings().public_base_url or "").hostname
    links = stored_facts(subject.post.body_facts)["links"]
    number = len({urldefrag(href).url for href in links if (host := _host_of(href)) and host != own})
    if number < least:
        message = _("The house style wants links to at least %(least)s pages on other sites; the text has %(number)s.")
        yield Finding.of(CODE, "least_sources", message, "body", values={"least": least, "number": number})


def _host_of(href: str) -> str | None:
    """Return the host of an absolute link of the web, or ``None``."""
    try:
        parts = urlsplit(href)
        return parts.hostname if parts.scheme in ("", "http", "https") else None
    except ValueError:
        return None
