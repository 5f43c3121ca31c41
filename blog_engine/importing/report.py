"""The report of an import: a JSON file, and beside it a page for people."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import islice
from typing import IO, Any, Final

from django.template.loader import render_to_string

from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.content.urls import is_safe_link
from blog_engine.importing.old_blog import OldBlog, is_web
from blog_engine.importing.report_files import FORMAT, Ending, ReportFiles
from blog_engine.importing.source import LossKind, Source
from blog_engine.importing.spool import GUESSED, OUTSIDE, PICTURED, REDIRECTED, Spool, SpooledResult
from blog_engine.importing.writer import PostResult
from blog_engine.queries.redirects import REDIRECT_MIDDLEWARE, serves_redirects_outside_blog

_BATCH: Final = 50
_TEMPLATES: Final = "blog_engine_import"

_KINDS: Final = {
    LossKind.WITHHELD: "Posts that are drafts here, because they were not public there",
    LossKind.NOT_IMPORTED: "Not imported",
    LossKind.SKIPPED: "Posts that could not be stored",
    LossKind.KEPT: "Posts that changed here and were left alone",
    LossKind.CATEGORY: "Further categories, which are tags now",
    LossKind.AUTHOR: "Further authors",
    LossKind.SLUG: "Slugs that are different here",
    LossKind.REDIRECT: "Former URLs without a redirect",
    LossKind.URL: "Former URLs that were guessed, or that the built site does not have",
    LossKind.DATE: "Dates",
    LossKind.IMAGE: "Images that are missing",
    LossKind.GALLERY: "Galleries",
    LossKind.FILE: "Files that stay at the old blog",
    LossKind.EMBED: "Embedded content",
    LossKind.SHORTCODE: "Shortcodes",
    LossKind.BLOCK: "Unknown blocks and cards",
    LossKind.HTML: "HTML that readers will not see",
    LossKind.LINK: "Links to parts of the old blog that were not imported",
    LossKind.COMMENTS: "Comments",
    LossKind.FIELD: "Values without a place here",
    LossKind.DUPLICATE: "Entries that the source has several times",
    LossKind.CHARACTER: "Characters that no text can contain",
}


@dataclass(frozen=True, slots=True)
class RunFacts:
    """Facts about the run as a whole."""

    ending: Ending
    message: str
    """Why it ended before its end; empty if it did not."""
    system: str
    path: str
    source: Source | None
    """``None`` if it could not be opened."""
    dry_run: bool
    started_at: datetime
    ended_at: datetime
    unreadable: int = 0
    """Files that may be posts and cannot be read."""


def write_report(files: ReportFiles, facts: RunFacts, spool: Spool) -> str:
    """Write both files of a report, and return its summary in one line.

    Memory does not depend on the number of posts.
    """
    head = _head(facts, spool)
    with files.path.open("w", encoding="utf-8", errors="backslashreplace") as file:
        _write_json(file, head, spool)
    with files.page.open("w", encoding="utf-8", errors="backslashreplace") as file:
        for part in _page(head, spool):
            file.write(part)
    return _line(head["summary"])


def _line(summary: Mapping[str, Any]) -> str:
    numbers = {result.value: summary[result.value] for result in PostResult}
    numbers |= {"unreadable": summary["unreadable"], "omitted": summary["omitted"] - summary["unreadable"]}
    counts = ", ".join(f"{number} {name}" for name, number in numbers.items() if number) or "No posts"
    losses = sum(summary["losses"].values())
    return f"{counts}. The report names {losses} things that did not come along as they were."


def _head(facts: RunFacts, spool: Spool) -> dict[str, Any]:
    source = facts.source
    return {
        "format": FORMAT,
        "ending": facts.ending.value,
        "message": facts.message,
        "dry_run": facts.dry_run,
        "source": {
            "system": facts.system,
            "path": facts.path,
            "blog": source.blog if source else None,
            "url": source.url if source else None,
        },
        "started_at": facts.started_at.isoformat(timespec="seconds"),
        "ended_at": facts.ended_at.isoformat(timespec="seconds"),
        "summary": _summary(spool),
        "next_steps": list(_next_steps(facts, spool)),
    }


def _summary(spool: Spool) -> dict[str, Any]:
    results = spool.count_by("status")
    return {
        "posts": spool.count_posts(),
        **{result.value: results.get(result.value, 0) for result in PostResult},
        "unreadable": spool.count_unreadable(),
        "omitted": spool.count_omitted(),
        "images": len(spool.notes(PICTURED)),
        "redirects": len(spool.notes(REDIRECTED)),
        "losses": spool.count_by("kind"),
    }


def _next_steps(facts: RunFacts, spool: Spool) -> Iterator[str]:
    again = "Run the same command again"
    match facts.ending:
        case Ending.REFUSED:
            yield f"Nothing was stored. Correct the source and then: {again[0].lower()}{again[1:]}."
            return
        case Ending.INTERRUPTED | Ending.FAILED:
            yield f"{again}: it leaves alone what is stored already, and goes on with the rest."
        case Ending.FINISHED if facts.dry_run:
            yield "This was a dry run: nothing was stored. Run the command without DRY_RUN to import the blog."
    outside = len(spool.notes(OUTSIDE))
    if outside and not serves_redirects_outside_blog():
        yield (
            f"{outside} former paths are outside of the blog. They redirect once MIDDLEWARE has this line, after "
            f'SecurityMiddleware and before CommonMiddleware: "{REDIRECT_MIDDLEWARE}",'
        )
    old, new = OldBlog(facts.source.url if facts.source else None), OldBlog(get_settings().public_base_url)
    if old.host and old.host != new.host and len(spool.notes(REDIRECTED)):
        yield f"The former URLs are at {old.host}: let that host lead here, so that their redirects are found."
    for reason, number in spool.notes(GUESSED).items():
        yield f"{number} former URLs were guessed ({reason}): compare some of them with the old blog."
    unreadable = spool.count_unreadable()
    if unreadable:
        yield f"{unreadable} files cannot be read and were left out: correct them, and run this again."
    losses = spool.count_by("kind")
    for kind, advice in _ADVICE.items():
        if kind.value in losses:
            yield advice


_ADVICE: Final = {
    LossKind.WITHHELD: "Look at the posts that became drafts, because they were not public in the old blog.",
    LossKind.SKIPPED: "Change the posts that could not be stored in the old blog, export it again, and run this again.",
    LossKind.URL: (
        "Compare the former URLs with the old blog: send VERIFY=<folder of the built site>, such as public or _site, "
        "and run this again."
    ),
    LossKind.IMAGE: "Send MEDIA=<folder with the images> for the images that are missing, and run this again.",
}


def _write_json(file: IO[str], head: Mapping[str, Any], spool: Spool) -> None:
    """Write the report as one JSON object, a post for each line."""
    start = json.dumps(head, ensure_ascii=False, indent=1)
    file.write(start.removesuffix("\n}"))
    lists: dict[str, Iterable[Any]] = {
        "redirects_outside": spool.notes(OUTSIDE),
        "posts": map(_row, spool.results()),
        "omitted": map(asdict, spool.omitted()),
    }
    for name, rows in lists.items():
        file.write(f',\n "{name}": [')
        for number, row in enumerate(rows):
            file.write(f"{',' if number else ''}\n  {json.dumps(row, ensure_ascii=False)}")
        file.write("\n ]")
    file.write("\n}\n")


def _row(found: SpooledResult) -> dict[str, Any]:
    post, written = found.post, found.result
    is_here = written is not None and found.status != PostResult.SKIPPED
    return {
        "source_id": post.source_id,
        "title": post.title,
        "where": post.where,
        "status": post.status.value,
        "result": found.status or "not_reached",
        "old_url": post.url,
        "old_url_guess": post.url_guess or None,
        "new_url": BlogURLs.on(get_settings().public_base_url or "").post_url(written.slug) if is_here else None,
        "redirects": list(written.old_paths) if is_here else [],
        "losses": [{"kind": loss.kind.value, "message": loss.message, "line": loss.line} for loss in found.losses],
    }


def _page(head: Mapping[str, Any], spool: Spool) -> Iterator[str]:
    """Yield the parts of the page."""
    counts = head["summary"]["losses"]
    kinds = [(kind, _KINDS[kind], counts[kind.value]) for kind in LossKind if kind.value in counts]
    results = [(name, number) for name, number in head["summary"].items() if name != "losses"]
    context = {"head": head, "kinds": kinds, "results": results, "outside": spool.notes(OUTSIDE)}
    yield render_to_string(f"{_TEMPLATES}/start.html", context)
    for kind, title, _ in kinds:
        yield from _table("losses", map(_shown_loss, spool.losses(kind)), id=kind.value, title=title)
    if spool.count_omitted():
        yield from _table("omitted", spool.omitted(), id="omitted", title="Not imported at all")
    yield from _table("posts", map(_shown_row, spool.results()), id="posts", title="All posts")
    yield render_to_string(f"{_TEMPLATES}/end.html")


def _table(name: str, rows: Iterable[Any], **context: str) -> Iterator[str]:
    yield render_to_string(f"{_TEMPLATES}/{name}.html", {"part": "start", **context})
    left = iter(rows)
    while batch := list(islice(left, _BATCH)):
        yield render_to_string(f"{_TEMPLATES}/{name}.html", {"part": "rows", "rows": batch})
    yield render_to_string(f"{_TEMPLATES}/{name}.html", {"part": "end"})


def _shown_row(found: SpooledResult) -> dict[str, Any]:
    row = _row(found)
    url = row["old_url"]
    # It comes from the source: browsers must be able to open it.
    return row | {"old_link": url if url and is_web(url) and is_safe_link(url) else None}


def _shown_loss(found: tuple[Any, Any]) -> dict[str, Any]:
    post, loss = found
    return {"title": post.title, "where": post.where, "message": loss.message, "line": loss.line}
