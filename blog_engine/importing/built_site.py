"""Comparison of former URLs with a built site, such as ``public/`` of Hugo or ``_site/`` of Jekyll."""

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from html import unescape
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote, urlsplit

from blog_engine.importing.folders import files_under
from blog_engine.importing.old_blog import split_or_none
from blog_engine.importing.source import Item, Loss, LossKind, Omitted, Source, SourcePost, SourceRefused, SourceTerm

_BEGINNING: Final = 65_536
"""Bytes of a page in which its title is looked for."""
_MOST_NAMED: Final = 3
"""Pages that one difference names."""
_TITLE: Final = re.compile(r"<title[^>]*>([^<]*)", re.IGNORECASE)
_REFRESH: Final = re.compile(r"""<meta[^>]*http-equiv=["']?refresh["'\s][^>]*?url=\s*([^"'\s>]+)""", re.IGNORECASE)
_INDEX: Final = "/index.html"
_PAGES: Final = frozenset({".html", ".htm"})


@dataclass(slots=True)
class VerifiedSource:
    """A source whose former URLs are compared with the pages of a built site.

    A URL that is there is no guess. One that is not there is a loss of its post, and the pages that no entry of the
    source has are listed at the end.
    """

    source: Source
    folder: Path
    """The folder of the built site."""
    system: str = field(init=False)
    blog: str = field(init=False)
    url: str | None = field(init=False)

    def __post_init__(self) -> None:
        """Raise ``SourceRefused`` if the folder has no pages."""
        self.system, self.blog, self.url = self.source.system, self.source.blog, self.source.url
        if not self.folder.is_dir() or not any(_is_page(file) for file in files_under(self.folder)):
            raise SourceRefused(f"{self.folder}: VERIFY must be the folder of the built site, with its HTML pages.")

    @property
    def sought(self) -> str:
        """Return where the source looked for posts."""
        return self.source.sought

    def image_file(self, url: str) -> Path | None:
        """Return the file of an image in the source."""
        return self.source.image_file(url)

    def items(self) -> Iterator[Item]:
        """Yield the entries of the source, posts with their differences, and then the pages that are left."""
        pages = _BuiltPages(self.folder, home=self.source.url)
        for item in self.source.items():
            if isinstance(item, SourcePost) and item.url:
                yield pages.checked(item)
            else:
                if isinstance(item, SourceTerm | Omitted) and item.url:
                    pages.find(item.url)
                yield item
        yield from pages.left()


class _BuiltPages:
    """The pages of a built site by their paths, and those that were found."""

    def __init__(self, folder: Path, *, home: str | None) -> None:
        self._folder = folder
        root = folder.resolve()
        self._files = {f"/{file.relative_to(root).as_posix()}" for file in files_under(folder) if _is_page(file)}
        self._home = urlsplit(home).path.rstrip("/") if home else ""
        self._found: set[str] = set()
        self._by_name: dict[str, list[str]] = defaultdict(list)
        for file in sorted(self._files):
            self._by_name[_name_of(file)].append(file)

    def find(self, url: str) -> str | None:
        """Return the file of the page with this URL, and note that it is known; ``None`` if there is none."""
        parts = split_or_none(url)
        path = unquote(parts.path) if parts else ""
        below = path.removeprefix(self._home) if f"{path}/".startswith(f"{self._home}/") else path
        for one in (below, path):
            endings = ("index.html",) if one.endswith("/") else ("", ".html", _INDEX)
            for ending in endings:
                if (file := one + ending) in self._files:
                    self._found.add(file)
                    return file
        return None

    def checked(self, post: SourcePost) -> SourcePost:
        """Return a post with the differences of its URLs."""
        losses = list(post.losses)
        file = self.find(post.url or "")
        target = self._redirect(file) if file else None
        if file is None:
            near = [one for one in self._by_name[_name_of(urlsplit(post.url or "").path)] if one not in self._found]
            shown = " or ".join(_url_path(one) for one in near[:_MOST_NAMED])
            instead = f"; it has {shown}" if shown else ""
            losses.append(Loss(LossKind.URL, f"The built site has no page at {_path_of(post.url)}{instead}."))
        elif target:
            losses.append(Loss(LossKind.URL, f"The built site redirects {_path_of(post.url)} to {target}."))
        losses += [
            Loss(LossKind.URL, f"The built site has nothing at the former URL {_path_of(url)}.")
            for url in post.former_urls
            if self.find(url) is None and not (split_or_none(url) or urlsplit("")).query
        ]
        is_right = file is not None and target is None
        return replace(post, losses=tuple(losses), url_guess="" if is_right else post.url_guess)

    def left(self) -> Iterator[Omitted]:
        """Yield the pages that no entry has."""
        for file in sorted(self._files - self._found):
            beginning = self._beginning(file)
            refresh, title = _REFRESH.search(beginning), _TITLE.search(beginning)
            what = "redirect of the built site" if refresh else "page of the built site that no post has"
            named = unescape(refresh[1] if refresh else title[1] if title else "").strip()
            yield Omitted(f"VERIFY{file}", named[:200] or _url_path(file), what, _url_path(file))

    def _redirect(self, file: str) -> str | None:
        """Return where a page does nothing but redirect to."""
        found = _REFRESH.search(self._beginning(file))
        return unescape(found[1])[:200] if found else None

    def _beginning(self, file: str) -> str:
        try:
            with (self._folder / file.lstrip("/")).open("rb") as opened:
                return opened.read(_BEGINNING).decode(errors="replace")
        except OSError:
            return ""


def _is_page(file: Path) -> bool:
    return file.suffix.lower() in _PAGES and file.name != "404.html"


def _name_of(path: str) -> str:
    """Return the last part of the path of a page, without what programs add to it."""
    plain = unquote(path).removesuffix(_INDEX).rstrip("/")
    return posixpath.basename(plain).removesuffix(".html").lower()


def _url_path(file: str) -> str:
    return quote(file.removesuffix("index.html") if file.endswith(_INDEX) else file)


def _path_of(url: str | None) -> str:
    parts = split_or_none(url or "")
    return parts.path if parts else str(url)
