"""A blog with every feature, and the path of every kind of page."""

from datetime import timedelta
from typing import Any

from django.utils import timezone

from blog_engine.inputs.base import parse
from blog_engine.inputs.records import SavePage
from blog_engine.management.sample import winter_garden
from blog_engine.models import Image, Post
from blog_engine.queries.previews import preview_token
from blog_engine.services import save_page
from tests.support.factories import EDITOR, LATER, NOW, make_author, remove, save, store_image, update
from tests.support.images import encoded, halves, plain

TITLE = "What the harbour wall knows of the winter"
FAQ = [
    {"question": "Which gauge is <b>right</b>?", "answer": "The one at the steps.\nThe other leaks.\n\nWe know."},
    {"question": "Who reads them?", "answer": "See https://example.org/tide_(gauge)?a=1&b=2 for the names."},
]
DECLARED = {
    "connections": [{"party": "Ferries & Sons", "relation": "paid for <two> of eight crossings"}],
    "third_party_paid": True,
    "declared_by": "Ines Editor",
}
STATUSES = {"expired preview": 404, "not found": 404, "gone": 410}
"""Of the pages that ``make_blog`` names; of all others 200."""
CALL = {"title": "Write to us", "text": "We read everything.", "label": "Write", "url": "/letters"}

_TEXT = """Before the first heading, with *words*, **words**, ~~words~~, `code`, a line\\
that breaks, [a link](stone), [another](https://example.org/a?b=1&c=2 "with a title") and <https://example.org>.[^one]

# Not the title

## Measuring

![A quay](/blog/media/{image}/quay.png "What *stands* under it.")

![](/blog/media/{small}/small.png)

### Gauges

- one
    - in one
- [x] done
- [ ] not done

3. three
4. four

## Measuring

| Left | Right | Middle | None |
| :--- | ---: | :---: | --- |
| a | 1 | b | `c|d` |

```python
def height(at):
    return 2 * at  # metres
```

```nobody-knows-this
plain
```

    indented

```
<script>alert("&amp;")</script>
```

> A quotation
>
> > in a quotation.

### Three

#### Four

##### Five

###### Six

---

> [!NOTE]
> Of note.

> [!WARNING]
> Of *warning*.

Again.[^one] And more.[^two]

[^one]: The first, with `code`.
[^two]: The second.

    In two paragraphs.
"""


def text_with(image: Image, small: Image) -> str:
    """Return Markdown with everything that the renderer supports."""
    return _TEXT.replace("{image}", image.sha256).replace("{small}", small.sha256)


def make_blog() -> dict[str, str]:
    """Publish a blog with every feature and return the paths of its pages by name."""
    cover, small = (
        store_image(winter_garden(), filename="quay.png"),
        store_image(plain(size=(200, 100)), filename="small.png"),
    )
    avatar = store_image(encoded(halves(size=(300, 300)), "PNG"), filename="face.png")
    profiles = ["https://example.org/@rosa", "https://example.com/people/rosa?x=1&y=2"]
    make_author(name="Rosa Quay", bio="Keeps the <day book>.", profile_urls=profiles, avatar={"image_id": avatar.pk})
    text = text_with(cover, small)
    article = _make_article(cover, text=text)
    _make_others(cover)
    draft = save(title="A draft", body=text, faq=FAQ, category="Garden", cover_image={"image_id": cover.pk}).post
    gone = save(title="Withdrawn", publish=True).post
    remove(gone)
    sent = {"title": "How we use AI", "body": text, "status": "published"}
    save_page(parse(SavePage, sent, fixed={"kind": "ai_use"}), actor=EDITOR, now=NOW)
    return _paths(article, draft=draft, gone=gone)


def _make_article(cover: Image, *, text: str) -> Post:
    article = save(
        title=TITLE,
        slug="wall",
        description="Two gauges, one clock that was fast, and what 52,560 readings say about a wall.",
        body=text,
        category="Harbour & sea",
        tags=["tides", "Ärger", "a & b"],
        series="A year at the wall",
        series_position=2,
        author="Rosa Quay",
        faq=FAQ,
        cover_image={"image_id": cover.pk},
        cover_alt='A "wall"',
        provenance="ai_assisted",
        made_by_ai=True,
        connections=DECLARED,
        publish=True,
    ).post
    note = "It was 4.31 m.\nWe had <written> 4.13 m.\n\nTwice."
    return update(article, title=f"{TITLE}, and of the spring", change="correction", note=note, now=LATER).post


def _make_others(cover: Image) -> None:
    common: dict[str, Any] = {"category": "Harbour & sea", "publish": True}
    save(title="Before it", series="A year at the wall", series_position=1, tags=["tides"], **common)
    save(title="After it", series="A year at the wall", series_position=3, description="What <came>.", **common)
    save(title="Stone", slug="stone", publish=True)
    save(title="Old hands", slug="foreword", featured=True, cover_image={"image_id": cover.pk}, publish=True)
    for week in range(12):
        fields = {"cover_image": {"image_id": cover.pk}, "cover_alt": "A wall"} if week % 2 else {}
        title = f"Week {week}: what the day book says, and what it leaves out"
        save(title=title, description="Seven days in seven lines. " * (week % 4), tags=["tides"], **common, **fields)


def _paths(article: Post, *, draft: Post, gone: Post) -> dict[str, str]:
    token = preview_token(draft, now=timezone.now())
    stale = preview_token(draft, now=timezone.now() - timedelta(days=365))
    assert token and stale and article.category and article.series
    return {
        "index": "/",
        "index, page 2": "/?page=2",
        "article": "/wall",
        "article without anything": "/stone",
        "category": f"/category/{article.category.slug}",
        "category, page 2": f"/category/{article.category.slug}?page=2",
        "tag": "/tag/tides",
        "author": f"/author/{article.author.slug}",
        "series": f"/series/{article.series.slug}",
        "search": "/search?q=day+book",
        "search, page 2": "/search?q=we&page=2",
        "search without results": "/search?q=%3Ci%3E%22zeppelin%22",
        "search without words": "/search",
        "preview": f"/preview/{token.token}",
        "expired preview": f"/preview/{stale.token}",
        "policy": "/policies/ai-use",
        "not found": "/nowhere",
        "gone": f"/{gone.slug}",
    }
