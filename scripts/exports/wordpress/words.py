"""Saves the visible words of each published post of the running WordPress, with which a test compares ours.

    PYTHONPATH=. python scripts/exports/wordpress/words.py EXPORT.xml WORDS.json [PAGES]

EXPORT.xml is the export that make wrote; WordPress answers on port 8085. With PAGES, the HTML of each page is kept in
that folder.
"""

import json
import re
import sys
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

from tests.importing.wordpress.visible import visible_words

_PUBLISHED = ("<wp:status><![CDATA[publish]]>", "<wp:post_type><![CDATA[post]]>", "<wp:post_password><![CDATA[]]>")
_CONTENT = re.compile(r'<div class="[^"]*wp-block-post-content[^>]*>')
_DIV = re.compile(r"<(/?)div\b")


def save_words(export: Path, words: Path, pages: Path | None) -> None:
    """Write the words of the posts of an export, by their ids."""
    found = {}
    for item in export.read_text("utf-8").split("<item>")[1:]:
        if all(mark in item for mark in _PUBLISHED):
            link, identifier = (re.search(f"<{tag}>(.*?)</{tag}>", item)[1] for tag in ("link", "wp:post_id"))
            numbers = range(1, item.count("<!--nextpage-->") + 2)
            urls = [link + (f"{number}/" if number > 1 else "") for number in numbers]
            html = [fetch(url) for url in urls]
            found[identifier] = " ".join(visible_words(content_of(page)) for page in html)
            if pages:
                pages.mkdir(parents=True, exist_ok=True)
                (pages / f"{identifier}.html").write_text("\n".join(html), "utf-8")
    words.write_text(json.dumps(found, indent=1, ensure_ascii=False, sort_keys=True) + "\n", "utf-8")


def fetch(url: str) -> str:
    """Return the page of a URL, from the WordPress on this machine."""
    parts = urlsplit(url)
    connection = HTTPConnection("127.0.0.1", 8085)
    connection.request("GET", parts.path, headers={"Host": parts.netloc})
    return connection.getresponse().read().decode()


def content_of(html: str) -> str:
    """Return the content of the post on a page."""
    start = position = _CONTENT.search(html).end()
    depth = 1
    while depth:
        found = _DIV.search(html, position)
        depth += -1 if found[1] else 1
        position = found.end()
    return html[start : found.start()]


save_words(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]) if len(sys.argv) > 3 else None)
