"""Whether images are served with the bytes that a revision recorded (records.md 16, E19 E)."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from blog_engine.content.revision import ImageEntry
from blog_engine.enums import ReportResult
from blog_engine.fetching import REDIRECTS
from blog_engine.report.surface.checks._reading import Shown
from blog_engine.report.surface.checks._stored_media import AddressBook, is_stored
from blog_engine.report.surface.checks._verdict import Verdict, verdict
from blog_engine.report.surface.site import Page, Site
from blog_engine.report.surface.targets import redirect_target

_TO_STORAGE: Final = 1
"""Redirects from an image of ours: the one to the storage (decisions.md 4)."""
_ELSEWHERE: Final = 3
"""Redirects of another site, as many as the import of an image follows."""


def judge_bytes(recorded: Sequence[ImageEntry], shown: Iterable[Shown], *, own: AddressBook, site: Site) -> Verdict:
    """Each recorded image is served with its bytes, and the page shows no other one.

    What pages show of a stored image are mostly variants, which this site draws from the original: of those the digest
    in the address is compared, and the original behind it is fetched and hashed.
    """
    known = {stands_for(entry, own) for entry in recorded}
    strange = {one for image in shown for one in image.stands_for} - known
    verdicts = [judge_image(entry, own=own, site=site) for entry in recorded]
    return verdict(
        faults=[
            *(f"The page shows {one}, which the revision does not record." for one in sorted(strange)),
            *_reasons(verdicts, ReportResult.FAIL),
        ],
        doubts=_reasons(verdicts, ReportResult.NOT_VERIFIED),
    )


def stands_for(entry: ImageEntry, own: AddressBook) -> str:
    """What an address of the image stands for on a page."""
    return f"sha256:{entry.sha256}" if is_stored(entry) else own.shown_by(entry.url)


def judge_image(entry: ImageEntry, *, own: AddressBook, site: Site) -> Verdict:
    """The image is served with the bytes of its digest."""
    if not entry.sha256:
        return verdict(doubts=[f"The bytes of {entry.url} were never recorded."])
    page = open_file(own.of_entry(entry), site=site, redirects=_TO_STORAGE if is_stored(entry) else _ELSEWHERE)
    if page.status is None or page.status in REDIRECTS:
        return verdict(doubts=[f"{entry.url} could not be fetched."])
    if not page.is_open:
        return verdict(faults=[f"{entry.url} answered {page.status}."])
    if digest_of(page) != entry.sha256:
        return verdict(faults=[f"{entry.url} is served with other bytes than the recorded ones."])
    return verdict()


def open_file(url: str, *, site: Site, redirects: int = _ELSEWHERE) -> Page:
    """What an address answers after so many redirects; the next redirect is the answer."""
    page = site.open(url)
    while redirects and (target := redirect_target(page)):
        page = site.open(target)
        redirects -= 1
    return page


def digest_of(page: Page) -> str:
    """The SHA-256 of a body."""
    return hashlib.sha256(page.body).hexdigest()


def _reasons(verdicts: Iterable[Verdict], result: ReportResult) -> Iterator[str]:
    return (reason for one in verdicts if one.result is result for reason in one.reasons)
