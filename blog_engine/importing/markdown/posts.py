"""Files of Markdown as posts."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import urlsplit

from blog_engine.importing.data import FileRefused
from blog_engine.importing.folders import file_within
from blog_engine.importing.markdown.bodies import PageNames
from blog_engine.importing.markdown.front_matter import Document
from blog_engine.importing.markdown.generator import Generator
from blog_engine.importing.markdown.post_file import HTML, PostFile, SiteOfFiles, quoted_path
from blog_engine.importing.markdown.rst import IS_INSTALLED, rest_document
from blog_engine.importing.source import Item, Omitted, SourceRedirect, SourceTerm

_OTHER_MARKUP: Final = {
    ".adoc": "AsciiDoc",
    ".org": "Org",
    ".textile": "Textile",
    ".ipynb": "Jupyter",
    ".gotmpl": "Go, which makes pages",
}
_UNREAD_REST: Final = 'reStructuredText, which pip install "blog_engine[rest]" reads'


class MarkdownPosts:
    """The posts of a site, and the terms that they name."""

    def __init__(self, generator: Generator, *, url: str | None) -> None:
        """Take the rules of the site, and the URL of its home page."""
        self._site = SiteOfFiles(
            generator,
            origin="{0.scheme}://{0.netloc}".format(urlsplit(url)) if url else "",
            # The caller's URL decides where the pages were.
            base=urlsplit(url).path.rstrip("/") if url else generator.site.path,
            names=PageNames(generator.site),
            now=datetime.now(UTC),
            page_url=self._url_of,
            other_page_url=self._url_of_other,
        )
        self.generator = generator
        self._terms: dict[tuple[str, str], SourceTerm] = {}
        self._moved: list[SourceRedirect] = []
        self._other_urls: dict[PurePosixPath, str | None] = {}

    def terms(self) -> Iterator[SourceTerm]:
        """Yield the categories, tags, series and authors of the files that were read."""
        yield from self._terms.values()

    def redirects(self) -> Iterator[SourceRedirect]:
        """Yield the redirects of the site, and of the files that were read and only led elsewhere."""
        for one in self.generator.redirects():
            base = self._site.base if one.is_below_home else ""
            url = one.path if "://" in one.path else f"{self._site.origin}{quoted_path(base, one.path)}"
            yield SourceRedirect(url, one.target, one.where)
        yield from self._moved

    def read(self, folder: PurePosixPath, path: PurePosixPath, *, source_id: str) -> Item:
        """Return a file of a folder of contents as a post, or as what it is else.

        Raises ``FileRefused`` for a post that cannot be read.
        """
        try:
            str(path).encode()
        except UnicodeEncodeError as fault:
            raise FileRefused("the name of the file is not encoded in UTF-8") from fault
        generator = self.generator
        other = self._omission_by_path(folder, path)
        document: Document | None = None
        try:
            if self._other_markup(path) is None:
                document = generator.document(generator.site.root / folder / path)
                if path.suffix.lower() in generator.rest_suffixes and other is None:
                    document = rest_document(document)
        except FileRefused:
            if other is None:
                raise
        if document is None:
            return _omitted(source_id, path, document, other or "file")
        other = other or (
            None if generator.site.is_chosen(folder, path) else self._omission_by_document(folder, path, document)
        )
        if other:
            return _omitted(source_id, path, document, other)
        version = generator.version(folder, path)
        merged = generator.merged(document, folder, version.path, version.language)
        if other := generator.omission_by_values(merged.metadata):
            return _omitted(source_id, path, document, other)
        read = PostFile(self._site, folder, path, source_id, version, document, merged)
        post = read.post()
        self._moved += read.moved
        for kind, name, was in read.terms:
            listed = generator.term_path(was, name)
            url = f"{self._site.origin}{quoted_path(self._site.base, listed)}" if listed else None
            self._terms.setdefault((kind, name), SourceTerm(kind, name, url=url))
        return post

    def _url_of(self, name: str) -> str | None:
        """Return the URL of the page of a file, as ``PageNames`` found it; ``None`` if it is not known."""
        generator, path = self.generator, PurePosixPath(name.lstrip("/"))
        folders = map(PurePosixPath, generator.site.content)
        folder = next((one for one in folders if file_within(generator.site.root / one, str(path))), None)
        try:
            document = generator.document(generator.site.root / folder / path) if folder else None
        except FileRefused:
            return None
        if folder is None or document is None:
            return None
        version = generator.version(folder, path)
        merged = generator.merged(document, folder, version.path, version.language)
        return PostFile(self._site, folder, path, name, version, document, merged).url()

    def _url_of_other(self, file: PurePosixPath) -> str | None:
        """Return the URL of the page of a file, by its path in the site, that is no post; ``None`` for other files."""
        folders = [one for one in map(PurePosixPath, self.generator.site.content) if file.is_relative_to(one)]
        folder = max(folders, key=lambda one: len(one.parts), default=None)
        if folder is None or self._omission_by_path(folder, file.relative_to(folder)) != "page":
            return None
        if file not in self._other_urls:
            self._other_urls[file] = self._url_of(str(file.relative_to(folder)))
        return self._other_urls[file]

    def _omission_by_path(self, folder: PurePosixPath, path: PurePosixPath) -> str | None:
        """Return what a file is, in words, if its path says that it is no post."""
        if self.generator.site.leaves_out(folder / path):
            return "file that the configuration leaves out"
        is_chosen = self.generator.site.is_chosen(folder, path)
        if is_chosen is False:
            return "page outside of the chosen sections"
        other = "page" if "pages" in path.parts[:-1] else self.generator.omission_by_path(folder, path)
        if is_chosen and other == "page":
            other = None
        markup = self._other_markup(path)
        return f"file of {markup}" if markup and not other else other

    def _other_markup(self, path: PurePosixPath) -> str | None:
        """Return the name of the markup of a file if it cannot be read."""
        suffix = path.suffix.lower()
        is_unread_rest = suffix in self.generator.rest_suffixes and not IS_INSTALLED
        return _UNREAD_REST if is_unread_rest else _OTHER_MARKUP.get(suffix)

    def _omission_by_document(self, folder: PurePosixPath, path: PurePosixPath, document: Document) -> str | None:
        """Return what a file is, in words, if its own front matter says that it is no post."""
        if path.suffix.lower() in HTML and not document.has_front_matter:
            return "HTML file without front matter"
        named = {str(document.metadata.get(name)) for name in ("layout", "type")}
        return "page" if named & {"page", "pages"} else self.generator.omission_by_document(folder, path, document)


def _omitted(source_id: str, path: PurePosixPath, document: Document | None, what: str) -> Omitted:
    named = document.metadata.get("title") if document else None
    return Omitted(source_id, str(named or path.name)[:200], what, source_id)
