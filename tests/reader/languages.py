"""A blog without Latin letters, and catalogues of translations."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from django.utils.http import urlencode
from lxml import etree

from blog_engine.enums import PolicyKind
from blog_engine.models import Author, Category, PolicyPage, Post, Series, Tag
from blog_engine.queries.previews import preview_token
from tests.reader.conftest import TODAY
from tests.support.factories import approve, remove, save, update
from tests.support.hosts import blog_settings
from tests.support.pages import Element, Visitor, meta, text_of

BRANDS = {"X", "LinkedIn", "Atom", "JSON", "URL", "Feedly", "Inoreader", "NewsBlur"}
"""The only words that are the same in all languages."""

_BODY = """\
# 一番

本文[^1]と続き[^1]

[^1]: 注記

## 二番

> [!NOTE]
> 甲

> [!TIP]
> 乙

> [!IMPORTANT]
> 丙

> [!WARNING]
> 丁

> [!CAUTION]
> 戊

## 三番

| 甲 | 乙 |
| - | - |
| 1 | 2 |

```暗号
数 = 1
```

    数 = 2
"""

_CALL = {"title": "便り", "text": "読みます", "label": "送る", "url": "/letters"}
_NO_WORD = re.compile(r"https?://\S+|\[!\w+\]")
_MARKUP = re.compile(r"<[^>]*>")
_LATIN = re.compile(r"[A-Za-zÀ-ɏ]+")
_SPOKEN = {"aria-label", "alt", "title", "placeholder"}
_SILENT = {"script", "style", "code"}
_SAID_BY_FEEDS = ("title", "name", "summary", "content")
_READ_FROM_HEADS = ("description", "og:title", "og:description", "og:site_name")


def japanese_settings(**changes: Any) -> dict[str, Any]:
    """Return settings for such a blog: one post per page, every part shown."""
    return blog_settings(
        **{
            "site_name": "新聞",
            "blog_title": "記事帳",
            "publisher": {"name": "出版社"},
            "default_author": {"name": "花子"},
            "call_to_action": _CALL,
            "policy_urls": {},
            "posts_per_page": 1,
            "ai_label": "always",
            "popular_posts": {"enabled": True},
            "search_rate_limit": "5/m",
        }
        | changes
    )


def publish_everything() -> dict[str, int]:
    """Publish content for every kind of page and return their paths with statuses."""
    for kind in PolicyKind:
        slug = kind.value.replace("_", "-")
        PolicyPage.objects.create(kind=kind.value, slug=slug, title="方針", body=_BODY, status="published")
    whole = save(
        title="土地",
        slug="soil",
        description="要約",
        body=_BODY,
        category="庭園",
        tags=["根元"],
        series="連載",
        series_position=2,
        featured=True,
        faq=[{"question": "何故", "answer": "此故"}],
        provenance="ai_assisted",
        publish=True,
        connections={"connections": [], "third_party_paid": True, "declared_by": "花子"},
    ).post
    update(whole, body=_BODY + "\n終わり", change="correction", note="誤り")
    approve(Post.objects.get(pk=whole.pk))
    declared = {
        "connections": [{"party": "甲社", "relation": "出資"}],
        "third_party_paid": False,
        "declared_by": "花子",
    }
    for position, slug in ((1, "sand"), (3, "clay")):
        fields: dict[str, Any] = {"category": "庭園", "tags": ["根元"], "series": "連載", "series_position": position}
        save(title="砂地", slug=slug, body="砂の話", publish=True, connections=declared, **fields)
    remove(save(title="昔話", slug="gone", body="昔の話", publish=True).post)
    draft = save(title="下書", slug="draft", body="下書き").post
    Category.objects.create(name="空白", slug="empty")
    token = preview_token(draft, now=TODAY)
    assert token is not None
    return _paths(draft_token=token.token)


def _paths(*, draft_token: str) -> dict[str, int]:
    lists = [
        f"/category/{Category.objects.get(name='庭園').slug}",
        f"/tag/{Tag.objects.get().slug}",
        f"/author/{Author.objects.get().slug}",
        f"/series/{Series.objects.get().slug}",
    ]
    pages = [
        "/",
        "/?page=2",
        "/soil",
        "/sand",
        "/clay",
        "/category/empty",
        "/tag",
        "/subscribe",
        f"/preview/{draft_token}",
    ]
    policies = [f"/policies/{kind.value.replace('_', '-')}" for kind in PolicyKind]
    searched = ["", "砂", "砂" * 101, "砂地", "他国"]
    searches = [f"/search?{urlencode({'q': words})}" for words in searched]
    found = [*pages, *policies, *lists, *(f"{path}?page=2" for path in lists), *searches]
    return dict.fromkeys(found, 200) | {"/search": 429, "/gone": 410, "/none": 404, "/preview/x": 404}


def all_words(visitor: Visitor) -> dict[str, list[str]]:
    """Return the words of every page, text and feed by path."""
    pages = publish_everything()
    said = {path: words_of(visitor.page(path, status=status)) for path, status in pages.items()}
    said["/soil.md"] = [_NO_WORD.sub("", text_of(visitor.get("/soil.md")))]
    said["/feed.xml"] = _words_of_atom(text_of(visitor.get("/feed.xml")))
    return said


def words_of(page: Element) -> list[str]:
    """Return all texts of a page, those for screen readers included."""
    labels = [label for element in page.walk() for label in _labels_of(element)]
    return [" ".join(_texts_of(page)), *labels, *(meta(page, name) for name in _READ_FROM_HEADS)]


def _texts_of(element: Element) -> Iterator[str]:
    for child in element.children:
        if isinstance(child, str):
            yield from child.split()
        elif child.name not in _SILENT:
            yield from _texts_of(child)


def _labels_of(element: Element) -> Iterator[str]:
    for name, value in element.attrs.items():
        is_label = name.startswith("data-blog-") and "/" not in value
        if value and (name in _SPOKEN or is_label):
            yield value


def _words_of_atom(document: str) -> list[str]:
    elements = list(etree.fromstring(document.encode()).iter())
    said = [_MARKUP.sub("", element.text or "") for element in elements if element.tag.endswith(_SAID_BY_FEEDS)]
    return said + [element.attrib["label"] for element in elements if "label" in element.attrib]


def latin_words(text: str) -> set[str]:
    """Return the words in Latin letters."""
    return set(_LATIN.findall(text))


_LOCALE = Path(__file__).resolve().parents[2] / "blog_engine" / "locale"
_PLACE = re.compile(r"%\\\(\w+\\\)[sd]|\\\{\w+\\\}")
_TAG = re.compile(r"</?\w+>")
_MARKED = re.compile(r"«[^«»]*»")


def _catalogue(name: str) -> Catalog:
    with (_LOCALE / name / "LC_MESSAGES" / "django.po").open("rb") as file:
        return read_po(file, locale=name)


def _texts(one_or_more: str | Sequence[str] | None) -> Sequence[str]:
    return [one_or_more or ""] if isinstance(one_or_more, str | None) else one_or_more


def english_messages(name: str) -> re.Pattern[str]:
    """Return a pattern of the English texts that a catalogue such as ``zh_Hans`` translates, and has in no translation.

    A message without a translation is shown in English.
    """
    found, translations = list[str](), list[str]()
    for message in _catalogue(name):
        if message.id and all(_texts(message.string)):
            found += _texts(message.id)
            translations += _texts(message.string)
    said = "\n".join(translations)
    # Places and signs alone are no English.
    words = (_TAG.sub("", text) for text in found if re.search("[A-Za-z]", _PLACE.sub("", re.escape(text))))
    patterns = (rf"(?<!\w){_PLACE.sub('.+', re.escape(text))}(?!\w)" for text in words)
    return re.compile("|".join(pattern for pattern in patterns if not re.search(pattern, said)))


def marked_language(folder: Path, code: str) -> str:
    """Write a complete catalogue with every message in «» and return its folder."""
    made = Catalog(locale=code)
    for message in _catalogue("de"):
        if message.pluralizable:
            made.add(message.id, tuple(f"«{text}»" for text in message.id), context=message.context)
        elif message.id:
            made.add(message.id, f"«{message.id}»", context=message.context)
    return _compile(made, folder)


def unmarked(texts: list[str]) -> str:
    """Return the parts of the texts outside of «»."""
    text = " ".join(texts)
    while _MARKED.search(text):
        text = _MARKED.sub("", text)
    return text


def compile_language(folder: Path, code: str, words: Mapping[str, str]) -> str:
    """Write a host's catalogue of some messages and return its folder."""
    made = Catalog(locale=code)
    for message, translation in words.items():
        made.add(message, translation)
    return _compile(made, folder)


def _compile(catalogue: Catalog, folder: Path) -> str:
    compiled = folder / str(catalogue.locale) / "LC_MESSAGES" / "django.mo"
    compiled.parent.mkdir(parents=True)
    with compiled.open("wb") as file:
        write_mo(file, catalogue)
    return str(folder)
