"""Whole blogs: one with every kind of content, a small one for tools, many posts, and a first day."""

import base64
import hashlib
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db.models import QuerySet
from django.utils import timezone

from blog_engine import services
from blog_engine.enums import PostStatus
from blog_engine.inputs.base import parse
from blog_engine.inputs.images import ImageBytes, UploadImage
from blog_engine.inputs.records import SavePage, SaveRedirect
from blog_engine.management.sample import winter_garden
from blog_engine.models import Faq, Image, PageView, Post, PostTag, Revision
from blog_engine.models.image import set_origin
from blog_engine.queries.previews import preview_token
from blog_engine.services import save_page
from tests.support.databases import align_ids, replayed
from tests.support.factories import (
    EDITOR,
    LATER,
    NOW,
    adopt,
    approve,
    declare,
    make_author,
    make_category,
    make_series,
    publish,
    remove,
    save,
    store_image,
    update,
)
from tests.support.images import encoded, halves, plain, png

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
    set_origin(cover, credit="Rosa Quay & Co", digital_source_type="compositeWithTrainedAlgorithmicMedia")
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
    versions = list(article.publications.values_list("revision__identifier", flat=True))
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
        "archive": "/archive",
        "archive, a year": f"/archive/{NOW.year}",
        "archive, a month": f"/archive/{NOW.year}/{NOW.month:02}",
        "categories": "/category",
        "tags": "/tag",
        "authors": "/author",
        "all series": "/series",
        "feeds": "/subscribe",
        "search": "/search?q=day+book",
        "search, page 2": "/search?q=we&page=2",
        "search without results": "/search?q=%3Ci%3E%22zeppelin%22",
        "search without words": "/search",
        "history": "/wall/history",
        "version": f"/wall/history/{versions[0]}",
        "changes": f"/wall/history/{versions[0]}/{versions[1]}",
        "preview": f"/preview/{token.token}",
        "expired preview": f"/preview/{stale.token}",
        "policy": "/policies/ai-use",
        "not found": "/nowhere",
        "gone": f"/{gone.slug}",
    }


def publish_crowd(count: int, *, like: Post, start: int = 0) -> None:
    """Insert published posts with the author, category, tags and FAQ of another one."""
    posts = QuerySet(Post).bulk_create(_copy(like, number=number) for number in range(start, start + count))
    revisions = [
        Revision(post=post, identifier=post.current_revision_identifier, payload="{}", created_at=NOW) for post in posts
    ]
    Revision.objects.bulk_create(revisions)
    for post, revision in zip(posts, revisions, strict=True):
        post.status, post.public_revision = PostStatus.PUBLISHED.value, revision
    QuerySet(Post).bulk_update(posts, ["status", "public_revision"], batch_size=200)
    tags = list(like.tags.all())
    PostTag.objects.bulk_create(PostTag(post=post, tag=tag) for post in posts for tag in tags)
    QuerySet(Faq).bulk_create(Faq(post=post, position=1, question="Q?", answer="A.") for post in posts)
    services.recount_lists()


def _copy(like: Post, *, number: int) -> Post:
    moment = NOW - timedelta(minutes=number + 1)
    return Post(
        slug=f"crowd-{number}",
        title=f"Crowd {number}",
        indexed_title=f"crowd {number}",
        body="Text.",
        body_html="<p>Text.</p>",
        rendered_with=like.rendered_with,
        author=like.author,
        author_name=like.author_name,
        category=like.category,
        series=like.series,
        cover_image=like.cover_image,
        published_at=moment,
        modified_at=moment,
        listed_at=moment,
        current_revision_identifier=hashlib.sha256(str(number).encode()).hexdigest(),
    )


TODAY = LATER + timedelta(hours=2)
"""The time of the calls."""
TOMORROW = (TODAY + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
REVIEW = {"name": "Rosa Reviewer", "facts_checked": True}
CONNECTIONS: dict[str, Any] = {
    "connections": [{"party": "Northern Ropeworks", "relation": "gave us a rope"}],
    "third_party_paid": False,
    "declared_by": "Mina Holt",
}
PNG = base64.b64encode(png("red")).decode()
OF_TIDE = "the revision of tide"
OF_HARBOUR = "the revision of harbour"
"""Placeholders for identifiers, which ``named`` replaces."""
UPLOAD = {"base64": PNG, "filename": "quay wall.png", "content_type": "image/png"}


def small_blog() -> None:
    """Fill an empty database.

    Posts: ``tide`` and ``fog`` (drafts, the latter without a history), ``regatta`` (scheduled), ``harbour`` (public, in
    all lists, reviewed and read), ``wreck`` (archived), ``night-ferry`` (adopted), ``day-ferry`` (adopted, then
    changed). Category, author, series, image and redirect have the id 1.
    """
    align_ids()
    make_category(name="Garden")
    make_author(name="Mina Holt")
    make_series(name="Tides")
    file = ImageBytes(data=png(), filename="quay.png", content_type="image/png")
    services.store_image(UploadImage(file=file), actor=EDITOR, now=NOW)
    redirect = parse(SaveRedirect, {"old_path": "/old", "new_path": "/new"})
    services.add_redirect(redirect, actor=EDITOR, now=NOW)
    page = {"kind": "corrections", "title": "Corrections", "body": "We correct.", "status": "published"}
    services.save_page(parse(SavePage, page), actor=EDITOR, now=NOW)
    approve(save(title="Tide tables", slug="tide", external_id="tide-1", body="High at noon.").post)
    save(title="Fog", slug="fog", now=LATER)
    _harbour()
    regatta = save(title="Regatta", slug="regatta", body="Ten boats.", now=LATER).post
    publish(regatta, publish_at=TOMORROW)
    remove(save(title="Wreck", slug="wreck", body="It sank.", publish=True).post, redirect_to="harbour")
    adopt()
    day_ferry = adopt(source_id="18", slug="day-ferry", title="The day ferry").post
    update(day_ferry, body="It leaves at noon.", change="substantive")


def _harbour() -> None:
    post = save(
        title="Harbour",
        slug="harbour",
        body="## Ropes\n\nFour ropes hung over the quay.",
        author="Mina Holt",
        category="Garden",
        tags=["Ropes", "Winter"],
        series="Tides",
        series_position=1,
        cover_image={"image_id": 1},
        faq=[{"question": "Which rope lasted?", "answer": "The tarred one."}],
        provenance="ai_assisted",
    ).post
    approve(post)
    publish(post)
    declare(post)
    for days, views in ((0, 3), (1, 5), (40, 7)):
        PageView.objects.create(post_id=post.pk, day=TODAY.date() - timedelta(days=days), views=views)


def named(value: Any) -> Any:
    """Return the value with the identifiers for ``OF_TIDE`` and ``OF_HARBOUR``, at any depth."""
    if isinstance(value, dict):
        return {name: named(inner) for name, inner in value.items()}
    slug = {OF_TIDE: "tide", OF_HARBOUR: "harbour"}.get(value) if isinstance(value, str) else None
    return Post.objects.get(slug=slug).current_revision_identifier if slug else value


replayed_small_blog = replayed(small_blog)


@pytest.fixture
def small(db: None, own_images: None) -> Iterator[None]:
    """The small blog, at a fixed time."""
    replayed_small_blog()
    with time_machine.travel(TODAY, tick=False):
        yield
