"""Findings about the texts of a post (records.md section 14)."""

from blog_engine.addresses import origin_parts
from blog_engine.conf import get_settings
from blog_engine.content.faq import answer_has_markup, question_key
from blog_engine.models import Post
from blog_engine.queries.findings.base import Finding, Subject
from blog_engine.queries.findings.facts import stored_facts
from blog_engine.vocabulary import PostStatus


def description_absent(subject: Subject) -> Finding | None:
    if subject.post.shown_description.strip():
        return None
    message = "Write a description: lists, feeds and search engines show it."
    return Finding("description_absent", "T8", message, "description")


def title_duplicate(subject: Subject) -> Finding | None:
    others = Post.objects.filter(status=PostStatus.PUBLISHED.value, title=subject.post.title)
    if not others.exclude(pk=subject.post.pk).exists():
        return None
    return Finding("title_duplicate", "T7", "Another published post has the same title.", "title")


def description_duplicate(subject: Subject) -> Finding | None:
    key = subject.post.description_key
    others = Post.objects.filter(status=PostStatus.PUBLISHED.value, description_key=key)
    if not key or not others.exclude(pk=subject.post.pk).exists():
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
    return Finding("slug_changed", "T4", "The address of a public post changed; the old one redirects here.", "slug")


def social_image_absent(subject: Subject) -> Finding | None:
    post = subject.post
    if post.cover_image_id or post.social_image_id or get_settings().default_social_image_url:
        return None
    message = "Without a cover or social image, shared links show no picture."
    return Finding("social_image_absent", "T17", message, "social_image")
