"""The run of an import: read everything, plan, then store post by post."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final

from blog_engine.images.fetched import fetch_digests, remembering_digests
from blog_engine.importing.bodies import Bodies
from blog_engine.importing.cleaning import clean_item
from blog_engine.importing.images import DIGESTS, Images
from blog_engine.importing.links import Links
from blog_engine.importing.old_blog import OldBlog
from blog_engine.importing.plan import Plan
from blog_engine.importing.preparing import PreparedPost, Preparing
from blog_engine.importing.source import Source
from blog_engine.importing.spool import Spool
from blog_engine.importing.terms import take_over
from blog_engine.importing.writing import PostResult, Writer
from blog_engine.queries.redirects import is_in_blog
from blog_engine.services import rehearsal

OUTSIDE: Final = "outside"
"""The notes of the spool with the paths outside the mount that redirect into the blog."""
REDIRECTED: Final = "redirected"
"""The notes with all paths that do."""
PICTURED: Final = "pictured"
"""The notes with the digests of the images that posts show."""


class ImportRun:
    """One import of a source. Call ``read``, and then ``write`` or ``rehearse``, to their ends."""

    def __init__(self, source: Source, spool: Spool, *, now: datetime) -> None:
        self._source = source
        self._spool = spool
        self._now = now
        self.old = OldBlog(source.url)
        links = Links(spool, self.old)
        self._images = Images(spool, source, self.old)
        self._plan = Plan(spool, source, self.old, links)
        self._preparing = Preparing(spool, source, Bodies(links, self._images), self._images, now=now)
        self._writer = Writer(self._plan, self._images, now=now)

    def read(self) -> Iterator[None]:
        """Read the whole source, one entry for each turn. Raises ``SourceRefused``; nothing is stored yet."""
        for item in self._source.items():
            self._spool.add(clean_item(item))
            yield

    @property
    def posts(self) -> int:
        """The number of posts that were read."""
        return self._spool.count_posts()

    def write(self) -> Iterator[None]:
        """Store the posts, one for each turn."""
        self._begin()
        with remembering_digests(self._spool.notes(DIGESTS)):
            for planned in self._spool.posts():
                self._write(self._preparing.prepare(planned))
                yield
            self._take_over_terms()

    def rehearse(self) -> Iterator[None]:
        """Do what ``write`` does, and undo it at the end; two turns for each post.

        All images are fetched first, because no transaction may be open meanwhile.
        """
        self._begin()
        with remembering_digests(self._spool.notes(DIGESTS)):
            for planned in self._spool.posts():
                prepared = self._preparing.prepare(planned)
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
        self._spool.conclude(prepared.planned.id, written.result, written, written.losses)
        if written.result is not PostResult.SKIPPED:
            self._note_paths(written.old_paths)
            shown = filter(None, (prepared.cover, prepared.social, *prepared.pictures))
            self._spool.notes(PICTURED).update({picture.sha256: True for picture in shown})

    def _take_over_terms(self) -> None:
        for term in self._spool.terms():
            path = take_over(term, self.old, now=self._now)
            self._note_paths([path] if path else [])

    def _note_paths(self, paths: Iterable[str]) -> None:
        redirected, outside = self._spool.notes(REDIRECTED), self._spool.notes(OUTSIDE)
        for path in paths:
            redirected[path] = True
            if not is_in_blog(path):
                outside[path] = True
