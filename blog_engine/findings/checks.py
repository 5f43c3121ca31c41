"""The checks, each a function named for the code of its finding, and what runs them."""

from collections.abc import Iterable
from datetime import datetime
from itertools import islice
from urllib.parse import urlsplit

from blog_engine.blog_urls import BlogURLs, origin_parts
from blog_engine.conf import get_settings
from blog_engine.content.faq import answer_has_markup, question_key
from blog_engine.enums import PostStatus, Provenance
from blog_engine.findings.base import Check, Finding, Subject, WriteContext, each, stored_facts
from blog_engine.models import Image, Post, Redirect
from blog_engine.queries.links import blog_path_of, served_paths
from blog_engine.queries.redirects import REDIRECT_MIDDLEWARE, is_in_blog, serves_redirects_outside_blog
from blog_engine.queries.rendering import split_image_url
from blog_engine.rules.revision import BodyImageEntry


def heading_level_skipped(subject: Subject) -> Finding | None:
    headings = stored_facts(subject.post.body_facts)["headings"]
    for index in range(1, len(headings)):
        if headings[index]["level"] > headings[index - 1]["level"] + 1:
            message = "This heading is more than one level below the one before it."
            return Finding("heading_level_skipped", "T9", message, f"body.headings[{index}]")
    return None


def heading_h1_in_body(subject: Subject) -> Finding | None:
    for index, heading in enumerate(stored_facts(subject.post.body_facts)["headings"]):
        if heading["level"] == 1:
            message = "The title is the page's level-1 heading; start the body's headings at level 2."
            return Finding("heading_h1_in_body", "T10", message, f"body.headings[{index}]")
    return None


def html_dropped(subject: Subject) -> Finding | None:
    facts = stored_facts(subject.post.body_facts)
    if not facts["dropped_html"]:
        return None
    lost = ", ".join(facts["dropped_html"])
    others = facts["dropped_html_count"] - len(facts["dropped_html"])
    more = f" and {others} more" if others else ""
    message = f"Readers do not see this HTML: {lost}{more}. Write it in the markup that the body format allows."
    return Finding("html_dropped", None, message, "body")


def hard_wrapped(subject: Subject) -> Finding | None:
    if not get_settings().markdown_hardbreaks or not stored_facts(subject.post.body_facts)["is_hard_wrapped"]:
        return None
    message = (
        "The lines of the body are wrapped at a column, and each line end is shown as a line break: "
        "join the lines of a paragraph, or set markdown_hardbreaks to False."
    )
    return Finding("hard_wrapped", None, message, "body")


def description_absent(subject: Subject) -> Finding | None:
    if subject.post.shown_description.strip():
        return None
    message = "Write a description: lists, feeds and search engines show it."
    return Finding("description_absent", "T8", message, "description")


def title_duplicate(subject: Subject) -> Finding | None:
    if not subject.other_rows.has_same_title:
        return None
    return Finding("title_duplicate", "T7", "Another published post has the same title.", "title")


def description_duplicate(subject: Subject) -> Finding | None:
    if not subject.other_rows.has_same_description:
        return None
    message = "Another published post is described in the same words."
    return Finding("description_duplicate", "T8", message, "search_description")


def category_absent(subject: Subject) -> Finding | None:
    if get_settings().primary_list_type != "categories" or subject.post.category_id is not None:
        return None
    return Finding("category_absent", "T21", "File the post under a category, so that readers find it.", "category")


def category_description_absent(subject: Subject) -> Finding | None:
    category = subject.post.category
    if get_settings().primary_list_type != "categories" or category is None or category.description.strip():
        return None
    message = "The category has no description; its page would be found more easily with one."
    return Finding("category_description_absent", "T21", message, "category.description")


def faq_question_duplicate(subject: Subject) -> Finding | None:
    seen: set[str] = set()
    for index, pair in enumerate(subject.faq):
        key = question_key(pair.question)
        if key in seen:
            message = "An earlier FAQ entry asks the same question."
            return Finding("faq_question_duplicate", None, message, f"faq[{index}].question")
        seen.add(key)
    return None


def faq_markup_in_answer(subject: Subject) -> Finding | None:
    for index, pair in enumerate(subject.faq):
        if answer_has_markup(pair.answer):
            message = "FAQ answers are shown as plain text, so this markup would be read literally."
            return Finding("faq_markup_in_answer", "E19", message, f"faq[{index}].answer")
    return None


def faq_in_body(subject: Subject) -> Finding | None:
    if not stored_facts(subject.post.body_facts)["has_faq_heading"]:
        return None
    message = "The body holds an FAQ section; as faq entries it would also become structured data."
    return Finding("faq_in_body", None, message, "body")


def canonical_off_site(subject: Subject) -> Finding | None:
    base = get_settings().public_base_url
    canonical = subject.post.canonical_url
    if not canonical or not base or origin_parts(canonical) == origin_parts(base):
        return None
    message = "The canonical URL is on another site, so search engines will list that page and not this one."
    return Finding("canonical_off_site", "T5", message, "canonical_url")


def slug_changed(subject: Subject) -> Finding | None:
    if not subject.write.slug_moved:
        return None
    return Finding(
        "slug_changed", "T4", "The path of a public post changed; the old path redirects to the new one.", "slug"
    )


def social_image_absent(subject: Subject) -> Finding | None:
    post = subject.post
    if post.cover_image_id or post.social_image_id or get_settings().default_social_image_url:
        return None
    message = "Without a cover or social image, shared links show no picture."
    return Finding("social_image_absent", "T17", message, "social_image")


def image_alt_absent(subject: Subject) -> Finding | None:
    message = "Describe the image in words for readers who cannot see it."
    if subject.post.cover_image_id and not subject.post.cover_alt.strip():
        return Finding("image_alt_absent", "T13", message, "cover_alt")
    for index, image in enumerate(stored_facts(subject.post.body_facts)["images"]):
        if not image["alt"].strip():
            return Finding("image_alt_absent", "T13", message, f"body.images[{index}].alt")
    return None


def image_external(subject: Subject) -> Finding | None:
    base = get_settings().public_base_url
    own_host = urlsplit(base).hostname if base else None
    for index, image in enumerate(stored_facts(subject.post.body_facts)["images"]):
        host = split_image_url(image["src"]).hostname
        if host and host != own_host:
            message = "The image is fetched from another site, which can change or lose it; upload it instead."
            return Finding("image_external", "E19", message, f"body.images[{index}]")
    return None


def image_unverified(subject: Subject) -> Finding | None:
    manifest: list[BodyImageEntry] = subject.post.body_image_manifest
    for index, image in enumerate(manifest):
        if not image["sha256"]:
            message = (
                "The bytes of this image are not known, so no approval can cover them; upload it, and use that URL."
            )
            return Finding("image_unverified", "E19", message, f"body.images[{index}]")
    return None


def image_location_data(subject: Subject) -> Finding | None:
    location = _first_located(subject)
    if location is None:
        return None
    message = "The original file says where it was taken, and everyone can download it; upload it without GPS data."
    return Finding("image_location_data", "E19", message, location)


def _first_located(subject: Subject) -> str | None:
    post = subject.post
    if post.cover_image and post.cover_image.has_location:
        return "cover_image"
    if post.social_image and post.social_image.has_location:
        return "social_image"
    manifest: list[BodyImageEntry] = post.body_image_manifest
    digests = {image["sha256"] for image in manifest if image["sha256"]}
    if not digests:
        return None
    located = Image.objects.filter(sha256__in=digests, has_location=True)
    found = set(located.values_list("sha256", flat=True))
    return next((f"body.images[{index}]" for index, image in enumerate(manifest) if image["sha256"] in found), None)


MOST_LINKS = 1000
"""Links into the blog that are checked; databases limit the length of a list."""


def link_same_site_broken(subject: Subject) -> Iterable[Finding]:
    """Return a finding for each link in the body that leads into this blog and to no page."""
    page = BlogURLs.on("").post_path(subject.post.slug)
    links = stored_facts(subject.post.body_facts)["links"]
    into_the_blog = ((href, path) for href in links if (path := blog_path_of(href, page=page)))
    targets = dict(islice(into_the_blog, MOST_LINKS))
    served = served_paths(targets.values(), now=subject.now)
    message = "This link leads to a URL of this blog that has no page."
    return [Finding("link_same_site_broken", "T14", message, href) for href in targets if targets[href] not in served]


def author_default_used(subject: Subject) -> Finding | None:
    if not subject.write.author_defaulted:
        return None
    return Finding("author_default_used", "E1", "No author was sent, so the blog's default author signs.", "author")


def provenance_unknown(subject: Subject) -> Finding | None:
    if subject.post.provenance != Provenance.UNKNOWN:
        return None
    message = "Say who wrote this: provenance is ai_assisted when AI wrote or rewrote anything, else human_written."
    return Finding("provenance_unknown", "E18", message, "provenance")


def approval_absent(subject: Subject) -> Finding | None:
    post = subject.post
    if post.provenance == Provenance.HUMAN_WRITTEN:
        return None
    checked = {PostStatus.PUBLISHED: post.is_approved, PostStatus.SCHEDULED: post.is_reviewed}
    if checked.get(PostStatus(post.status), True):
        return None
    message = "No facts-checked approval covers this revision, so the AI notice stays on the page."
    return Finding("approval_absent", "E18", message, "approval")


def approval_incomplete(subject: Subject) -> Finding | None:
    if not subject.write.facts_unchecked:
        return None
    message = "The approval says that the facts were not checked, so it does not clear the AI notice."
    return Finding("approval_incomplete", "E18", message, "approval.facts_checked")


def connections_not_declared(subject: Subject) -> Finding | None:
    if subject.other_rows.is_declared:
        return None
    message = "Declare relations to the subject and payments, or declare that there are none."
    return Finding("connections_not_declared", "E21, E22", message, "connections")


def responsible_party_absent(subject: Subject) -> Finding | None:
    if subject.has_responsible_party:
        return None
    message = "The blog names no responsible party, so AI notices cannot be cleared."
    return Finding("responsible_party_absent", "E4", message, None)


def note_not_recorded(subject: Subject) -> Iterable[Finding]:
    message = "This write recorded no publication, so the history does not keep it: send it with the release."
    return [Finding("note_not_recorded", None, message, name) for name in subject.write.unrecorded]


def date_not_recorded(subject: Subject) -> Iterable[Finding]:
    message = "The time was sent without evidence, so it was not kept: send the evidence too."
    return [Finding("date_not_recorded", None, message, name) for name in subject.write.undated]


def published_now(subject: Subject) -> Finding | None:
    if not subject.write.published_now:
        return None
    message = "publish_at is in the past, so no schedule was made: the post is public now."
    return Finding("published_now", None, message, "publish_at")


def redirect_target_missing(subject: Subject) -> Finding | None:
    if not subject.write.target_missing:
        return None
    message = "The blog serves nothing there, so readers of the former URL find no page: send another target."
    return Finding("redirect_target_missing", None, message, "redirect_to")


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
        provenance_unknown,
        approval_absent,
        approval_incomplete,
        connections_not_declared,
        responsible_party_absent,
        canonical_off_site,
        slug_changed,
        social_image_absent,
        heading_level_skipped,
        heading_h1_in_body,
        html_dropped,
        hard_wrapped,
        image_alt_absent,
        image_external,
        image_unverified,
        image_location_data,
        note_not_recorded,
        date_not_recorded,
        published_now,
        redirect_target_missing,
        link_same_site_broken,
    )
}
"""The checks by code, in the order of their findings.

A host may add or replace one in its ``AppConfig.ready``: any function of a ``Subject`` that returns a ``Finding``,
several of them, or ``None``.
"""


def findings_of(
    post: Post, *, has_responsible_party: bool, now: datetime, write: WriteContext | None = None
) -> list[Finding]:
    """Return the findings of a post read by ``read_post``; without a ``write``, none that depend on one."""
    subject = Subject(
        post=post,
        write=write or WriteContext(),
        has_responsible_party=has_responsible_party,
        now=now,
    )
    return [finding for check in FINDINGS.values() for finding in each(check(subject))]


def findings_of_redirect(row: Redirect) -> list[Finding]:
    """Return `redirect_not_served` for an old path that no request of the blog reaches, else nothing."""
    if is_in_blog(row.old_path) or serves_redirects_outside_blog():
        return []
    message = (
        "The path is outside the blog, so readers are not redirected yet: "
        f"ask the person who runs the site to add {REDIRECT_MIDDLEWARE} to MIDDLEWARE."
    )
    return [Finding("redirect_not_served", None, message, "old_path")]
