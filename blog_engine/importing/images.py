"""The images of an import: found in the source, fetched from the old blog, or known from an earlier run."""

import base64
import binascii
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Final
from urllib.parse import unquote

from blog_engine.actor import Actor
from blog_engine.blog_urls import BlogURLs
from blog_engine.conf import get_settings
from blog_engine.content.source_types import CREDIT_LENGTH
from blog_engine.errors import ImageNotPermitted
from blog_engine.images.fetched import fetch_image
from blog_engine.images.inspect import InspectedImage, inspect_image
from blog_engine.importing.missing_images import (
    NOT_IN_SOURCE,
    MissingImage,
    drawing,
    is_svg,
    not_fetched,
    unusable_file,
)
from blog_engine.importing.old_blog import OldBlog, is_web, joined_url, split_or_none
from blog_engine.importing.source import ImageUse, Source, SourceOrigin
from blog_engine.importing.spool import Spool
from blog_engine.inputs.types import LINK_LENGTH
from blog_engine.models import Image
from blog_engine.queries.images import image_of_digest
from blog_engine.services import complete_origin, store_inspected

_SIZE: Final = re.compile(r"-\d{1,5}x\d{1,5}(?=\.\w{2,5}$)")
_FILE: Final = re.compile(r"\.(?:jpe?g|png|gif|webp|avif)$", re.IGNORECASE)
_DATA: Final = re.compile(r"data:image/[\w.+-]+;base64,([A-Za-z0-9+/=\s]+)", re.IGNORECASE)
_PHOTON: Final = re.compile(r"(?:https?:)?//i[0-9]\.wp\.com/")
_SLOW: Final = 5.0
_MOST_SLOW: Final = 3
"""Slow failures in a row after which a host is not asked any more."""


ABSENT: Final = "absent image"
"""The notes of the spool with the reasons of images that are neither in the source nor at the old blog."""
DIGESTS: Final = "digest"
"""The notes of the spool with the digests of external images, empty for those that could not be fetched."""


@dataclass(frozen=True, slots=True)
class FoundImage:
    """An image that is stored here, or is going to be."""

    sha256: str
    filename: str

    @property
    def url(self) -> str:
        """The path of the original."""
        return BlogURLs.on("").media_path(self.sha256, self.filename)


class Images:
    """Finds images and stores them; nothing is fetched twice.

    An image that an earlier run fetched is known by its URL. One that could not be fetched is tried again by the next
    run.
    """

    def __init__(self, spool: Spool, source: Source, old: OldBlog) -> None:
        self._spool = spool
        self._source = source
        self._old = old
        self._library = spool.notes("library")
        self._said = spool.notes("origin by URL")
        self._origins = spool.notes("origin")
        self._found = spool.notes("picture")
        self._known = spool.notes("known picture")
        self._bytes = spool.notes("bytes")
        self._digests = spool.notes(DIGESTS)
        self._slow = Counter[str]()

    def prepare(self) -> None:
        """Note the library of the source, and the images that earlier runs fetched; call it once, first."""
        for image in self._spool.library():
            for url in image.urls:
                self._library.setdefault(self._key(url), list(image.urls))
                if image.origin != SourceOrigin():
                    self._said.setdefault(self._key(url), image.origin)
            if image.sha256:
                self._origins[image.sha256] = image.origin
        rows = Image.objects.exclude(source_url=None).order_by("pk")
        for fetched_from, digest, filename in rows.values_list("source_url", "sha256", "filename").iterator(500):
            self._known[str(fetched_from)] = FoundImage(digest, filename)

    def used(self, use: ImageUse, base: str) -> FoundImage | MissingImage:
        """Return an image that an entry uses outside of its body; it is fetched from whatever host."""
        image = self._spool.image(use.source_id) if use.source_id else None
        if image is None and use.url is None:
            return self._noted(MissingImage(f"The image {use.source_id} is not in the source.", is_absent=True))
        urls = list(image.urls) if image else self._forms_of(use.url or "", base)
        found = self._first(urls if image else [one for url in urls for one in self._candidates(url)])
        self._note_origin(found, use.origin.over(self._origin_at(urls[0])))
        return found

    def _forms_of(self, url: str, base: str) -> list[str]:
        """Return what the path of a cover may mean: from the folder of its page on, or from the root of the site."""
        forms = [self._old.absolute(url, base)]
        parts = split_or_none(url)
        if parts is not None and not (parts.scheme or parts.netloc or url.startswith(("/", ".", "#"))):
            forms.append(self._old.absolute(f"/{url}", base))
        return forms

    def in_body(self, url: str, base: str, page: str | None = None) -> FoundImage | MissingImage | None:
        """Return an image of a body; ``None`` for one of another site, which stays there.

        ``page`` is the URL of the post, from which browsers read a relative path.
        """
        if embedded := _DATA.match(url):
            return self._embedded(embedded[1])
        absolute = self._old.absolute(_PHOTON.sub("https://", url), base)
        if not self._old.is_own(absolute) and self._key(absolute) not in self._library:
            return None
        candidates = self._candidates(absolute)
        if page and not is_web(absolute):
            candidates += self._candidates(joined_url(page, url))
        found = self._first(candidates)
        self._note_origin(found, self._origin_at(absolute))
        if isinstance(found, MissingImage):
            # The link stays, and the services would fetch it for its digest.
            self._digests.update({url: "", absolute: ""})
        return found

    def url_there(self, url: str, page: str | None) -> str | None:
        """Return the absolute URL of an image at the old blog; ``None`` if that is not known.

        No image is fetched from it for its digest.
        """
        absolute = joined_url(page or (self._old.url if url.startswith("/") else None) or "", url)
        if not is_web(absolute):
            return None
        self._digests[absolute] = ""
        return absolute

    def store(self, picture: FoundImage, *, actor: Actor, now: datetime) -> int:
        """Return the id of the stored image, which is stored if it is new, with what the source says of its origin."""
        said: SourceOrigin = self._origins.pop(picture.sha256, SourceOrigin())
        image = image_of_digest(picture.sha256)
        if image is None:
            path, inspected = self._bytes[picture.sha256]
            whole = replace(inspected, data=Path(path).read_bytes())
            # What the file says by itself is not sent.
            sent = _sent_origin(said, in_file=inspected.origin.source_type)
            image = store_inspected(whole, actor=actor, now=now, sent=sent)
        elif sent := _sent_origin(said, in_file=image.digital_source_type):
            complete_origin(image.pk, sent, actor=actor)
        return int(image.pk)

    def _origin_at(self, url: str) -> SourceOrigin:
        said: SourceOrigin = self._said.get(self._key(url.partition("#")[0]), SourceOrigin())
        return said

    def _note_origin(self, found: FoundImage | MissingImage, said: SourceOrigin) -> None:
        if isinstance(found, FoundImage) and said != SourceOrigin():
            self._origins[found.sha256] = said.over(self._origins.get(found.sha256, SourceOrigin()))

    def _key(self, url: str) -> str:
        return self._old.page_key(url) or url

    def _candidates(self, url: str) -> list[str]:
        """Return the URLs under which an image may be found, that of the original first."""
        plain = url.partition("#")[0]
        known: list[str] | None = self._library.get(self._key(plain))
        if known is not None:
            return known
        page, mark, query = plain.partition("?")
        original = _SIZE.sub("", page)
        # A file has no parameters, except those with which some servers make it smaller.
        forms = [original, page, plain] if _FILE.search(page) else [original + mark + query, plain]
        return list(dict.fromkeys(forms))

    def _first(self, candidates: list[str]) -> FoundImage | MissingImage:
        """Return what is found under the first URL that has it; the reason is that of the file, if there is one."""
        missing: list[MissingImage] = []
        for find in (self._in_files, self._from_before, self._from_old_blog):
            for found in find(candidates):
                if isinstance(found, FoundImage):
                    return found
                missing.append(found)
            if any(one.stays_there for one in missing):
                # The old blog has the same file.
                break
        there = (one for one in missing if not one.is_absent)
        return self._noted(next(there, missing[0] if missing else NOT_IN_SOURCE))

    def _noted(self, missing: MissingImage) -> MissingImage:
        """Note whether the owner can do something about an image that is missing."""
        if missing.is_absent:
            self._spool.notes(ABSENT)[missing.reason] = True
        return missing

    def _in_files(self, candidates: list[str]) -> Iterator[FoundImage | MissingImage]:
        for url in candidates:
            if (file := self._source.image_file(url)) is not None:
                yield self._once(f"file {file}", partial(self._read, file))

    def _from_before(self, candidates: list[str]) -> Iterator[FoundImage | MissingImage]:
        yield from (self._known[url] for url in candidates if url in self._known)

    def _from_old_blog(self, candidates: list[str]) -> Iterator[FoundImage | MissingImage]:
        for url in filter(is_web, candidates):
            whole = f"https:{url}" if url.startswith("//") else url
            yield self._once(whole, partial(self._fetch, whole))

    def _once(self, key: str, find: Callable[[], FoundImage | MissingImage]) -> FoundImage | MissingImage:
        if key not in self._found:
            self._found[key] = find()
        found: FoundImage | MissingImage = self._found[key]
        return found

    def _read(self, file: Path) -> FoundImage | MissingImage:
        limit = get_settings().max_image_bytes
        data = b""
        try:
            with file.open("rb") as opened:
                data = opened.read(limit + 1)
            return self._picture(data, file.name, file)
        except ImageNotPermitted as fault:
            return unusable_file(file.name, data, fault)
        except OSError as fault:
            return MissingImage(f"{file.name} cannot be read: {fault.strerror}")

    def _picture(self, data: bytes, filename: str, file: Path | None) -> FoundImage:
        digest = sha256(data).hexdigest()
        stored = image_of_digest(digest)
        if stored is not None:
            return FoundImage(digest, stored.filename)
        return self._keep(inspect_image(data, filename=filename), file)

    def _keep(self, image: InspectedImage, file: Path | None) -> FoundImage:
        """Keep the bytes in the spool, unless a file has them."""
        if image.sha256 not in self._bytes:
            if file is None:
                file = self._spool.folder / image.sha256
                file.write_bytes(image.data)
            self._bytes[image.sha256] = (str(file), replace(image, data=b""))
        _, kept = self._bytes[image.sha256]
        return FoundImage(image.sha256, kept.filename)

    def _embedded(self, text: str) -> FoundImage | MissingImage:
        try:
            return self._picture(base64.b64decode("".join(text.split()), validate=True), "image", None)
        except (ImageNotPermitted, binascii.Error) as fault:
            reason = (
                unusable_file("It", b"", fault).reason if isinstance(fault, ImageNotPermitted) else "It is damaged."
            )
            return MissingImage(f"{reason} It is embedded in the text.")

    def _fetch(self, url: str) -> FoundImage | MissingImage:
        if len(url) > LINK_LENGTH:
            return MissingImage(f"Its URL has more than {LINK_LENGTH} characters.")
        parts = split_or_none(url)
        if parts is None:
            return MissingImage("Its URL is none.")
        name = unquote(parts.path.rpartition("/")[2]) or "The image"
        if is_svg(url):
            return drawing(name)
        host = parts.netloc
        if self._slow[host] >= _MOST_SLOW:
            reason = f"{name} is not in the source, and {host} did not answer several times."
            return MissingImage(reason, is_absent=True)
        start = monotonic()
        try:
            image = fetch_image(url)
        except ImageNotPermitted as refusal:
            self._slow[host] = self._slow[host] + 1 if monotonic() - start > _SLOW else 0
            return not_fetched(name, refusal)
        self._slow[host] = 0
        stored = image_of_digest(image.sha256)
        return FoundImage(image.sha256, stored.filename) if stored else self._keep(image, None)


def _sent_origin(said: SourceOrigin, *, in_file: str | None) -> dict[str, str | None]:
    """Return what is sent of the origin of an image, as an upload would."""
    sent: dict[str, str | None] = {}
    if said.credit is not None:
        sent["credit"] = " ".join(said.credit.split())[:CREDIT_LENGTH]
    if said.source_type is not None and said.source_type != (in_file or ""):
        sent["digital_source_type"] = said.source_type or None
    return sent
