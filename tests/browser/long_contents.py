"""A blog of long words: in every name, title and text there is one that no line has space for."""

from datetime import UTC, datetime, timedelta
from typing import Any

from blog_engine import services
from blog_engine.blog_urls import BlogURLs
from blog_engine.enums import ListKind
from blog_engine.inputs.base import parse
from blog_engine.inputs.images import ImageBytes, UploadImage
from blog_engine.inputs.records import CreateAuthor, SavePage
from blog_engine.queries.previews import preview_token
from tests.support.factories import EDITOR, remove, save, update
from tests.support.images import plain

WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft" + "s" * 34
_NAME = WORD[:90]
_URL = f"https://example.com/{'a-very-long-path/' * 8}?with={'y' * 90}"
_TEX = "$" + "+".join(["\\frac{\\alpha}{\\beta}", *("\\gamma\\delta",) * 20]) + "$"
_ROW = "| " + " | ".join(["w" * 30] * 8) + " |\n"
_BODY = f"""{WORD}

{_URL} and {_TEX}

## {WORD}

${_TEX}$

{_ROW}{"| - " * 8}|
{_ROW}
- {WORD}
- {_URL}

> {WORD}[^1]

[^1]: {WORD}

```py title="{WORD}.py"
{WORD} = "{_URL}"
```

`{WORD}`

## Two

> [!NOTE]
> {WORD}

## Three

End.
"""


def make() -> dict[str, str]:
    """Make all contents and return the path of a page of each template."""
    now = datetime.now(tz=UTC)
    upload = UploadImage(file=ImageBytes(data=plain(size=(1200, 800)), filename="cover.png", content_type="image/png"))
    cover = services.store_image(upload, actor=EDITOR, now=now)
    services.create_author(parse(CreateAuthor, {"name": _NAME, "bio": f"{WORD} {_URL}"}), actor=EDITOR, now=now)
    for kind in ("corrections", "ai_use"):
        page = parse(SavePage, {"kind": kind, "title": WORD, "body": _BODY, "status": "published"})
        services.save_page(page, actor=EDITOR, now=now)
    common: dict[str, Any] = {
        "category": _NAME,
        "series": _NAME,
        "author": _NAME,
        "tags": [_NAME],
        "connections": {
            "connections": [{"party": WORD, "relation": WORD}],
            "third_party_paid": True,
            "declared_by": "Mina Holt",
        },
        "made_by_ai": True,
        "provenance": "ai_assisted",
    }
    for number in range(5):
        pictured = {"cover_image": {"image_id": cover.pk}, "cover_alt": WORD} if number % 2 else {}
        save(
            slug=f"long-{number}",
            title=f"{WORD} {number}",
            description=f"{WORD} {_URL}" if number else "",
            body=_BODY,
            faq=[{"question": WORD, "answer": f"{WORD} {_URL}"}],
            publish=True,
            now=now - timedelta(days=9 - number),
            **common | pictured,
        )
    first = save(slug="changed", title=WORD, body=_BODY, publish=True, now=now - timedelta(days=3), **common).post
    update(first, body=f"{_BODY}\n{WORD}", change="correction", note=f"{WORD} {_URL}", now=now)
    save(
        slug="usual",
        title="Why the gauge at the steps was right all along",
        description="Two gauges, one clock that was fast, and what 52,560 readings say about a wall in winter.",
        body="It was right.\n\n## One\n\nFirst.\n\n## Two\n\nThen.\n\n## Three\n\nLast.",
        category="Harbour",
        connections={"connections": [], "third_party_paid": False, "declared_by": "Mina Holt"},
        made_by_ai=True,
        provenance="ai_assisted",
        cover_image={"image_id": cover.pk},
        cover_alt="A wall",
        publish=True,
        now=now - timedelta(days=2),
    )
    gone = save(title="Withdrawn", body="Nothing.", publish=True, now=now).post
    remove(gone, now=now)
    draft = save(title=f"{WORD} draft", body=_BODY, now=now, **common).post
    token = preview_token(draft, now=now)
    old, new = first.publications.order_by("id").values_list("revision__identifier", flat=True)
    assert token and first.category and first.series
    urls = BlogURLs.on("")
    records = {
        ListKind.CATEGORY: first.category,
        ListKind.TAG: first.tags.all()[0],
        ListKind.AUTHOR: first.author,
        ListKind.SERIES: first.series,
    }
    return (
        {kind.value: urls.list_path(kind, record.slug) for kind, record in records.items()}
        | {f"directory of {kind.value}": urls.directory_path(kind) for kind in ListKind}
        | {
            "index": urls.index_path(),
            "article": urls.post_path("long-3"),
            "article without a cover": urls.post_path("changed"),
            "usual": urls.post_path("usual"),
            "search": f"{urls.search_path()}?q={WORD[:40]}",
            "search_empty": f"{urls.search_path()}?q={'z' * 90}",
            "archive": urls.archive_path(),
            "archive_year": urls.archive_path(now.year),
            "feeds": urls.subscribe_path(),
            "policy": urls.policy_path("corrections"),
            "history": urls.history_path("changed"),
            "history_version": urls.version_path("changed", old),
            "history_changes": urls.changes_path("changed", old, new),
            "not_found": urls.post_path("nowhere"),
            "gone": urls.post_path(gone.slug),
            "preview": f"{urls.prefix}/preview/{token.token}",
        }
    )
