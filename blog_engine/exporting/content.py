"""The Markdown and HTML files of an export, which Hugo builds into the pages of the blog."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from urllib.parse import unquote

from django.utils.translation import gettext as _

from blog_engine.blog_urls import BlogURLs, public_path
from blog_engine.conf import get_settings
from blog_engine.content.corrections import DatedNote
from blog_engine.content.languages import direction_of_language
from blog_engine.content.sanitize import normalize, sanitize_sent, write_clean_html
from blog_engine.content.syndication import AroundBody, Cover, syndicated_html
from blog_engine.enums import BodyFormat, ListKind, PolicyKind, PostStatus
from blog_engine.exporting.hugo_bodies import front_matter, readable_markdown, without_shortcodes
from blog_engine.exporting.media import as_picture, media_name, site_path
from blog_engine.exporting.posts import ExportedPost, exported_posts
from blog_engine.exporting.tables import as_json
from blog_engine.exporting.targets import ExportTarget
from blog_engine.models import Author, PolicyPage, Tag
from blog_engine.queries.articles import canonical_url, markdown_document
from blog_engine.queries.feeds import feed_id
from blog_engine.queries.listings import SUBJECTS
from blog_engine.queries.policies import find_policy_url, served_pages
from blog_engine.queries.translations import languages_of
from blog_engine.rendering.bodies import footnote_prefix, render_for_elsewhere
from blog_engine.rendering.images import image_origin, images_named_in, origins_of
from blog_engine.rendering.stored import page_footnote_prefix
from blog_engine.rules.content_fields import CONTENT_FIELDS, FieldPlace
from blog_engine.rules.dates import long_date
from blog_engine.rules.label import image_note, label_of, notices_of

TAXONOMIES: Final = {
    ListKind.CATEGORY: "categories",
    ListKind.TAG: "tags",
    ListKind.AUTHOR: "authors",
    ListKind.SERIES: "series",
}
"""The folders of the lists, which are the names of Hugo's taxonomies."""

_COLUMNS: Final = tuple(
    one.name
    for one in CONTENT_FIELDS
    if one.is_stored_as_sent
    and FieldPlace.EXPORT not in one.absent
    # The body follows the front matter, the others are in ``description`` and ``cover``.
    and one.name not in {"body", "search_description", "cover_alt"}
)
"""The columns that the front matter has as they are."""
_PAGES_AT_ROOT: Final = ("/index.html", "/404.html")
_LAST_PLACE: Final = 10**9
_PLAIN_PATH: Final = re.compile(r"(?:/[A-Za-z0-9_~-]+)+(?:/|\.html)?")
"""Former paths for which Hugo can make a page that leads on; for all others there are the redirects."""


@dataclass(frozen=True)
class Pages:
    """Writes the pages of the blog at some URLs, as readers see them at ``now``."""

    target: ExportTarget
    alias: str
    urls: BlogURLs
    now: datetime

    def write_posts(self) -> Iterator[int]:
        """Write each post, and the Markdown version of each public one; yield the id of each."""
        has_responsible_party = find_policy_url(PolicyKind.RESPONSIBLE_PARTY) is not None
        for found in exported_posts(self.alias):
            self._write_post(found, has_responsible_party=has_responsible_party)
            yield found.post.pk

    def _write_post(self, found: ExportedPost, *, has_responsible_party: bool) -> None:
        post = found.post
        label = label_of(post, has_responsible_party=has_responsible_party)
        notices = notices_of(label, found.declaration)
        is_html = post.body_format == BodyFormat.RICH_TEXT
        fields = self._fields(found) | {"label": label.value, "notices": list(notices)}
        body = without_shortcodes(_safe_html(post.body)) if is_html else readable_markdown(post.body)
        path = _file("posts", post.slug, suffix="html" if is_html else "md")
        self.target.write(path, f"{front_matter(fields)}\n{body}\n")
        self._write_rendered(found)
        if post.status == PostStatus.PUBLISHED:
            text = markdown_document(
                post,
                notices=notices,
                images=found.images,
                corrections=self._corrections(found),
                faq=tuple(found.faq),
                urls=self.urls,
                now=self.now,
            )
            self.target.write(site_path(self.urls.markdown_path(post.slug)), text)

    def _corrections(self, found: ExportedPost) -> tuple[DatedNote, ...]:
        """Return the corrections that readers see by now."""
        published = (one for one in found.corrections if one.occurred_at <= self.now)
        return tuple(DatedNote(long_date(one.occurred_at), one.note or "") for one in published)

    def _write_rendered(self, found: ExportedPost) -> None:
        post = found.post
        html = render_for_elsewhere(
            post.body,
            post.body_format,
            footnote_prefix=footnote_prefix(post.pk),
            language=post.language,
            origins=found.origins,
        ).html
        self.target.write(f"assets/posts/{post.slug}.html", html)
        if get_settings().feed_content == "full":
            url = self.urls.absolute(self.urls.post_path(post.slug))
            self.target.write(f"assets/feeds/{post.slug}.html", self._in_feeds(found, html, url=url))

    def _in_feeds(self, found: ExportedPost, html: str, *, url: str) -> str:
        """Return the content of a post in feeds, without the notices, which the template writes."""
        image = found.post.cover_image
        around = AroundBody(
            cover=Cover(
                self.urls.media_path(image.sha256, media_name(image)),
                *(found.post.cover_alt, image.width, image.height, image_note(image_origin(image))),
            )
            if image
            else None,
            corrections=self._corrections(found),
            corrections_heading=_("Corrections"),
            faq=tuple(found.faq),
            faq_heading=_("Frequently asked questions"),
        )
        return syndicated_html(html, url=url, around=around)

    def _fields(self, found: ExportedPost) -> dict[str, Any]:
        """Return the front matter of a post."""
        post, urls = found.post, self.urls
        path = urls.post_path(post.slug)
        is_public = post.status == PostStatus.PUBLISHED
        declared = found.declaration
        languages = languages_of(found.versions, default=get_settings().language)
        columns = {name: getattr(post, name) for name in _COLUMNS}
        special = {
            "id": post.pk,
            "title": post.title,
            "slug": post.slug,
            "url": unquote(path),
            "aliases": self._aliases(found) if is_public else [],
            "draft": post.status in {PostStatus.DRAFT, PostStatus.ARCHIVED},
            "status": post.status,
            "date": as_json(post.publish_at if post.status == PostStatus.SCHEDULED else post.published_at),
            # A public post is built whatever its date is.
            "publishDate": as_json(post.created_at if is_public else post.publish_at),
            "lastmod": as_json(post.modified_at),
            "language": post.language,
            "direction": direction_of_language(post.language) if post.language else None,
            "translation_group": post.translation_group,
            "alternates": [{"language": tag, "url": unquote(urls.post_path(slug))} for tag, slug in languages.items()],
            "description": post.shown_description,
            "summary": post.description if post.description.strip() else post.excerpt,
            "search_title": post.search_title,
            "categories": [post.category.slug] if post.category else [],
            "tags": [slug for slug, _name in found.tags],
            "series": [post.series.slug] if post.series else [],
            "series_position": post.series_position,
            "authors": [post.author.slug, *(one.author.slug for one in post.coauthors)],
            "author_name": post.author_name,
            "coauthors": list(post.byline[1:]),
            "featured": post.featured,
            "noindex": post.noindex,
            "expires_at": as_json(post.expires_at),
            "external_id": post.external_id,
            "canonical_url": canonical_url(post, urls=urls) if post.canonical_url else None,
            "cover": as_picture(post.cover_image, urls=urls, alt=post.cover_alt),
            "social_image": as_picture(post.social_image, urls=urls),
            "provenance": post.provenance,
            "paid": bool(declared and declared.third_party_paid),
            "connections": declared.connections if declared else [],
            "corrections": [{"date": as_json(one.occurred_at), "note": one.note} for one in found.corrections],
            "faq": [{"question": pair.question, "answer": pair.answer} for pair in found.faq],
            "feed_id": post.feed_id or self._feed_id(found),
            "feed_updated": as_json(post.modified_at or found.announced or post.created_at),
            "order": f"{as_json(post.listed_at)} {post.pk:020d}",
            "series_order": f"{post.series_position or _LAST_PLACE:010d} {post.pk:020d}",
        }
        return special | {name: value for name, value in columns.items() if name not in special}

    def _aliases(self, found: ExportedPost) -> list[str]:
        """Return the path of a post with ``.html`` and its former paths, except those that other pages have."""
        former = [public_path(path) for path in found.former_paths if _PLAIN_PATH.fullmatch(path)]
        paths = dict.fromkeys(unquote(path) for path in (f"{self.urls.post_path(found.post.slug)}.html", *former))
        return [path for path in paths if path not in {f"{unquote(self.urls.prefix)}/index.html", *_PAGES_AT_ROOT}]

    def _feed_id(self, found: ExportedPost) -> str | None:
        if found.post.status != PostStatus.PUBLISHED or not self.urls.origin:
            return None
        published = found.first_public or found.post.created_at
        return feed_id(self.urls.origin, published=published, post_id=found.post.pk)

    def write_lists(self) -> None:
        """Write the head of each list: categories, tags, authors and series."""
        for kind, model in SUBJECTS.items():
            subjects = model._base_manager.using(self.alias).order_by("pk")
            related = ["avatar"] if model is Author else []
            if related:
                subjects = subjects.select_related(*related)
            for subject in subjects.iterator(500):
                fields: dict[str, Any] = {
                    "title": subject.name,
                    "url": unquote(self.urls.list_path(kind, subject.slug)),
                    "aliases": [unquote(f"{self.urls.list_path(kind, subject.slug)}.html")],
                }
                if isinstance(subject, Author):
                    avatar = as_picture(subject.avatar, urls=self.urls)
                    fields |= {"type_of_author": subject.type, "website": subject.url, "avatar": avatar}
                    fields |= {"profiles": subject.profile_urls, "fediverse": subject.fediverse}
                    fields["description"] = subject.bio
                elif not isinstance(subject, Tag):
                    fields["description"] = subject.description
                self.target.write(f"content/{TAXONOMIES[kind]}/{subject.slug}/_index.md", front_matter(fields))

    def write_policies(self) -> None:
        """Write the policy pages; those that readers do not see are drafts."""
        served = set(served_pages().using(self.alias).values_list("pk", flat=True))
        for page in PolicyPage.objects.using(self.alias).order_by("pk"):
            path = self.urls.policy_path(page.slug)
            fields = {
                "title": page.title,
                "slug": page.slug,
                "url": unquote(path),
                "draft": page.pk not in served,
                "kind_of_policy": page.kind,
                "lastmod": as_json(page.updated_at),
                "approved_by": page.approved_by,
                "approved_on": as_json(page.approved_on),
            }
            body = readable_markdown(page.body)
            self.target.write(_file("policies", page.slug), f"{front_matter(fields)}\n{body}\n")
            html = render_for_elsewhere(
                page.body,
                BodyFormat.MARKDOWN,
                footnote_prefix=page_footnote_prefix(page),
                origins=origins_of(images_named_in(page.body)),
            ).html
            self.target.write(f"assets/policies/{page.slug}.html", html)

    def write_index(self) -> None:
        """Write the heads of the index and of the search page."""
        settings, prefix = get_settings(), unquote(self.urls.prefix)
        index = front_matter(
            {
                "title": settings.blog_title,
                "description": settings.blog_tagline,
                "url": f"{prefix}/",
                "outputs": [
                    "html",
                    "atom",
                    "jsonfeed",
                    "searchdata",
                    *(["sitemapxml"] if settings.serve_sitemap else []),
                ],
                "is_index": True,
            }
        )
        unseen = '---\nbuild: {"render": "never", "list": "never"}\n---\n'
        if prefix:
            self.target.write(
                "content/_index.md", front_matter({"title": settings.site_name, "leads_to": f"{prefix}/"})
            )
            self.target.write("content/posts/_index.md", index)
        else:
            self.target.write("content/_index.md", index)
            self.target.write("content/posts/_index.md", unseen)
        self.target.write("content/policies/_index.md", unseen)
        path = unquote(self.urls.search_path())
        search = {"title": _("Search articles"), "url": path, "layout": "search", "aliases": [f"{path}.html"]}
        self.target.write("content/search.md", front_matter(search))


def _file(folder: str, slug: str, *, suffix: str = "md") -> str:
    """Return the file of a page; Hugo takes an ``index`` for the page of the folder."""
    return f"content/{folder}/{slug}{'-' if slug == 'index' else ''}.{suffix}"


def _safe_html(body: str) -> str:
    """Return a body in HTML without what readers never see, and without what the pages of the blog add."""
    tree = sanitize_sent(body)
    normalize(tree)
    return write_clean_html(tree)
