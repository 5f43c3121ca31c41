"""The report of an import: a JSON file, and beside it a page for people."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import islice
from typing import IO, Any, Final, NamedTuple

from django.template.loader import render_to_string

from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.content.urls import is_safe_link
from blog_engine.importing.images import ABSENT
from blog_engine.importing.loss_groups import KINDS, LossArea
from blog_engine.importing.old_blog import OldBlog, is_web
from blog_engine.importing.report_files import FORMAT, Ending, ReportFiles
from blog_engine.importing.source import LossKind, Source
from blog_engine.importing.spool import (
    GUESSED,
    OUTSIDE,
    PICTURED,
    REDIRECTED,
    LossGroup,
    OmittedGroup,
    Spool,
    SpooledResult,
)
from blog_engine.importing.writer import PostResult
from blog_engine.queries.redirects import REDIRECT_MIDDLEWARE, serves_redirects_outside_blog

_TEMPLATES: Final = "blog_engine_import"

_MOST_GROUPS: Final = 12
"""Groups of losses of one kind in the page."""
_MOST_POSTS: Final = 200
_MOST_CHARACTERS: Final = {"losses": 150_000, "omitted": 20_000, "posts": 100_000}
"""Characters of the parts of the page, which is below 300 kB however long the texts of the source are."""
_LONGEST_TEXT: Final = 160
_LONGEST_LINK: Final = 400
_MOST_PRINTED: Final = 10
_NOT_HERE: Final = (PostResult.SKIPPED.value, PostResult.KEPT.value)


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
    verdict: str = ""
    """Whether to publish, once the report is written."""


class ReportSummary(NamedTuple):
    """The report in a few lines."""

    lines: list[str]
    """The numbers of posts by result, and the most frequent losses."""
    verdict: str
    """Whether the posts can be published as they are, with the reasons."""


def write_report(files: ReportFiles, facts: RunFacts, spool: Spool) -> ReportSummary:
    """Write both files of a report, and return its summary.

    Memory does not depend on the number of posts.
    """
    head = _head(facts, spool)
    with files.path.open("w", encoding="utf-8", errors="backslashreplace") as file:
        _write_json(file, head, spool)
    with files.page.open("w", encoding="utf-8", errors="backslashreplace") as file:
        for part in _page(head, spool, files.path.name):
            file.write(part)
    return ReportSummary([_line(head["summary"]), *_most_frequent(spool)], head["verdict"]["message"])


def _line(summary: Mapping[str, Any]) -> str:
    numbers = {result.value: summary[result.value] for result in PostResult}
    numbers |= {"unreadable": summary["unreadable"], "omitted": summary["omitted"] - summary["unreadable"]}
    counts = ", ".join(f"{number} {name}" for name, number in numbers.items() if number) or "No posts"
    losses = sum(summary["losses"].values())
    return f"{counts}. The report names {losses} things that did not come along as they were."


def _most_frequent(spool: Spool) -> Iterator[str]:
    groups = list(islice(spool.loss_groups(), _MOST_PRINTED))
    if groups:
        yield "The most frequent:"
    for group in groups:
        yield f"{group.count:>7} {group.kind.value}: {_cut(group.examples[0].message)}"


def _verdict(facts: RunFacts, spool: Spool) -> dict[str, Any]:
    """Return whether the imported posts can be published as they are, with the reasons."""
    if facts.ending is not Ending.FINISHED:
        return {"ready": False, "message": "Do not publish yet: the import did not come to its end."}
    skipped = spool.count_by("status").get(PostResult.SKIPPED.value, 0)
    texts = spool.count_posts_with(_kinds_of(LossArea.CONTENT)) - skipped
    shown = spool.count_posts_with(_kinds_of(LossArea.LINKS))
    unreadable = spool.count_unreadable()
    counts = {
        ("file", "could not be read"): unreadable,
        ("post", "could not be stored"): skipped,
        ("post", "not whole or not as it was"): texts,
        ("post", "with other links or images"): shown,
    }
    reasons = ", ".join(
        f"{number} {name if number == 1 else f'{name}s'} {what}"
        for (name, what), number in counts.items()
        if number > 0
    )
    if unreadable or skipped or texts > 0:
        return {"ready": False, "message": f"Look at the report before you publish: {reasons}."}
    return {"ready": True, "message": f"Ready to publish{f'; {reasons}' if reasons else ''}."}


def _kinds_of(area: LossArea) -> list[LossKind]:
    return [kind for kind, known in KINDS.items() if known.area is area]


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
        "verdict": _verdict(facts, spool),
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
        if kind.value in losses and (kind is not LossKind.IMAGE or len(spool.notes(ABSENT))):
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
        "loss_groups": map(_group, spool.loss_groups()),
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


def _group(group: LossGroup) -> dict[str, Any]:
    examples = [asdict(example) for example in group.examples]
    return {"kind": group.kind.value, "count": group.count, "posts": group.posts, "examples": examples}


def _page(head: Mapping[str, Any], spool: Spool, name: str) -> Iterator[str]:
    """Yield the parts of the page; what it has no room for is in the file of that name."""
    counts = head["summary"]["losses"]
    kinds = [(kind, known, counts[kind.value]) for kind, known in KINDS.items() if kind.value in counts]
    areas = [(area.value, [one for one in kinds if one[1].area is area]) for area in LossArea]
    results = [(name, number) for name, number in head["summary"].items() if name != "losses"]
    yield render_to_string(f"{_TEMPLATES}/start.html", {"head": head, "areas": areas, "results": results})
    room = _Room(_MOST_CHARACTERS["losses"])
    for kind, known, _ in kinds:
        groups = list(spool.loss_groups(kind))
        rows = [_shown_group(group) for group in groups[:_MOST_GROUPS]]
        yield from _table("losses", rows, of=len(groups), room=room, file=name, id=kind.value, title=known.title)
    if head["summary"]["omitted"]:
        kinds_left = spool.count_omitted_by_kind()
        rows = [_shown_omitted(group) for group in kinds_left]
        room = _Room(_MOST_CHARACTERS["omitted"])
        yield from _table(
            "omitted", rows, of=len(rows), room=room, file=name, id="omitted", title="Not imported at all"
        )
    posts = map(_shown_row, spool.results_to_show(_MOST_POSTS, first=_NOT_HERE))
    room = _Room(_MOST_CHARACTERS["posts"])
    yield from _table("posts", posts, of=spool.count_posts(), room=room, file=name, id="posts", title="Posts")
    yield render_to_string(f"{_TEMPLATES}/end.html")


@dataclass(slots=True)
class _Room:
    """The characters that a part of the page can still have."""

    left: int


def _table(name: str, rows: Iterable[Any], *, of: int, room: _Room, file: str, **context: str) -> Iterator[str]:
    """Yield a table of as many rows as there is room for; ``of`` is the number of all rows."""
    yield render_to_string(f"{_TEMPLATES}/{name}.html", {"part": "start", **context})
    shown = 0
    for row in rows:
        written = render_to_string(f"{_TEMPLATES}/{name}.html", {"part": "row", "row": row})
        if len(written.encode()) > room.left:
            break
        room.left -= len(written.encode())
        shown += 1
        yield written
    yield render_to_string(f"{_TEMPLATES}/{name}.html", {"part": "end", "others": of - shown, "file": file})


def _cut(text: str) -> str:
    shown = " ".join(text.split())
    return shown if len(shown) <= _LONGEST_TEXT else f"{shown[:_LONGEST_TEXT]}…"


def _shown_group(group: LossGroup) -> dict[str, Any]:
    examples = [
        {
            **asdict(example),
            "message": _cut(example.message),
            "title": _cut(example.title),
            "where": _cut(example.where),
        }
        for example in group.examples
    ]
    others = group.count - sum(example.count for example in group.examples)
    return {"count": group.count, "posts": group.posts, "examples": examples, "others": others}


def _shown_omitted(group: OmittedGroup) -> dict[str, Any]:
    examples = [
        {"title": _cut(one.title), "where": _cut(one.where), "unreadable": _cut(one.unreadable or "")}
        for one in group.examples
    ]
    return {"what": _cut(group.what), "count": group.count, "examples": examples}


def _shown_row(found: SpooledResult) -> dict[str, Any]:
    row = _row(found)
    url = row["old_url"] or ""
    # It comes from the source: browsers must be able to open it.
    is_link = len(url) <= _LONGEST_LINK and is_web(url) and is_safe_link(url)
    short = {name: _cut(row[name] or "") for name in ("title", "where", "old_url", "old_url_guess")}
    return {**row, **short, "old_link": url if is_link else None, "losses": len(found.losses)}
