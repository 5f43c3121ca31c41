"""The pipeline of an import: read everything, plan, prepare and write post by post, report."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from datetime import datetime
from io import TextIOBase
from typing import Any, Final

from django.utils import timezone
from tqdm import tqdm

from blog_engine.content.text import without_long_mark_runs
from blog_engine.errors import Refusal
from blog_engine.images.fetched import fetch_digests, remembering_digests
from blog_engine.importing.bodies import Bodies
from blog_engine.importing.images import DIGESTS, Images
from blog_engine.importing.old_blog import Links, OldBlog
from blog_engine.importing.plan import Plan, path_of_list, stored_term
from blog_engine.importing.preparer import PreparedPost, Preparer
from blog_engine.importing.report import RunFacts, write_report
from blog_engine.importing.report_files import Ending, ReportFiles, RunOutcome
from blog_engine.importing.source import Item, Loss, LossKind, Omitted, Source, SourcePost, SourceRefused, SourceTerm
from blog_engine.importing.spool import GUESSED, OUTSIDE, PICTURED, REDIRECTED, Spool
from blog_engine.importing.systems import opened_source
from blog_engine.importing.writer import IMPORTER, PostResult, Writer
from blog_engine.inputs.base import parse
from blog_engine.inputs.records import SaveRedirect, UpdateAuthor, UpdateSeries
from blog_engine.models import Author, Series
from blog_engine.queries.redirects import is_in_blog, redirect_at
from blog_engine.services import add_redirect, check_links, rehearsal, update_author, update_series

_NEVER_ALLOWED: Final = re.compile("[\x00\ud800-\udfff]+")
"""NUL and halves of surrogate pairs, which PostgreSQL and UTF-8 cannot store."""
_POSTS_PER_LINE: Final = 100
_MOST_REFUSED: Final = 20
"""Files that one refusal names."""


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """The source and options of an import."""

    system: str
    path: str
    """One or several files, folders or archives; see ``opened_source``."""
    url: str | None = None
    """URL of the old blog, if its export does not name it."""
    media: str | None = None
    """A folder with its images."""
    sections: tuple[str, ...] = ()
    """The folders of a site of Markdown whose files are posts; default: those of its program."""
    verify: str | None = None
    """The folder of the built site, with which former URLs are compared."""
    dry_run: bool = False
    strict: bool = False
    """Whether a post that cannot be read refuses the import."""


class ImportRun:
    """The stages of one import. Call ``read``, and then ``write`` or ``rehearse``, to their ends."""

    def __init__(self, source: Source, spool: Spool, *, now: datetime, strict: bool = False) -> None:
        self._source = source
        self._strict = strict
        self._spool = spool
        self._now = now
        self.old = OldBlog(source.url)
        links = Links(spool, self.old)
        self._images = Images(spool, source, self.old)
        self._plan = Plan(spool, source, self.old, links)
        self._preparer = Preparer(spool, source, Bodies(links, self._images), self._images, now=now)
        self._writer = Writer(self._plan, self._images, now=now)

    def read(self) -> Iterator[None]:
        """Read the whole source, one entry for each turn.

        Raises ``SourceRefused``, also if there is no post, and for posts that cannot be read if that is strict; nothing
        is stored yet.
        """
        refused: list[str] = []
        guessed = Counter[str]()
        for item in self._source.items():
            self._spool.add(_clean_item(_with_guess(item)))
            if isinstance(item, SourcePost) and item.url_guess:
                guessed[item.url_guess] += 1
            if isinstance(item, Omitted) and item.unreadable and len(refused) < _MOST_REFUSED:
                refused.append(f"{item.where}: {item.unreadable}.")
            yield
        if self._strict and refused:
            raise SourceRefused(" ".join(refused))
        if not self.posts:
            others = self._spool.count_omitted()
            raise SourceRefused(
                f"No post was found in it; the report lists {others} other things, and why they are none. "
                f"{self._source.sought}"
            )
        self._spool.notes(GUESSED).update(guessed)

    @property
    def posts(self) -> int:
        """The number of posts that were read."""
        return self._spool.count_posts()

    def write(self) -> Iterator[None]:
        """Store the posts, one for each turn."""
        self._begin()
        with remembering_digests(self._spool.notes(DIGESTS)):
            for planned in self._spool.posts():
                self._write(self._preparer.prepare(planned))
                yield
            self._take_over_terms()
        # Posts were written before those that they link.
        check_links(now=self._now)

    def rehearse(self) -> Iterator[None]:
        """Do what ``write`` does, and undo it at the end; two turns for each post.

        All images are fetched first, because no transaction may be open meanwhile.
        """
        self._begin()
        with remembering_digests(self._spool.notes(DIGESTS)):
            for planned in self._spool.posts():
                prepared = self._preparer.prepare(planned)
                self._spool.keep_prepared(planned.id, prepared)
                if planned.stored is None:
                    fetch_digests(prepared.external)
                yield
            with rehearsal():
                for prepared in self._spool.prepared():
                    self._write(prepared)
                    yield
                self._take_over_terms()

    def _begin(self) -> None:
        self._plan.make()
        self._images.prepare()

    def _write(self, prepared: PreparedPost) -> None:
        written = self._writer.write(prepared)
        self._spool.finish(prepared.planned.id, written.result, written, written.losses)
        if written.result is not PostResult.SKIPPED:
            self._note_paths(written.old_paths)
            shown = filter(None, (prepared.cover, prepared.social, *prepared.pictures))
            self._spool.notes(PICTURED).update({picture.sha256: True for picture in shown})

    def _take_over_terms(self) -> None:
        for term in self._spool.terms():
            path = _take_over(term, self.old, now=self._now)
            self._note_paths([path] if path else [])

    def _note_paths(self, paths: Iterable[str]) -> None:
        redirected, outside = self._spool.notes(REDIRECTED), self._spool.notes(OUTSIDE)
        for path in paths:
            redirected[path] = True
            if not is_in_blog(path):
                outside[path] = True


def run_import(options: ImportOptions, files: ReportFiles, *, now: datetime, out: TextIOBase) -> RunFacts:
    """Import a blog, and write the report however that ends; ``out`` shows the progress.

    A refused source and an interruption (Ctrl+C) are endings; any other exception is raised again once the report is
    written.
    """
    outcome = RunOutcome()
    source: Source | None = None
    with Spool() as spool:
        try:
            opened = opened_source(
                options.system,
                options.path,
                url=options.url,
                media=options.media,
                sections=options.sections,
                verify=options.verify,
            )
            with outcome.recording(refused=SourceRefused), opened as source:
                _run_stages(ImportRun(source, spool, now=now, strict=options.strict), options, out)
        finally:
            facts = RunFacts(
                ending=outcome.ending,
                message=outcome.message,
                system=options.system,
                path=options.path,
                source=source,
                dry_run=options.dry_run,
                started_at=now,
                ended_at=timezone.now(),
                unreadable=spool.count_unreadable(),
            )
            summary = write_report(files, facts, spool)
            if outcome.ending is not Ending.REFUSED:
                out.write("\n".join(summary.lines))
    return replace(facts, verdict=summary.verdict)


def _run_stages(run: ImportRun, options: ImportOptions, out: TextIOBase) -> None:
    _show_progress(run.read(), label="Entries read", total=None, out=out)
    if options.dry_run:
        _show_progress(run.rehearse(), label="Posts checked and tried", total=2 * run.posts, out=out)
    else:
        _show_progress(run.write(), label="Posts imported", total=run.posts, out=out)


def _show_progress(steps: Iterable[object], *, label: str, total: int | None, out: TextIOBase) -> None:
    """Run an iterator to its end, and show on ``out`` how far it has come; ``total`` if that is known."""
    if out.isatty():
        for _ in tqdm(steps, desc=label, total=total, file=out, unit=""):
            pass
        return
    for number, _ in enumerate(steps, start=1):
        if number % _POSTS_PER_LINE == 0 or number == total:
            out.write(f"{label}: {number}{f' of {total}' if total is not None else ''}\n")


def _with_guess(item: Item) -> Item:
    """Return an entry; that its former URL is a guess is one of the losses of a post."""
    if not isinstance(item, SourcePost) or not item.url_guess:
        return item
    guess = Loss(LossKind.URL, f"Its former URL is a guess: {item.url_guess}.")
    return replace(item, losses=(*item.losses, guess))


def _clean_item(item: Item) -> Item:
    """Return an entry with clean texts; how many characters a post lost is one of its losses."""
    cleaned: Item
    cleaned, removed = _clean(item)
    if not removed or not isinstance(cleaned, SourcePost):
        return cleaned
    message = f"{removed} characters that no text can contain were removed."
    return replace(cleaned, losses=(*cleaned.losses, Loss(LossKind.CHARACTER, message)))


def _clean(value: Any) -> tuple[Any, int]:
    """Return a value with clean texts, and the number of characters that were removed."""
    # Exactly texts: those of enumerations are ours.
    if type(value) is str:
        text = without_long_mark_runs(_NEVER_ALLOWED.sub("", value))
        return text, len(value) - len(text)
    parts: dict[Any, Any]
    if isinstance(value, dict):
        parts = value
    elif isinstance(value, tuple):
        parts = dict(enumerate(value))
    elif is_dataclass(value) and not isinstance(value, type):
        parts = {field.name: getattr(value, field.name) for field in fields(value)}
    else:
        return value, 0
    cleaned = {name: _clean(part) for name, part in parts.items()}
    removed = sum(number for _, number in cleaned.values())
    if not removed:
        return value, 0
    changed = {name: part for name, (part, number) in cleaned.items() if number}
    if isinstance(value, dict):
        return value | changed, removed
    if isinstance(value, tuple):
        return tuple(changed.get(place, part) for place, part in parts.items()), removed
    return replace(value, **changed), removed


def _take_over(term: SourceTerm, old: OldBlog, *, now: datetime) -> str | None:
    """Describe a stored author or series that has no description yet, and redirect the list of a term.

    Returns the path that redirects to the list, if there is one. What a service refuses is left out.
    """
    row = stored_term(term)
    if row is None:
        return None
    text = term.description.strip()
    try:
        if isinstance(row, Author) and text and not row.bio.strip():
            update_author(parse(UpdateAuthor, {"id": row.pk, "bio": text}), actor=IMPORTER, now=now)
        elif isinstance(row, Series) and text and not row.description.strip():
            update_series(parse(UpdateSeries, {"id": row.pk, "description": text}), actor=IMPORTER, now=now)
        return _redirect_list(term, old, now=now)
    except Refusal as refusal:
        if refusal.is_our_own_fault:
            raise
        return None


def _redirect_list(term: SourceTerm, old: OldBlog, *, now: datetime) -> str | None:
    path = path_of_list(term)
    old_path = old.redirect_path(term.url) if term.url else None
    if path is None or old_path is None or old_path.rstrip("/") == path:
        return None
    stored = redirect_at(old_path)
    if stored is not None:
        return old_path if stored.new_path == path else None
    add_redirect(parse(SaveRedirect, {"old_path": old_path, "new_path": path}), actor=IMPORTER, now=now)
    return old_path
