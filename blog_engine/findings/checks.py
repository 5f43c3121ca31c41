"""The checks, each a function named for the code of its finding, and the functions that run them."""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from django.db import Error
from django.utils.translation import gettext_noop as _

from blog_engine.blog_urls import origin_parts
from blog_engine.conf import get_settings
from blog_engine.content.faq import answer_has_markup, question_key
from blog_engine.enums import PostStatus, Provenance
from blog_engine.findings.alternatives import says_something
from blog_engine.findings.base import (
    Check,
    Finding,
    LinkFacts,
    NotedImages,
    Subject,
    WriteContext,
    each,
    is_unmarked,
    noted_rows,
)
from blog_engine.findings.faults import (
    body_fenced,
    chat_remark_left,
    citation_mark_left,
    escapes_in_text,
    front_matter_in_body,
    heading_repeats_title,
    link_placeholder,
    markup_in_text,
    placeholder_left,
)
from blog_engine.findings.house_style import MOST_IN_LISTS, house_style, is_short_for_terms
from blog_engine.findings.lasting import OF_A_WRITE
from blog_engine.findings.links import link_fragment_missing, link_same_site_broken
from blog_engine.findings.lost_markup import (
    footnote_unmatched,
    formula_unreadable,
    hard_wrapped,
    html_dropped,
    url_unusable,
)
from blog_engine.findings.made_records import author_created, category_created, series_created, tag_created
from blog_engine.findings.of_a_write import (
    already_recorded,
    approval_incomplete,
    author_default_used,
    date_not_recorded,
    note_not_recorded,
    nothing_changed,
    published_now,
    redirect_target_missing,
    slug_changed,
)
from blog_engine.images.social import has_social_picture
from blog_engine.models import Image, Post
from blog_engine.queries.checked import bodies_as_html
from blog_engine.queries.existing import RowsByKey, existing_keys
from blog_engine.queries.fragments import ids_by_slug, outlines_of
from blog_engine.queries.links import PathsLookedUp
from blog_engine.rendering.bodies import stored_facts
from blog_engine.rendering.images import split_image_url

logger = logging.getLogger("blog_engine")


def body_absent(subject: Subject) -> Finding | None:
    if not stored_facts(subject.post.body_facts)["is_blank"]:
        return None
    message = _("Write a body: readers find a page without text.")
    return Finding.of("body_absent", None, message, "body")


def heading_level_skipped(subject: Subject) -> Finding | None:
    headings = stored_facts(subject.post.body_facts)["headings"]
    for index in range(1, len(headings)):
        if headings[index]["level"] > headings[index - 1]["level"] + 1:
            message = _("This heading is more than one level below the one before it.")
            return Finding.of("heading_level_skipped", "T9", message, f"body.headings[{index}]")
    return None


def heading_h1_in_body(subject: Subject) -> Finding | None:
    for index, heading in enumerate(stored_facts(subject.post.body_facts)["headings"]):
        if heading["level"] == 1 and not (index == 0 and subject.begins_with_title):
            message = _("The title is the page's level-1 heading; start the body's headings at level 2.")
            return Finding.of("heading_h1_in_body", "T10", message, f"body.headings[{index}]")
    return None


def description_absent(subject: Subject) -> Finding | None:
    if subject.post.shown_description.strip():
        return None
    message = _("Write a description: lists, feeds and search engines show it.")
    return Finding.of("description_absent", "T8", message, "description")


def title_duplicate(subject: Subject) -> Finding | None:
    if not subject.other_rows.has_same_title:
        return None
    return Finding.of("title_duplicate", "T7", _("Another published post has the same title."), "title")


def description_duplicate(subject: Subject) -> Finding | None:
    if not subject.other_rows.has_same_description:
        return None
    message = _("Another published post is described in the same words.")
    return Finding.of("description_duplicate", "T8", message, "search_description")


def category_absent(subject: Subject) -> Finding | None:
    if get_settings().primary_list_type != "categories" or subject.post.category_id is not None:
        return None
    return Finding.of(
        "category_absent", "T21", _("File the post under a category, so that readers find it."), "category"
    )


def category_description_absent(subject: Subject) -> Finding | None:
    category = subject.post.category
    if get_settings().primary_list_type != "categories" or category is None or category.description.strip():
        return None
    message = _("The category has no description; its page would be found more easily with one.")
    return Finding.of("category_description_absent", "T21", message, "category.description")


def faq_question_duplicate(subject: Subject) -> Finding | None:
    seen: set[str] = set()
    for index, pair in enumerate(subject.faq):
        key = question_key(pair.question)
        if key in seen:
            message = _("An earlier FAQ entry asks the same question.")
            return Finding.of("faq_question_duplicate", None, message, f"faq[{index}].question")
        seen.add(key)
    return None


def faq_markup_in_answer(subject: Subject) -> Finding | None:
    for index, pair in enumerate(subject.faq):
        if answer_has_markup(pair.answer):
            message = _("FAQ answers are shown as plain text, so this markup would be read literally.")
            return Finding.of("faq_markup_in_answer", "E19", message, f"faq[{index}].answer")
    return None


def faq_in_body(subject: Subject) -> Finding | None:
    if not stored_facts(subject.post.body_facts)["has_faq_heading"]:
        return None
    message = "The body holds an FAQ section; as faq entries it would also become structured data."
    plain = _("The text has a section of questions and answers: as FAQ rows, search engines would understand them.")
    return Finding.of("faq_in_body", None, message, "body", plain=plain)


def canonical_off_site(subject: Subject) -> Finding | None:
    base = get_settings().public_base_url
    canonical = subject.post.canonical_url
    if not canonical or not base or origin_parts(canonical) == origin_parts(base):
        return None
    message = _("The canonical URL is on another site, so search engines will list that page and not this one.")
    return Finding.of("canonical_off_site", "T5", message, "canonical_url")


def social_image_absent(subject: Subject) -> Finding | None:
    post = subject.post
    if post.cover_image_id or post.social_image_id or get_settings().default_social_image_url:
        return None
    if has_social_picture(post.title):
        return None
    message = _("Without a cover or social image, shared links show no picture.")
    return Finding.of("social_image_absent", "T17", message, "social_image")


def image_alt_absent(subject: Subject) -> Finding | None:
    message = _("Describe the image in words for readers who cannot see it.")
    if subject.post.cover_image_id and not says_something(subject.post.cover_alt):
        return Finding.of("image_alt_absent", "T13", message, "cover_alt")
    for index, image in enumerate(stored_facts(subject.post.body_facts)["images"]):
        if not says_something(image["alt"]):
            return Finding.of("image_alt_absent", "T13", message, f"body.images[{index}].alt")
    return None


def image_external(subject: Subject) -> Finding | None:
    base = get_settings().public_base_url
    own_host = urlsplit(base).hostname if base else None
    for index, image in enumerate(stored_facts(subject.post.body_facts)["images"]):
        host = split_image_url(image["src"]).hostname
        if host and host != own_host:
            message = _("The image is fetched from another site, which can change or lose it; upload it instead.")
            return Finding.of("image_external", "E19", message, f"body.images[{index}]")
    return None


def image_unverified(subject: Subject) -> Finding | None:
    for index, image in enumerate(subject.body_images):
        if not image["sha256"]:
            message = _(
                "The bytes of this image are not known, so no approval can cover them; upload it, and use that URL."
            )
            return Finding.of("image_unverified", "E19", message, f"body.images[{index}]")
    return None


def image_location_data(subject: Subject) -> Finding | None:
    located = subject.noted_images.located
    location = _first_image(subject, lambda image: image.has_location, located)
    if location is None:
        return None
    message = _("The original file says where it was taken, and everyone can download it; upload it without GPS data.")
    return Finding.of("image_location_data", "E19", message, location)


def image_ai_unmarked(subject: Subject) -> Finding | None:
    location = _first_image(subject, is_unmarked, subject.noted_images.unmarked)
    if location is None:
        return None
    message = (
        "The file says that AI made or changed this image, and somebody said otherwise: set digital_source_type to "
        "what it is, or replace the image."
    )
    plain = _("The file says that AI made or changed this image, and somebody took the mark off. Is that right?")
    return Finding.of("image_ai_unmarked", "E18", message, location, plain=plain)


def _first_image(subject: Subject, is_meant: Callable[[Image], bool], digests: Collection[str]) -> str | None:
    """Return where the post shows the first image that is meant; in the body, those with these digests are."""
    post = subject.post
    if post.cover_image and is_meant(post.cover_image):
        return "cover_image"
    if post.social_image and is_meant(post.social_image):
        return "social_image"
    images = enumerate(subject.body_images)
    return next((f"body.images[{index}]" for index, image in images if image["sha256"] in digests), None)


def provenance_unknown(subject: Subject) -> Finding | None:
    if subject.post.provenance != Provenance.UNKNOWN:
        return None
    message = "Say who wrote this: provenance is ai_assisted when AI wrote or rewrote anything, else human_written."
    plain = _("Say who wrote this: people alone, or with the help of AI.")
    return Finding.of("provenance_unknown", "E18", message, "provenance", plain=plain)


def approval_absent(subject: Subject) -> Finding | None:
    post = subject.post
    if post.provenance == Provenance.HUMAN_WRITTEN:
        return None
    checked = {PostStatus.PUBLISHED: post.is_approved, PostStatus.SCHEDULED: post.is_reviewed}
    if checked.get(PostStatus(post.status), True):
        return None
    message = _("No facts-checked approval covers this revision, so the AI notice stays on the page.")
    return Finding.of("approval_absent", "E18", message, "approval")


def connections_not_declared(subject: Subject) -> Finding | None:
    if subject.other_rows.is_declared:
        return None
    message = _("Declare relations to the subject and payments, or declare that there are none.")
    return Finding.of("connections_not_declared", "E21, E22", message, "connections")


def responsible_party_absent(subject: Subject) -> Finding | None:
    if subject.has_responsible_party:
        return None
    message = _("The blog names no responsible party, so AI notices cannot be cleared.")
    return Finding.of("responsible_party_absent", "E4", message, None)


FINDINGS: dict[str, Check] = {
    check.__name__: check
    for check in (
        description_absent,
        title_duplicate,
        description_duplicate,
        category_absent,
        category_description_absent,
        faq_question_duplicate,
        faq_markup_in_answer,
        faq_in_body,
        author_default_used,
        author_created,
        category_created,
        series_created,
        tag_created,
        provenance_unknown,
        approval_absent,
        approval_incomplete,
        connections_not_declared,
        responsible_party_absent,
        canonical_off_site,
        slug_changed,
        social_image_absent,
        body_absent,
        heading_level_skipped,
        heading_h1_in_body,
        html_dropped,
        url_unusable,
        formula_unreadable,
        footnote_unmatched,
        hard_wrapped,
        heading_repeats_title,
        escapes_in_text,
        markup_in_text,
        body_fenced,
        front_matter_in_body,
        placeholder_left,
        chat_remark_left,
        citation_mark_left,
        image_alt_absent,
        image_external,
        image_unverified,
        image_location_data,
        image_ai_unmarked,
        note_not_recorded,
        date_not_recorded,
        already_recorded,
        nothing_changed,
        published_now,
        redirect_target_missing,
        link_placeholder,
        house_style,
        link_fragment_missing,
        link_same_site_broken,
    )
}
"""The checks by code, in the order of their findings.

A host may add or replace one in its ``AppConfig.ready``: any function of a ``Subject`` that returns a ``Finding``,
several of them, or ``None``.
"""


_OF_ENGINE: dict[str, Check] = dict(FINDINGS)


def host_has_other_checks() -> bool:
    """Return whether the host added, replaced or removed checks."""
    return FINDINGS != _OF_ENGINE


def found_by_engine(codes: Collection[str], *, of: Subject) -> dict[str, list[Finding]]:
    """Return what the engine's own checks with these codes find, by code."""
    return {code: _found_by(code, check, of) for code, check in _OF_ENGINE.items() if code in codes}


def listed_findings() -> list[str]:
    """Return the codes of the findings that lists are filtered by, in the order of the registry."""
    return [code for code in FINDINGS if code not in OF_A_WRITE]


def findings_of(
    post: Post, *, has_responsible_party: bool, now: datetime, write: WriteContext | None = None
) -> list[Finding]:
    """Return the findings of a post read by ``read_post``; without a ``write``, none that depend on one."""
    return run_checks(Subject(post, write or WriteContext(), has_responsible_party, now))


def run_checks(subject: Subject) -> list[Finding]:
    """Return the findings of a subject in the order of the registry; of an archived post only those of the write.

    A check that raises is logged and left out, unless it was the database that failed.
    """
    if subject.post.status != PostStatus.ARCHIVED:
        return _found(subject)
    stored = replace(subject, write=WriteContext())
    if subject.write == stored.write:
        return []
    of_the_post = _found(stored)
    return [finding for finding in _found(subject) if finding not in of_the_post]


def _found(checked: Subject) -> list[Finding]:
    return [finding for code, check in FINDINGS.items() for finding in _found_by(code, check, checked)]


def _found_by(code: str, check: Check, subject: Subject) -> list[Finding]:
    known = subject.found_before(code)
    if known is not None and check is _OF_ENGINE[code]:
        return [*known]
    try:
        return [*each(check(subject))]
    except Error:
        raise
    except Exception:
        # A check of the host must not take the other findings away.
        logger.exception("The check %s failed for the post %s.", code, subject.post.pk)
        return []


def findings_of_posts(posts: Sequence[Post], *, has_responsible_party: bool, now: datetime) -> dict[int, list[Finding]]:
    """Return the findings of each post by its id, the same as ``findings_of`` returns of one.

    None of a post that is too long to look for the terms of the house style in many of them. At most one query for all
    posts, besides those of the host's own checks. The posts are read by ``queries.checked.posts_to_check``.
    """
    most = MOST_IN_LISTS + 1
    subjects = subjects_together(posts, has_responsible_party=has_responsible_party, now=now, most_html=most)
    return {subject.post.pk: run_checks(subject) for subject in subjects if is_short_for_terms(subject)}


def subjects_together(
    posts: Sequence[Post], *, has_responsible_party: bool, now: datetime, most_html: int | None = None
) -> list[Subject]:
    """Return the posts that ``posts_to_check`` read as subjects that read what other rows say for all of them."""
    together = _Together(now, most_html)
    together.subjects += [Subject(post, WriteContext(), has_responsible_party, now, together) for post in posts]
    return together.subjects


def known_findings_of_posts(
    posts: Sequence[Post], *, has_responsible_party: bool, now: datetime
) -> Mapping[int, list[Finding]]:
    """Return the findings of each post as ``findings_of_posts`` does, or of no post if a check fails."""
    try:
        return findings_of_posts(posts, has_responsible_party=has_responsible_party, now=now)
    except Exception:
        # A check that fails, such as one of the host's, must not hide the posts.
        logger.exception("The findings of a list of posts could not be worked out.")
        return {}


@dataclass(eq=False)
class _Together:
    """Facts about several posts from other rows, read when a check first asks."""

    now: datetime
    most_html: int | None = None
    """The characters of each body that are read; ``None`` for all."""
    subjects: list[Subject] = field(default_factory=list)

    def links(self) -> LinkFacts:
        return self._keys[0]

    def noted_images(self) -> NotedImages:
        return self._keys[1]

    def bodies(self) -> Mapping[int, str]:
        return self._bodies

    @cached_property
    def _bodies(self) -> Mapping[int, str]:
        return bodies_as_html([subject.post.pk for subject in self.subjects], most=self.most_html)

    @cached_property
    def _keys(self) -> tuple[LinkFacts, NotedImages]:
        paths = (path for subject in self.subjects for path in subject.blog_links.values())
        looked_up = PathsLookedUp.of(dict.fromkeys(paths), now=self.now)
        rows: dict[RowsByKey, Collection[Any]] = {**looked_up.rows()}
        own = [pk for subject in self.subjects for pk in subject.own_outline]
        rows |= outlines_of((slug for subject in self.subjects for slug in subject.slugs_linked), own=own)
        rows |= noted_rows({digest for subject in self.subjects for digest in subject.digests})
        found = existing_keys(rows)
        return LinkFacts(looked_up.served(found), ids_by_slug(found)), NotedImages.of(found)
