"""The findings that follow from the row and the FAQ of a post alone, kept in its column ``own_findings``.

Lists count them without the texts of the posts. What is kept has a stamp of everything else that it follows from; with
another stamp it is worked out again, and counts for nothing.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final, NamedTuple, Protocol

from blog_engine import __version__
from blog_engine.blog_urls import mount, script_name
from blog_engine.conf import get_settings
from blog_engine.content.faq import FaqPair
from blog_engine.findings.base import FoundWhenStored, OwnFacts, Subject, WriteContext
from blog_engine.findings.checks import found_by_engine
from blog_engine.models import Post
from blog_engine.queries.house_style import last_seen_style, style_of
from blog_engine.queries.links import BlogPath

OWN_CODES: Final = frozenset(
    {
        *("description_absent", "faq_question_duplicate", "faq_markup_in_answer", "faq_in_body", "provenance_unknown"),
        *("canonical_off_site", "body_absent", "heading_level_skipped", "heading_h1_in_body", "html_dropped"),
        *("formula_unreadable", "footnote_unmatched", "hard_wrapped", "heading_repeats_title", "escapes_in_text"),
        *("markup_in_text", "body_fenced", "front_matter_in_body", "placeholder_left", "chat_remark_left"),
        *("citation_mark_left", "image_alt_absent", "image_external", "image_unverified", "link_placeholder"),
        *("house_style", "url_unusable"),
    }
)
"""The checks that read nothing but the row and the FAQ of the post, the settings and the house style."""
_MOST_PATHS: Final = 100
"""Links into the blog that are kept; the findings of a post with more are worked out."""


class RowOfPost(Protocol):
    """The columns, of a post or of a row of a list, that change with whatever the checks read."""

    @property
    def slug(self) -> str: ...
    @property
    def provenance(self) -> str: ...
    @property
    def canonical_url(self) -> str | None: ...
    @property
    def category_id(self) -> int | None: ...
    @property
    def cover_image_id(self) -> int | None: ...
    @property
    def social_image_id(self) -> int | None: ...
    @property
    def current_revision_identifier(self) -> str: ...
    @property
    def rendered_with(self) -> str: ...


class KeptFindings(NamedTuple):
    """The value of ``own_findings``."""

    stamp: str
    numbers: Mapping[str, int]
    """The numbers of the findings by code."""
    paths: Sequence[BlogPath]
    """The paths of the links into the blog, which are looked up."""
    images: Sequence[str]
    """The digests of the images in the body, which are looked up."""

    @classmethod
    def read(cls, text: str) -> "KeptFindings | None":
        """Return what a column has; ``None`` if nothing is kept, or something that the engine did not write."""
        if not text:
            return None
        try:
            stamp, numbers, paths, images = json.loads(text)
            links = [BlogPath(path, rest, frozenset(formats)) for path, rest, formats in paths]
            return cls(stamp, {**numbers}, links, images)
        except (TypeError, ValueError):
            return None

    def __str__(self) -> str:
        paths = [[one.path, one.rest, sorted(one.formats)] for one in self.paths]
        return json.dumps([self.stamp, self.numbers, paths, self.images], separators=(",", ":"))


class StampBasis(NamedTuple):
    """The part of a stamp that all posts share."""

    text: str
    has_style: bool

    @classmethod
    def of(cls, style_version: str | None) -> "StampBasis":
        """Return the basis for a house style; another version of the package may check otherwise."""
        settings = get_settings()
        parts = (__version__, settings.markdown_hardbreaks, settings.public_base_url, script_name(), mount())
        return cls(repr((*parts, style_version or "")), bool(style_version))


def stamp_of(row: RowOfPost, basis: StampBasis) -> str:
    """Return the stamp of what the checks of a post read."""
    parts = (
        *(basis.text, row.current_revision_identifier, row.rendered_with, row.slug, str(row.provenance)),
        *(row.canonical_url, row.cover_image_id, row.social_image_id),
        # Only a house style has rules for a category.
        row.category_id if basis.has_style else None,
    )
    return hashlib.blake2b(repr(parts).encode(), digest_size=8).hexdigest()


def keep_findings(post: Post, faq: Sequence[FaqPair], *, now: datetime) -> FoundWhenStored:
    """Set ``own_findings`` of a post that is about to be stored, and return what was found; no query."""
    style = last_seen_style()
    subject = Subject(post, WriteContext(), False, now, own=OwnFacts(faq, style))
    found = FoundWhenStored(found_by_engine(OWN_CODES, of=subject), style.version if style else "")
    post.own_findings = _kept(subject, found)
    return found


def findings_to_keep(stored: Subject) -> str:
    """Return the value of ``own_findings`` for a stored post."""
    style = style_of(stored.other_rows.style_version)
    own = replace(stored, write=WriteContext(), own=OwnFacts(stored.faq, style), found=None)
    return _kept(own, FoundWhenStored(found_by_engine(OWN_CODES, of=own), style.version if style else ""))


def _kept(subject: Subject, found: FoundWhenStored) -> str:
    numbers = {code: len(several) for code, several in found.by_code.items() if several}
    paths = list(subject.blog_links.values())
    headings = subject.linked_headings
    if len(paths) > _MOST_PATHS or any(href in subject.blog_links for href in headings):
        # Links to headings of other posts need their outlines.
        return ""
    if missing := _missing_in_itself(subject):
        numbers["link_fragment_missing"] = missing
    stamp = stamp_of(subject.post, StampBasis.of(found.style_version))
    return str(KeptFindings(stamp, numbers, paths, subject.digests))


def _missing_in_itself(of: Subject) -> int:
    """Return how many links to headings of the post itself have no target."""
    headings = of.linked_headings.values()
    return sum(of.own_heading_ids.isdisjoint(heading.ids) for heading in headings) if headings else 0
