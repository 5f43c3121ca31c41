"""A blog with every kind of row, what it stores, and what its readers and clients get."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import time_machine
from django.apps import apps
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.test import Client, override_settings

from blog_engine import services
from blog_engine.blog_urls import BlogURLs
from blog_engine.enums import FeedFormat
from blog_engine.exporting.export import ExportProgress, export_blog
from blog_engine.exporting.tables import LEFT_OUT
from blog_engine.exporting.wordpress import export_for_wordpress
from blog_engine.inputs.base import parse
from blog_engine.inputs.conversation import AddRemark, AnswerRemark
from blog_engine.inputs.images import UpdateImage
from blog_engine.inputs.posts import PostRef
from blog_engine.inputs.records import SavePage, SaveRedirect
from blog_engine.models import Author, Checkpoint, Image, PageView, Post, Redirect
from blog_engine.queries.listings import SUBJECTS, public_posts, sitemap_list_pages
from blog_engine.queries.policies import served_pages
from blog_engine.services.tokens import create_token
from tests.support.blogs import make_blog, small_blog
from tests.support.clients import make_secret
from tests.support.factories import (
    BODY,
    EDITOR,
    LATER,
    NOW,
    WHOLE,
    adopt,
    apply,
    approve,
    propose,
    reject,
    remove,
    save,
    store_image,
    unpublish,
    update,
)
from tests.support.hosts import blog_settings
from tests.support.images import plain
from tests.support.styles import write_style

_COPY = re.compile(r"-w[0-9]+-")
_ORIGINS = Path(__file__).parents[1] / "images" / "origins"
MOMENT = datetime(2026, 11, 23, 12, 0, tzinfo=UTC)
AFTERWARDS = datetime(2026, 11, 23, 12, 30, tzinfo=UTC)
SETTINGS: dict[str, Any] = {
    "api_rate_limit": "10000/m",
    "body_formats": ["markdown", "rich_text"],
    "feed_content": "full",
    "image_delivery": "proxy",
}

HOSTILE_TEXT = """Shortcodes: {{< figure src="x" >}} and {{% open and `{{< in code` and {{{<
{{< /closed >}} {{- .Site -}} and {{ .Title }}. Then ]]> and \\[gallery ids="1"] and [[x]]

    {{< in a block

<script>alert("raw")</script> --- +++ \x7f and \u2028 and 🌿 é

```html
<b>{{% shortcode %}}</b>
```
"""
RICH_MARKDOWN = r"""Formulas: $x_2*y$ and $z*w$, a set $\{x\}$, $a\\b$, and $p<q>r$. A price of $5 or *6* $.

$$
\begin{aligned}
a_1 &= b \\
c_2 &= d*e*f
\end{aligned}
$$

<details open>
<summary>What is *inside*</summary>

Press <kbd>Ctrl</kbd> and ==read== <mark>this</mark>.

```python {2}
first = 1
second = 2
```

</details>

Silt
: What a river leaves.
: It is fine.

## Fences

```python{2,4-6}
print(1)
```

~~~python title="a.py" {2} linenos
print(1)
print("two")
~~~

> ```{r, echo=FALSE}
> plot(x)
> ```

- ````markdown title='it is "quoted"' showLineNumbers
  ```python {2}
  ```
  ````

A note[^1], a [link](/blog/stone "Stone") and [another](https://other.example/).

[^1]: At the *end*, with code:

    ```js {1}
    let a = 1
    ```

> [!TIP]
> Look.

- [x] done
"""
HOSTILE_TITLE = 'A "title": {{< x >}} # \\ \u2028 \u2013 [é] 🌿\x85 <b>&amp;</b> ]]> ---'
LONG_NAME = "ж" * 200 + ".png"


@dataclass
class Original:
    """An exported blog."""

    folder: Path
    """Its export."""
    again: Path
    """Another one, made later."""
    zip: Path
    tar: Path
    wordpress: Path
    """The export for WordPress."""
    secret: str
    """The secret of a token, which is nowhere in the exports."""
    rows: dict[str, list[dict[str, Any]]]
    answers: dict[str, Any]
    """What readers and clients get, by path: status, target of a redirect, body."""
    pages: dict[str, bytes]
    """The bodies of all pages and documents that readers open, by path."""
    files: dict[str, bytes]
    """The stored files by name."""


def blog_options() -> dict[str, Any]:
    """Return the settings of the blog."""
    return blog_settings(**SETTINGS)


def fill() -> None:
    """Write every kind of row through the services."""
    small_blog()
    make_blog()
    adopt(
        WHOLE
        | {"source_id": "whole", "slug": "whole-ferry", "external_id": "whole", "feed_id": "https://old.example/?p=9"}
    )
    rich = '<h2>Raw</h2><p onclick="x()">Words {{< x >}} and <a href="/blog/stone">a link</a></p><script>no()</script>'
    save(title="Rich text", slug="rich", body=rich, body_format="rich_text", publish=True)
    tricky = save(title=HOSTILE_TITLE, slug="tricky", body=HOSTILE_TEXT, tags=["C++", "C#"], publish=True).post
    update(tricky, slug="tricky-2", change="maintenance")
    save(title="Rich Markdown", slug="rich-markdown", body=RICH_MARKDOWN, publish=True)
    unpublish(save(title="Taken back", body="Oops.", publish=True).post)
    remove(save(title="Leads away", publish=True).post, redirect_to="https://elsewhere.example/a?b=c")
    ahead = save(title="Asked", body="Please read.").post
    about = {"id": str(ahead.pk)}
    said = services.add_remark(AddRemark(**about, text="Why?"), actor=EDITOR, now=NOW).remark
    assert said is not None
    services.answer_remark(AnswerRemark(**about, remark=said.pk, text="So."), actor=EDITOR, now=NOW)
    services.request_review(PostRef(id=str(ahead.pk)), actor=EDITOR, now=NOW)
    approve(save(title="Half checked").post, facts_checked=False)
    garden = save(title="Garden", slug="garden", body="Leaves.", publish=True).post
    save(title="Garten", body="Blätter.", language="de-AT", translation_of=garden.pk, publish=True)
    save(title="حديقة", slug="hadiqa", body="أوراق", language="ar", translation_of=garden.pk, publish=True)
    save(title="Jardin", body="Feuilles.", language="fr", translation_of=garden.pk)
    save(title="Alone in Polish", body="Liście.", language="pl", publish=True)
    asked = save(title="Asked to change", body=BODY, publish=True).post
    apply(propose(asked))
    reject(propose(asked, title="Other", tags=["C++"], change="maintenance"))
    propose(asked, description="Still open.", change="maintenance")
    avatar = default_storage.save("blog_engine/avatars/mina.png", ContentFile(plain(size=(9, 9))))
    Author.objects.filter(name="Mina Holt").update(avatar_file=avatar, host_reference="user 7")
    store_image(plain(color="red"), filename="grün & 100% #1.png")
    by_ai = store_image((_ORIGINS / "ai.jpg").read_bytes(), filename="ai.jpg")
    unmarked = UpdateImage(id=by_ai.pk, credit="Rosa", digital_source_type="humanEdits")
    services.update_image(unmarked, actor=EDITOR, now=NOW)
    store_image(plain(color="blue"), filename=LONG_NAME)
    for old, new in {
        "/?p=17": "stone",
        "/alte-stra%C3%9Fe/": "stone",
        "/2019/05/old.html": "stone",
        "/gone/for/good": None,
        "/shop?a=1&b=%22x%22": "https://shop.example/$1?q=a%20b&c=é#c",
        "/Case/$1\"'\\;{}": "/about",
    }.items():
        services.add_redirect(parse(SaveRedirect, {"old_path": old, "new_path": new}), actor=EDITOR, now=NOW)
    page = {"kind": "editorial", "title": "A draft", "body": "Not yet."}
    services.save_page(parse(SavePage, page), actor=EDITOR, now=NOW)
    write_style(tone="Calm.", terms=[{"avoid": "login", "use": "sign in"}], least_words=3)
    # The posts are older than the rules.
    services.check_posts(now=LATER)
    services.make_checkpoint(now=NOW)
    services.make_checkpoint(now=LATER)
    PageView.objects.create(post=tricky, day=date(2026, 1, 2), views=17)


def stored_rows() -> dict[str, list[dict[str, Any]]]:
    """Return every row but tokens, permits and the content version, as Python has it."""
    names = {model.__name__: model for model in apps.get_app_config("blog_engine").get_models()}
    kept = [name for name in names if name not in LEFT_OUT or name == "SearchEntry"]
    return {name: list(names[name]._base_manager.order_by("pk").values()) for name in kept}


def page_paths() -> list[str]:
    """Return the paths of all pages and documents that readers can open."""
    urls = BlogURLs.on("https://example.com")
    posts = [urls.post_path(slug) for slug in public_posts().values_list("slug", flat=True)]
    lists = [
        urls.list_path(kind, slug)
        for kind, model in SUBJECTS.items()
        for slug in model._base_manager.order_by("pk").values_list("slug", flat=True)
    ]
    found = [page.path for page in sitemap_list_pages(urls)]
    found += [*posts, *(f"{path}{suffix}" for path in posts for suffix in (".md", ".html"))]
    found += [f"{path}.html" for path in lists]
    found += [urls.feed_path(format, of=path) for path in ["", *lists] for format in FeedFormat]
    found += [urls.policy_path(slug) for slug in served_pages().values_list("slug", flat=True)]
    found += [urls.media_path(image.sha256, image.filename) for image in Image.objects.order_by("pk")]
    numbers = Checkpoint.objects.order_by("number").values_list("number", flat=True)
    found += [f"{urls.prefix}/checkpoints/{number}" for number in [*numbers, *(["latest"] if numbers else [])]]
    return [*found, urls.search_path(), f"{urls.search_path()}.html", urls.search_json_path(), urls.sitemap_path()]


def answers() -> dict[str, Any]:
    """Return what readers and clients get, by path."""
    secret = make_secret()
    # Links to previews have the time in them.
    with time_machine.travel(MOMENT, tick=False):
        return _answers(Client(headers={"Authorization": f"Bearer {secret}"}))


def _answers(client: Client) -> dict[str, Any]:
    searches = [f"/blog/search.json?q={quote(words)}" for words in ("day book", "harbor", "ferry", "wek", "ж", "C++")]
    redirects = [path for path in Redirect.objects.values_list("old_path", flat=True) if path.startswith("/blog/")]
    found = {path: _answer(Client().get(path)) for path in [*page_paths(), *searches, *redirects]}
    api = ["posts?per_page=100", "categories", "tags", "authors", "series", "redirects", "pages"]
    ids = list(Post.objects.order_by("pk").values_list("pk", flat=True))
    api += [f"posts/{pk}{part}" for pk in ids for part in ("", "/records", "/views")]
    of_api = {path: _answer(client.get(f"/blog/api/v1/{path}")) for path in api}
    assert {path: status for path, (status, *_) in of_api.items() if status != 200} == {}
    return found | of_api


def _answer(response: Any) -> tuple[int, str, bytes]:
    body = b"".join(response.streaming_content) if response.streaming else response.content
    return response.status_code, response.get("Location", ""), body


def write(target: Path, *, now: datetime = MOMENT) -> ExportProgress:
    """Export the blog, and return the last progress."""
    return [ExportProgress(), *export_blog(target, now=now)][-1]


def make_original(folder: Path, fill: Callable[[], object] = fill) -> Original:
    """Fill the test database, export it and empty it again."""
    with override_settings(BLOG_ENGINE=blog_options(), MEDIA_ROOT=folder / "media"), transaction.atomic():
        fill()
        secret = create_token("Exporter", scopes=["read"], now=LATER).secret
        for name, now in {"one": MOMENT, "two": AFTERWARDS, "blog.zip": MOMENT, "blog.tar.gz": MOMENT}.items():
            write(folder / name, now=now)
        list(export_for_wordpress(folder / "blog.xml", now=MOMENT))
        rows, found, paths = stored_rows(), answers(), page_paths()
        assert {path: found[path][0] for path in paths if found[path][0] != 200} == {}
        original = Original(
            folder=folder / "one",
            again=folder / "two",
            zip=folder / "blog.zip",
            tar=folder / "blog.tar.gz",
            wordpress=folder / "blog.xml",
            secret=secret,
            rows=rows,
            answers=found,
            pages={path: found[path][2] for path in paths},
            files=files_in(Path(settings.MEDIA_ROOT)),
        )
        transaction.set_rollback(True)
    return original


def files_in(folder: Path) -> dict[str, bytes]:
    """Return the bytes of the files in a folder by their paths in it, without copies of images."""
    files = (file for file in folder.rglob("*") if file.is_file() and not _COPY.search(file.name))
    return {str(file.relative_to(folder)): file.read_bytes() for file in files}


def manifest_of(folder: Path) -> Any:
    """Return the manifest of an export."""
    return json.loads((folder / "manifest.json").read_text("utf-8"))
