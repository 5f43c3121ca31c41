"""The rows of a Ghost export as posts."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from html import escape
from typing import Any, Final
from zoneinfo import ZoneInfo

from blog_engine.importing.ghost.cards import simplify_cards
from blog_engine.importing.ghost.editors import render_document
from blog_engine.importing.ghost.tables import GhostTables, Row
from blog_engine.importing.ghost.urls import Facts, Permalinks
from blog_engine.importing.source import (
    ImageUse,
    Item,
    Losses,
    LossKind,
    Omitted,
    SourcePost,
    SourceStatus,
    SourceTerm,
    texts_of,
)

_SITE: Final = re.compile(r"__GHOST_URL__(?=(/?))")
_STATUSES: Final = {
    "published": SourceStatus.PUBLISHED,
    "scheduled": SourceStatus.SCHEDULED,
    "draft": SourceStatus.DRAFT,
}
_WITHOUT_PLACE: Final = (
    *("og_title", "og_description", "twitter_title", "twitter_description", "feature_image_caption"),
    *("codeinjection_head", "codeinjection_foot", "custom_template", "locale"),
)
"""Columns with a value that has no place here."""
_ONLY_FOR_MAIL: Final = re.compile(r'"type":\s*"email(?:-cta)?"|\["email(?:-cta)?",')


class GhostPosts:
    """The posts of an export, and the tags and people that they name."""

    def __init__(
        self,
        tables: GhostTables,
        *,
        file: str,
        site: str,
        permalinks: Permalinks,
        old_paths: Mapping[str, list[str]],
    ) -> None:
        """Take ``site``, the URL of the blog or an empty text, and the old paths that redirect to each path."""
        self._tables = tables
        self._file = file
        self._site = site
        self._permalinks = permalinks
        self._old_paths = old_paths
        self._zone = _zone(_text(tables.row("settings", "timezone"), "value"))
        self._has_amp = _text(tables.row("settings", "amp"), "value") == "true"
        self._terms: dict[tuple[str, str], SourceTerm] = {}

    def entries(self) -> Iterator[Item]:
        """Yield posts, and what is no post."""
        for row in self._tables.posts():
            # Older versions keep in the row what newer ones keep in posts_meta.
            own = {name: value for name, value in row.items() if value is not None}
            merged = {**self._tables.row("posts_meta", row["id"]), **own}
            if merged.get("type", "page" if merged.get("page") == 1 else "post") == "post":
                yield self._post(merged)
            else:
                url = f"{self._site}/{_text(merged, 'slug')}/"
                yield Omitted(str(row["id"]), _title(merged), "page", self._where(row), url)

    def terms(self) -> Iterator[SourceTerm]:
        """Yield the tags, categories and authors of the entries that were yielded."""
        yield from self._terms.values()

    def _where(self, row: Row) -> str:
        return f"{self._file}: post {row['id']}"

    def _post(self, row: Row) -> SourcePost:
        losses = Losses()
        tags = self._tags(row, losses)
        authors = self._authors(row)
        names = tuple(map(self._credited, authors))
        status = _status(row, losses)
        published = self._time(row, "published_at", losses)
        path = self._path(row, tags, authors, published)
        is_public = status is SourceStatus.PUBLISHED and path is not None
        if path is None and status is SourceStatus.PUBLISHED:
            losses.add(LossKind.REDIRECT, "Its URL is not known: routes.yaml has a filter that is not understood.")
        url = f"{self._site}{path}" if path else None
        previews = [f"{self._site}/{kind}/{uuid}/" for kind in ("p", "email") if (uuid := _text(row, "uuid"))]
        for name in _WITHOUT_PLACE:
            if _text(row, name):
                losses.add(LossKind.FIELD, f"The field {name} has no place here.")
        body = self._body(row, losses)
        modified = self._time(row, "updated_at", losses)
        return SourcePost(
            source_id=str(row["id"]),
            title=_title(row),
            body=body,
            body_format="html",
            status=status,
            where=self._where(row),
            slug=_text(row, "slug"),
            url=url if is_public else None,
            former_urls=tuple(self._former_urls(path)) if is_public and path else (),
            link_names=(*previews, *([url] if url and not is_public else [])),
            published_at=published,
            modified_at=modified,
            published_evidence=f"Ghost export {self._file}: posts.published_at" if published else None,
            modified_evidence=f"Ghost export {self._file}: posts.updated_at" if modified else None,
            author=next(iter(names), None),
            coauthors=names[1:],
            category=self._note_tag("category", tags[0]) if tags else None,
            tags=tuple(self._note_tag("tag", tag) for tag in tags[1:]),
            description=_text(row, "custom_excerpt"),
            texts=texts_of(search_title=_text(row, "meta_title"), search_description=_text(row, "meta_description")),
            is_featured=row.get("featured") == 1,
            canonical_url=self._absolute(_text(row, "canonical_url")),
            cover=self._image(row, "feature_image", "feature_image_alt"),
            social_image=self._social_image(row, losses),
            feed_id=str(row["id"]) if status is SourceStatus.PUBLISHED else None,
            base=url or f"{self._site}/",
            losses=tuple(losses.found),
        )

    def _tags(self, row: Row, losses: Losses) -> list[Row]:
        """Return the public tags in their order."""
        found = [self._tables.row("tags", one["tag_id"]) for one in self._tables.rows("posts_tags", row["id"])]
        public = []
        for tag in found:
            name = _text(tag, "name")
            if name and (tag.get("visibility") == "internal" or name.startswith("#")):
                losses.add(LossKind.FIELD, f"The internal tag {name} is left out.")
            elif name:
                public.append(tag)
        return public

    def _authors(self, row: Row) -> list[Row]:
        related = [one["author_id"] for one in self._tables.rows("posts_authors", row["id"])]
        users = [self._tables.row("users", one) for one in related or [row.get("author_id")]]
        return [user for user in users if _text(user, "name")]

    def _credited(self, user: Row) -> str:
        name = str(user["name"]).strip()
        about = SourceTerm("author", name, _text(user, "slug"), _text(user, "bio") or "", _text(user, "website"))
        self._terms.setdefault(("author", name), about)
        return name

    def _note_tag(self, kind: Any, tag: Row) -> str:
        name = str(tag["name"]).strip()
        slug = _text(tag, "slug")
        url = f"{self._site}/tag/{slug}/" if slug else None
        self._terms.setdefault((kind, name), SourceTerm(kind, name, slug, _text(tag, "description") or "", url))
        return name

    def _path(self, row: Row, tags: list[Row], authors: list[Row], published: datetime | None) -> str | None:
        slug = _text(row, "slug")
        if slug is None:
            return None
        day = (published or datetime(1970, 1, 1, tzinfo=UTC)).astimezone(self._zone)
        facts = Facts(
            slug=slug,
            id=str(row["id"]),
            year=f"{day:%Y}",
            month=f"{day:%m}",
            day=f"{day:%d}",
            tags=[str(tag.get("slug")) for tag in tags],
            authors=[str(user.get("slug")) for user in authors],
            is_featured=row.get("featured") == 1,
        )
        return self._permalinks.path_of(facts)

    def _former_urls(self, path: str) -> Iterator[str]:
        if self._has_amp:
            yield f"{self._site}{path}amp/"
        yield from (f"{self._site}{old}" for old in self._old_paths.get(path, ()))

    def _body(self, row: Row, losses: Losses) -> str:
        html = _text(row, "html")
        if html is None:
            html = _rendered(row, losses)
        elif _ONLY_FOR_MAIL.search(_text(row, "lexical") or _text(row, "mobiledoc") or ""):
            losses.add(LossKind.BLOCK, "A card that only the newsletter shows is left out.")
        return simplify_cards(self._absolute(html) or "", losses=losses)

    def _absolute(self, text: str | None) -> str | None:
        if text is None:
            return None
        return _SITE.sub(lambda found: self._site if found[1] or self._site else "/", text)

    def _image(self, row: Row, name: str, alt: str) -> ImageUse | None:
        url = self._absolute(_text(row, name))
        return ImageUse(url=url, alt=_text(row, alt) or "") if url else None

    def _social_image(self, row: Row, losses: Losses) -> ImageUse | None:
        first, second = _text(row, "og_image"), _text(row, "twitter_image")
        if first and second and first != second:
            losses.add(LossKind.FIELD, "The field twitter_image has no place here.")
        return self._image(row, "og_image" if first else "twitter_image", "")

    def _time(self, row: Row, name: str, losses: Losses) -> datetime | None:
        value = row.get(name)
        if not value:
            return None
        try:
            # Ghost 0 wrote milliseconds.
            if isinstance(value, int):
                return datetime.fromtimestamp(value / 1000, UTC)
            time = datetime.fromisoformat(str(value))
            return (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)
        except (ValueError, OverflowError, OSError):
            losses.add(LossKind.DATE, f"The field {name} is no date: {str(value)[:40]!r}.")
            return None


def _text(row: Mapping[str, Any], name: str) -> str | None:
    value = row.get(name)
    return value.strip() or None if isinstance(value, str) else None


def _title(row: Row) -> str:
    return _text(row, "title") or "(Untitled)"


def _zone(name: str | None) -> ZoneInfo:
    try:
        return ZoneInfo(name or "UTC")
    except (ValueError, OSError):
        return ZoneInfo("UTC")


def _status(row: Row, losses: Losses) -> SourceStatus:
    visibility = row.get("visibility") or "public"
    named = str(row.get("status"))
    if named == "sent" or row.get("email_only") == 1:
        losses.add(LossKind.WITHHELD, "It was sent as a newsletter only: now a draft.")
    elif named != "draft" and visibility != "public":
        who = {"members": "members", "paid": "paying members"}.get(str(visibility), "some members")
        losses.add(LossKind.WITHHELD, f"Only {who} could read it: now a draft.")
    elif named in _STATUSES:
        return _STATUSES[named]
    else:
        losses.add(LossKind.WITHHELD, f"Its status {named[:40]!r} is not known: now a draft.")
    return SourceStatus.DRAFT


def _rendered(row: Row, losses: Losses) -> str:
    """Return the HTML of a post for which the export has none."""
    for editor in ("lexical", "mobiledoc"):
        document = _text(row, editor)
        html = render_document(editor, document, losses=losses) if document else None
        if html is not None:
            return html
    paragraphs = (_text(row, "plaintext") or "").split("\n\n")
    return "".join(f"<p>{escape(part, quote=False)}</p>" for part in paragraphs if part.strip())
