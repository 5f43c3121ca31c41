"""An export for WordPress: one file in its own format, WXR, which its importer reads."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote
from xml.sax.saxutils import escape

from django.db.models import Max
from django.utils import timezone, translation
from django.utils.html import linebreaks
from django.utils.translation import gettext as _

from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.content.syndication import AroundBody, syndicated_html
from blog_engine.content.text import with_allowed_characters
from blog_engine.enums import BodyFormat, PolicyKind, PostStatus
from blog_engine.exporting.export import ExportProgress
from blog_engine.exporting.media import short_name
from blog_engine.exporting.posts import ExportedPost, exported_posts
from blog_engine.exporting.tables import as_json
from blog_engine.exporting.targets import FileWriter, open_single
from blog_engine.models import Author, Category, Image, PolicyPage, Post, Tag
from blog_engine.queries.database import one_snapshot
from blog_engine.queries.feeds import feed_id
from blog_engine.queries.policies import find_policy_url, served_pages
from blog_engine.rendering.bodies import footnote_prefix, render_for_elsewhere
from blog_engine.rendering.stored import page_footnote_prefix
from blog_engine.rules.content_fields import METADATA_TEXTS
from blog_engine.rules.label import label_of, notices_of

_STATUSES: Final = {
    PostStatus.PUBLISHED: "publish",
    PostStatus.SCHEDULED: "future",
    PostStatus.DRAFT: "draft",
    PostStatus.ARCHIVED: "draft",
}
_META_NAMES: Final = {"search_title": "seo_title", "search_description": "seo_description"}
"""Names of metadata that differ from those of the fields."""
_LONGEST_NAME: Final = 200
_SHORTCODE: Final = re.compile(r"\[(?=[\w/\[])")
_HEAD: Final = """\
<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" \
xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:wfw="http://wellformedweb.org/CommentAPI/" \
xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
"""


def export_for_wordpress(target: Path, *, now: datetime) -> Iterator[ExportProgress]:
    """Write posts, policy pages, images and lists to a file; yield the progress after each post and image.

    The images are named by their URLs, from which the importer fetches them. Raises ``TargetRefused``.
    """
    urls = BlogURLs.on(get_settings().public_base_url or "")
    progress = ExportProgress()
    with open_single(target) as file, one_snapshot() as alias, translation.override(get_settings().catalogue):
        progress.of_posts = Post.objects.using(alias).count()
        writer = _Writer(file, alias, urls, now)
        writer.write_head()
        for progress.posts in writer.write_posts():
            yield progress
        writer.write_pages()
        for progress.images in writer.write_images():
            yield progress
        file.write(b"</channel>\n</rss>\n")


class _Writer:
    """Writes the elements of the file, in the order that WordPress wants."""

    def __init__(self, file: FileWriter, alias: str, urls: BlogURLs, now: datetime) -> None:
        self._file, self._alias, self._urls, self._now = file, alias, urls, now
        # WordPress has one series of ids for all that has a page.
        self._last_post = Post.objects.using(alias).aggregate(last=Max("pk"))["last"] or 0
        self._last_image = Image.objects.using(alias).aggregate(last=Max("pk"))["last"] or 0

    def write_head(self) -> None:
        """Write the blog, its authors, categories and tags."""
        settings, index = get_settings(), self._urls.absolute(self._urls.index_path())
        self._write(
            _HEAD,
            _element("title", settings.blog_title),
            _element("link", index),
            _element("description", settings.blog_tagline or ""),
            _element("language", settings.language),
            _element("wp:wxr_version", "1.2"),
            _element("wp:base_site_url", self._urls.origin),
            _element("wp:base_blog_url", index.removesuffix("/")),
        )
        for author in Author.objects.using(self._alias).order_by("pk").iterator(500):
            named = _element("wp:author_id", author.pk) + _element("wp:author_login", author.slug)
            named += _element("wp:author_email", "") + _text_element("wp:author_display_name", author.name)
            self._write(f"<wp:author>{named}</wp:author>\n")
        for category in Category.objects.using(self._alias).order_by("pk").iterator(500):
            named = _element("wp:term_id", category.pk) + _element("wp:category_nicename", category.slug)
            named += _element("wp:category_parent", "") + _text_element("wp:cat_name", category.name)
            named += _text_element("wp:category_description", category.description)
            self._write(f"<wp:category>{named}</wp:category>\n")
        last = Category.objects.using(self._alias).aggregate(last=Max("pk"))["last"] or 0
        for tag in Tag.objects.using(self._alias).order_by("pk").iterator(500):
            named = _element("wp:term_id", last + tag.pk) + _element("wp:tag_slug", tag.slug)
            self._write(f"<wp:tag>{named}{_text_element('wp:tag_name', tag.name)}</wp:tag>\n")

    def write_posts(self) -> Iterator[int]:
        """Write each post, and yield how many there are so far."""
        has_responsible_party = find_policy_url(PolicyKind.RESPONSIBLE_PARTY) is not None
        for number, found in enumerate(exported_posts(self._alias), start=1):
            self._write_post(found, has_responsible_party=has_responsible_party)
            yield number

    def _write_post(self, found: ExportedPost, *, has_responsible_party: bool) -> None:
        post = found.post
        notices = notices_of(label_of(post, has_responsible_party=has_responsible_party), found.declaration)
        url, first = self._urls.post_url(post.slug), found.first_public or post.created_at
        published = post.publish_at if post.status == PostStatus.SCHEDULED else post.published_at or first
        meta = {
            "_thumbnail_id": str(self._last_post + post.cover_image_id) if post.cover_image_id else "",
            "blog_engine_id": str(post.pk),
            "canonical_url": post.canonical_url or "",
            "series": post.series.name if post.series else "",
            "series_position": str(post.series_position or ""),
            **{_META_NAMES.get(name, name): getattr(post, name) for name in METADATA_TEXTS},
            "provenance": post.provenance,
            "_yoast_wpseo_meta-robots-noindex": "1" if post.noindex else "",
            "expires_at": as_json(post.expires_at) or "",
        }
        terms = _term("category", post.category.slug, post.category.name) if post.category else ""
        terms += "".join(_term("post_tag", slug, name) for slug, name in found.tags)
        if post.coauthors:
            # As the plugin Co-Authors Plus has them.
            signed = ((post.author_name, post.author), *post.coauthors)
            terms += "".join(_term("author", author.slug, name) for name, author in signed)
        self._write_item(
            _text_element("title", post.title),
            _element("link", url),
            _element("dc:creator", post.author.slug),
            _guid(post.feed_id or feed_id(self._urls.origin, published=first, post_id=post.pk)),
            _element("content:encoded", _content(found, notices, url=url)),
            _text_element("excerpt:encoded", post.description),
            _element("wp:post_id", post.pk),
            _dates(published or first, modified=post.modified_at or published or first),
            _element("wp:post_name", post.slug),
            _element("wp:status", _STATUSES[PostStatus(post.status)]),
            _element("wp:post_type", "post"),
            _element("wp:is_sticky", int(post.featured)),
            terms,
            *(_meta(name, value) for name, value in meta.items() if value),
        )

    def write_pages(self) -> None:
        """Write the policy pages as pages of WordPress; those that readers do not see are drafts."""
        served = set(served_pages().using(self._alias).values_list("pk", flat=True))
        for page in PolicyPage.objects.using(self._alias).order_by("pk"):
            url = self._urls.absolute(self._urls.policy_path(page.slug))
            html = render_for_elsewhere(page.body, BodyFormat.MARKDOWN, footnote_prefix=page_footnote_prefix(page)).html
            self._write_item(
                _text_element("title", page.title),
                _element("link", url),
                _guid(url),
                _element("content:encoded", _without_shortcodes(syndicated_html(html, url=url))),
                _element("wp:post_id", self._last_post + self._last_image + page.pk),
                _dates(page.updated_at, modified=page.updated_at),
                _element("wp:post_name", page.slug),
                _element("wp:status", "publish" if page.pk in served else "draft"),
                _element("wp:post_type", "page"),
            )

    def write_images(self) -> Iterator[int]:
        """Write each image as an attachment, and yield how many there are so far."""
        images = Image.objects.using(self._alias).order_by("pk").iterator(500)
        for number, image in enumerate(images, start=1):
            url = self._urls.absolute(self._urls.media_path(image.sha256, _name_of(image)))
            type_fields = {name: getattr(image, name) for name in ("digital_source_type", "source_type_from")}
            self._write_item(
                # The importer takes two of one title and one second for the same.
                _text_element("title", f"{image.filename} {image.sha256[:8]}"),
                _element("link", url),
                _guid(url),
                _element("wp:post_id", self._last_post + image.pk),
                _dates(image.created_at, modified=image.created_at),
                _element("wp:post_name", f"image-{image.sha256[:16]}"),
                _element("wp:status", "inherit"),
                _element("wp:post_type", "attachment"),
                _element("wp:attachment_url", url),
                _meta("credit", image.credit),
                *(_meta(name, value) for name, value in type_fields.items() if value),
            )
            yield number

    def _write_item(self, *elements: str) -> None:
        self._write("<item>\n", *elements, "</item>\n")

    def _write(self, *parts: str) -> None:
        self._file.write("".join(parts).encode())


def _name_of(image: Image) -> str:
    """Return the file name of an image for its URL, in which the blog ignores it: WordPress needs a short one."""
    return image.filename if len(quote(image.filename)) <= _LONGEST_NAME else short_name(image)


def _content(found: ExportedPost, notices: tuple[str, ...], *, url: str) -> str:
    """Return the notices, the body, the corrections and the FAQ of a post as HTML, with absolute URLs."""
    post = found.post
    body = render_for_elsewhere(
        post.body,
        post.body_format,
        footnote_prefix=footnote_prefix(post.pk),
        language=post.language,
        origins=found.origins,
    ).html
    parts = [syndicated_html(body, url=url, around=AroundBody(notices=notices))]
    for correction in found.corrections:
        parts += [f"<h2>{escape(_('Correction'))}</h2>", linebreaks(correction.note or "", autoescape=True)]
    if found.faq:
        parts.append(f"<h2>{escape(_('Frequently asked questions'))}</h2>")
    for pair in found.faq:
        parts += [f"<h3>{escape(pair.question)}</h3>", linebreaks(pair.answer, autoescape=True)]
    return _without_shortcodes("\n".join(parts))


def _without_shortcodes(html: str) -> str:
    """Return HTML in which WordPress sees no shortcodes."""
    return _SHORTCODE.sub("&#91;", html)


def _dates(published: datetime, *, modified: datetime) -> str:
    """Return the dates of an item, in the time zone of the site and in UTC."""
    found = ""
    for name, moment in (("post_date", published), ("post_modified", modified)):
        found += _element(f"wp:{name}", f"{timezone.localtime(moment):%Y-%m-%d %H:%M:%S}")
        found += _element(f"wp:{name}_gmt", f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S}")
    return found


def _guid(text: str) -> str:
    return f'<guid isPermaLink="false">{escape(with_allowed_characters(text))}</guid>\n'


def _term(domain: str, slug: str, name: str) -> str:
    return f'<category domain="{domain}" nicename="{escape(slug)}">{_cdata(_as_html(name))}</category>\n'


def _meta(name: str, value: str) -> str:
    return f"<wp:postmeta>{_element('wp:meta_key', name)}{_element('wp:meta_value', value)}</wp:postmeta>\n"


def _element(name: str, value: object) -> str:
    return f"<{name}>{_cdata(str(value))}</{name}>\n"


def _text_element(name: str, text: str) -> str:
    """Return an element with plain text that WordPress keeps as HTML."""
    return _element(name, _as_html(text))


def _as_html(text: str) -> str:
    return _without_shortcodes(escape(text))


def _cdata(text: str) -> str:
    """Return a text, whatever is in it, as XML."""
    allowed = with_allowed_characters(text).replace("]]>", "]]]]><![CDATA[>")
    return f"<![CDATA[{allowed}]]>"
