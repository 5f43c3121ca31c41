"""The files of a disclosure report: pages for people, a table, and the evidence of each post (dossier.files)."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from math import ceil
from pathlib import Path
from tempfile import SpooledTemporaryFile, TemporaryDirectory
from typing import IO, Any, Final

from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.safestring import mark_safe

from blog_engine import __version__
from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.content.text import compact_json
from blog_engine.errors import ValidationFailed
from blog_engine.exporting._disclosure_page import DisclosureTotals, page_context, page_name, post_context
from blog_engine.exporting._disclosure_table import COLUMNS, table_rows
from blog_engine.exporting.tables import as_json
from blog_engine.exporting.targets import ExportTarget, open_target
from blog_engine.inputs.base import parse
from blog_engine.inputs.reports import DisclosureIn
from blog_engine.outputs.base import AnswerContext
from blog_engine.outputs.history import EvidenceDocument
from blog_engine.queries.checkpoints import LeafPlaces
from blog_engine.queries.database import one_snapshot
from blog_engine.queries.disclosure import DisclosurePremises, disclosures, posts_public_in
from blog_engine.queries.evidence import evidence_at, length_of_history
from blog_engine.queries.posts import read_post
from blog_engine.rules.chain import described_checkpoint
from blog_engine.rules.disclosure import Period, PostDisclosure

FORMAT: Final = "blog_engine.disclosure-report/1"
POSTS_ON_PAGE: Final = 100
MOST_POSTS_AT_ONCE: Final = 100
"""The posts of a report that is made within a request."""
MOST_BYTES_AT_ONCE: Final = 8 * 1024**2
"""About the records of such a report, in characters."""
_FIRST_YEAR: Final = 1970
_LAST_YEAR: Final = 9998
"""Years whose midnights every database takes, in every time zone."""
_IN_MEMORY: Final = 1_000_000
_BYTE_ORDER_MARK: Final = "\ufeff"
"""Without it, spreadsheets take UTF-8 for another encoding."""
_VERIFIER: Final = Path(__file__).resolve().parents[1] / "verify.py"


def period_of(sent: Mapping[str, object]) -> Period:
    """Return the period of the days ``from`` and ``to``; raises a ``Refusal`` that names the field at fault."""
    days = parse(DisclosureIn, sent)
    if days.from_ > days.to:
        raise ValidationFailed(["from"], hint=f"from must not be after the last day, which is {days.to}.")
    if days.from_.year < _FIRST_YEAR or days.to.year > _LAST_YEAR:
        named = "from" if days.from_.year < _FIRST_YEAR else "to"
        raise ValidationFailed([named], hint=f"{named} must be in the years {_FIRST_YEAR} to {_LAST_YEAR}.")
    return Period(days.from_, days.to)


class DisclosureTooLarge(Exception):
    """The period has more posts or records than a report that is made within a request."""


class NothingDisclosed(Exception):
    """No post was public in the period, so that there is no report; nothing was written."""


def write_disclosure_report(
    target: Path, *, period: Period, now: datetime, base_url: str = ""
) -> Iterator[DisclosureTotals]:
    """Write the report as of one moment to ``target``; yield the numbers after each post.

    The name of ``target`` decides as for ``export_blog``. ``base_url`` is the origin of URLs unless the settings have
    one. Raises ``NothingDisclosed`` and ``TargetRefused``.
    """
    with open_target(target) as written, one_snapshot(), translation.override(get_settings().catalogue):
        yield from _Report(written, period=period, now=now, base_url=base_url).write()


def disclosure_archive(period: Period, *, now: datetime, base_url: str) -> bytes:
    """Return the report as a zip; raises ``DisclosureTooLarge`` and ``NothingDisclosed``.

    It is whole before anything is sent, so that a slow reader keeps no snapshot of the database open.
    """
    ids = list(posts_public_in(period).values_list("pk", flat=True)[: MOST_POSTS_AT_ONCE + 1])
    if len(ids) > MOST_POSTS_AT_ONCE or length_of_history(*ids) > MOST_BYTES_AT_ONCE:
        raise DisclosureTooLarge
    with TemporaryDirectory(prefix="blog-engine-") as folder:
        target = Path(folder) / "report.zip"
        for _totals in write_disclosure_report(target, period=period, now=now, base_url=base_url):
            pass
        return target.read_bytes()


class _Report:
    def __init__(self, target: ExportTarget, *, period: Period, now: datetime, base_url: str) -> None:
        self._target = target
        self._period = period
        self._now = now
        origin = get_settings().public_base_url or base_url
        self._urls = BlogURLs.on(origin)
        self._premises = DisclosurePremises.read()
        self._context = AnswerContext(self._urls, now, has_responsible_party=self._premises.party_url is not None)
        checkpoint = self._premises.checkpoint
        self._places = LeafPlaces(checkpoint) if checkpoint else None
        self._totals = DisclosureTotals()

    def write(self) -> Iterator[DisclosureTotals]:
        """Write all files."""
        posts = posts_public_in(self._period)
        self._totals.of_posts = posts.count()
        first: list[dict[str, Any]] = []
        page: list[dict[str, Any]] = []
        number = 1
        with SpooledTemporaryFile(_IN_MEMORY) as table:
            self._begin_table(table)
            for found in disclosures(posts, period=self._period, premises=self._premises):
                if len(page) == POSTS_ON_PAGE:
                    if number == 1:
                        # It has the numbers of the whole report, which are known at the end.
                        first = page
                    else:
                        self._write_page(number, page, is_last=False)
                    number, page = number + 1, []
                self._totals.add(found)
                page.append(post_context(found, urls=self._urls))
                self._write_table_rows(table, found)
                self._target.write(f"evidence/{found.post.pk}.json", self._evidence(found.post.pk))
                yield self._totals
            if not self._totals.posts:
                raise NothingDisclosed
            self._write_page(number, page, is_last=True)
            if number > 1:
                self._write_page(1, first, is_last=False)
            self._finish(table)

    def _evidence(self, post_id: int) -> str:
        post = read_post(post_id)
        document = EvidenceDocument.of(post, evidence_at(self._places, post), self._context)
        return document.model_dump_json(indent=2) + "\n"

    def _begin_table(self, table: IO[bytes]) -> None:
        table.write(_BYTE_ORDER_MARK.encode())
        table.write(_as_csv([list(COLUMNS)]))

    def _write_table_rows(self, table: IO[bytes], found: PostDisclosure) -> None:
        table.write(_as_csv(table_rows(found, urls=self._urls)))

    def _write_page(self, number: int, posts: list[dict[str, Any]], *, is_last: bool) -> None:
        context = page_context(
            number=number,
            posts=posts,
            last=number if is_last else ceil(max(self._totals.posts, self._totals.of_posts) / POSTS_ON_PAGE),
            has_next=not is_last,
            totals=self._totals,
            premises=self._premises,
            period=self._period,
            urls=self._urls,
            now=self._now,
        )
        sections = [mark_safe(render_to_string(f"{_TEMPLATES}/post.html", one)) for one in posts]  # noqa: S308 - escaped by the template
        html = render_to_string(f"{_TEMPLATES}/report.html", {**context, "sections": sections})
        self._target.write(page_name(number), html)

    def _finish(self, table: IO[bytes]) -> None:
        table.seek(0)
        with self._target.open("versions.csv") as file:
            while block := table.read(_IN_MEMORY):
                file.write(block)
        if self._premises.checkpoint is not None:
            self._target.write("checkpoint.json", compact_json(described_checkpoint(self._premises.checkpoint)) + "\n")
        self._target.write("verify.py", _VERIFIER.read_bytes())
        self._target.list_files(
            {
                "format": FORMAT,
                "engine": __version__,
                "made_at": as_json(self._now),
                "from": as_json(self._period.first),
                "to": as_json(self._period.last),
                "time_zone": timezone.get_default_timezone_name(),
                "posts": self._totals.posts,
            }
        )


_TEMPLATES: Final = "blog_engine_disclosure"


def _as_csv(rows: Iterable[Sequence[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()
