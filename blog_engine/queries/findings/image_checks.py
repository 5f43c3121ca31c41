"""Findings about the images of a post (records.md section 14; decisions.md 3.19 and 3.22)."""

from urllib.parse import urlsplit

from blog_engine.conf import get_settings
from blog_engine.models import Image
from blog_engine.queries.body_images import BodyImageEntry, parts_of
from blog_engine.queries.findings.base import Finding, Subject
from blog_engine.queries.findings.facts import stored_facts


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
        host = parts_of(image["src"]).hostname
        if host and host != own_host:
            message = "The image is fetched from another site, which can change or lose it; upload it instead."
            return Finding("image_external", "E19", message, f"body.images[{index}]")
    return None


def image_unverified(subject: Subject) -> Finding | None:
    manifest: list[BodyImageEntry] = subject.post.body_image_manifest
    for index, image in enumerate(manifest):
        if not image["sha256"]:
            message = (
                "The bytes of this image are not known, so no approval can cover them; upload it and use its address."
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
    located = Image.objects.filter(sha256__in=digests, has_location=True).values_list("sha256", flat=True)
    found = set(located) if digests else set()
    return next((f"body.images[{index}]" for index, image in enumerate(manifest) if image["sha256"] in found), None)
