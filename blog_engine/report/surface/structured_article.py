"""What the structured data of a page says of its article (schema.org)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from blog_engine.report.surface.html import HtmlPage


@dataclass(frozen=True, slots=True)
class StructuredAuthor:
    """An author; what is missing or no text is empty."""

    name: str
    type: str


@dataclass(frozen=True, slots=True)
class StructuredArticle:
    """An article. Dates are as written, ``None`` where there is none and empty where it is no text."""

    headline: str
    authors: tuple[StructuredAuthor, ...]
    published: str | None
    modified: str | None
    has_image: bool

    @property
    def author_names(self) -> tuple[str, ...]:
        """The names that are there."""
        return tuple(author.name for author in self.authors if author.name)


def structured_articles(page: HtmlPage) -> tuple[StructuredArticle, ...]:
    """The articles on the page: by themselves, or as what the page is mainly about."""
    objects = page.structured_data()
    entities = [entity for one in objects for entity in _listed(one.get("mainEntity")) if isinstance(entity, dict)]
    named = {one["@id"]: one for one in objects if isinstance(one.get("@id"), str)}
    return tuple(_article(one, named=named) for one in (*objects, *entities) if _is_article(one))


def _article(data: Mapping[str, Any], *, named: Mapping[str, Mapping[str, Any]]) -> StructuredArticle:
    return StructuredArticle(
        headline=_text(data.get("headline")),
        authors=tuple(_author(one, named=named) for one in _listed(data.get("author"))),
        published=_date(data.get("datePublished")),
        modified=_date(data.get("dateModified")),
        has_image=any(_is_image(one) for one in _listed(data.get("image"))),
    )


def _author(value: object, *, named: Mapping[str, Mapping[str, Any]]) -> StructuredAuthor:
    if not isinstance(value, dict):
        return StructuredAuthor(name=_text(value), type="")
    reference = value.get("@id")
    # An author may be told of once and then be referred to.
    whole = {**named.get(reference, {}), **value} if isinstance(reference, str) else value
    return StructuredAuthor(name=_text(whole.get("name")), type=next(iter(_types(whole)), ""))


def _is_article(data: Mapping[str, Any]) -> bool:
    # NewsArticle, TechArticle and LiveBlogPosting are kinds of the two.
    return any(one.endswith(("Article", "BlogPosting")) for one in _types(data))


def _types(data: Mapping[str, Any]) -> list[str]:
    return [text for one in _listed(data.get("@type")) if (text := _text(one))]


def _is_image(value: object) -> bool:
    if isinstance(value, dict):
        return any(_text(value.get(key)) for key in ("url", "contentUrl", "@id"))
    return bool(_text(value))


def _date(value: object) -> str | None:
    return None if value is None or value == "" else _text(value)


def _listed(value: object) -> Sequence[object]:
    if value is None:
        return ()
    return value if isinstance(value, list) else (value,)


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""
