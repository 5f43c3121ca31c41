"""A folder of Markdown files with front matter, as Hugo, Jekyll, Astro, Eleventy and Pelican use them."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from blog_engine.importing.data import FileRefused, read_json_text
from blog_engine.importing.folders import file_within, files_under
from blog_engine.importing.markdown.detection import PlainFolder, generator_of
from blog_engine.importing.markdown.generator import Generator, MarkdownSite
from blog_engine.importing.markdown.posts import MarkdownPosts
from blog_engine.importing.old_blog import split_or_none
from blog_engine.importing.source import (
    Item,
    Omitted,
    Source,
    SourceImage,
    SourceOrigin,
    SourceRefused,
    source_origin,
)

_SUFFIXES: Final = frozenset(
    {
        *(".md", ".markdown", ".mdown", ".mkd", ".mdx", ".html", ".htm"),
        *(".rst", ".adoc", ".org", ".textile", ".gotmpl"),
    }
)
_LEFT_OUT: Final = frozenset(
    {
        *("node_modules", "vendor", "layouts", "_layouts", "_includes", "_site", "themes", "archetypes", "public"),
        *("output", "dist", "resources", "static", "assets", "data", "i18n", "_sass", "_data", "exampleSite"),
    }
)
"""Folders of programs, themes and finished sites, unless they are the folder of contents."""
_NO_POSTS: Final = frozenset({"readme", "license", "licence", "changelog", "contributing", "code_of_conduct", "404"})
_EXPORTED_IMAGES: Final = "history/image.jsonl"
_LONGEST_LINE: Final = 65_536


def open_markdown(path: Path, *, url: str | None, media: Path | None, sections: Sequence[str] = ()) -> Source:
    """Return the source for a folder: the whole site, or only its posts.

    ``url`` is that of the blog; default: the site's configuration names it. ``media`` is a folder with further images.
    ``sections`` are the folders whose files are posts; default: those of the program. Raises ``SourceRefused`` when
    there is no such folder.
    """
    if not path.is_dir():
        raise SourceRefused(f"{path}: a folder of Markdown files was expected.")
    root = _root_in(path)
    generator = generator_of(root)
    if sections:
        generator.site = _with_sections(generator.site, sections)
    home = _home_of(generator.site, url)
    host = urlsplit(home).netloc if home else ""
    return _MarkdownFolder(generator, url=home, blog=host or root.resolve().name, media=media)


def _root_in(folder: Path) -> Path:
    """Return the folder, or the only one in it if that is a site: zip files often have one folder."""
    inner = [one for one in folder.iterdir() if not one.name.startswith(".")]
    is_wrapped = len(inner) == 1 and inner[0].is_dir() and not inner[0].is_symlink()
    return inner[0] if is_wrapped and not isinstance(generator_of(inner[0]), PlainFolder) else folder


def _with_sections(site: MarkdownSite, wanted: Sequence[str]) -> MarkdownSite:
    """Return the site with the sections that were chosen, also those outside of its folders of contents."""
    chosen: list[str] = []
    others: list[str] = []
    for one in wanted:
        section = PurePosixPath(one.strip("/") or ".")
        forms = (section, section.with_name(f"_{section.name}")) if section.name else (section,)
        if ".." in section.parts:
            raise SourceRefused(f"SECTION={one}: name a folder of the site.")
        if not any((site.root / folder / form).is_dir() for folder in ("", *site.content) for form in forms):
            folders = sorted({place.name for folder in site.content for place in _folders_in(site.root / folder)})
            raise SourceRefused(f"SECTION={one}: there is no such folder. The site has: {', '.join(folders[:50])}.")
        chosen.append(str(section))
        if (site.root / section).is_dir() and not any((site.root / f / section).is_dir() for f in site.content):
            is_inside = any(section.is_relative_to(folder or ".") for folder in site.content)
            others += [] if is_inside else [str(section)]
    return replace(site, sections=tuple(chosen), other_sections=tuple(others), main_sections=frozenset())


def _is_below(place: str, folder: str) -> bool:
    return PurePosixPath(place).is_relative_to(PurePosixPath(folder))


def _folders_in(folder: Path) -> Iterator[Path]:
    if folder.is_dir():
        yield from (one for one in folder.iterdir() if one.is_dir() and not one.name.startswith("."))


def _home_of(site: MarkdownSite, url: str | None) -> str | None:
    """Return the URL of the home page; one without a path has that of the configuration."""
    chosen = url or site.url
    if not chosen:
        return None
    return chosen.rstrip("/") if urlsplit(chosen).path.strip("/") else f"{chosen.rstrip('/')}{site.path}"


@dataclass(slots=True)
class _MarkdownFolder:
    generator: Generator
    url: str | None
    blog: str
    media: Path | None
    system: str = "markdown"

    def items(self) -> Iterator[Item]:
        posts = MarkdownPosts(self.generator, url=self.url)
        for name, reason in self.generator.site.unread:
            yield Omitted(name, name, f"configuration that cannot be read: {reason}", name)
        for folder, path, source_id in self._files():
            try:
                yield posts.read(folder, path, source_id=source_id)
            except FileRefused as fault:
                shown = str(path).encode(errors="replace").decode()
                place = source_id.encode(errors="replace").decode()
                yield Omitted(place, shown[:200], f"file that cannot be read: {fault}", place, unreadable=str(fault))
        yield from posts.terms()
        yield from posts.redirects()
        yield from _exported_images(self.generator.site.root)

    @property
    def sought(self) -> str:
        site, program = self.generator.site, type(self.generator).__name__
        kind = "a folder of no known program" if program == PlainFolder.__name__ else f"a site of {program}"
        folders = ", ".join(name or "." for name in site.content)
        return (
            f"It was read as {kind}, with posts in {folders}. Send as SOURCE the folder of the whole site with the "
            "configuration of its program, or as SECTION the folder of its posts."
        )

    def image_file(self, url: str) -> Path | None:
        parts = split_or_none(url)
        path = unquote(parts.path).strip("/") if parts else ""
        if not path or ".." in path.split("/"):
            return None
        site = self.generator.site
        base = site.path.strip("/")
        names = dict.fromkeys([path, path.removeprefix(f"{base}/") if base else path])
        # A translation shows the images of the language of the site.
        below = [(tag, one.partition("/")) for one in names for tag in site.languages]
        names |= dict.fromkeys(rest for tag, (first, _, rest) in below if first == tag and rest)
        found = [site.file_at(name) for name in names]
        found += [file_within(self.media, name) for name in names] if self.media else []
        return next(filter(None, found), None)

    def _files(self) -> Iterator[tuple[PurePosixPath, PurePosixPath, str]]:
        """Yield the files that may be posts: folder of contents, path in it, and id."""
        site = self.generator.site
        root = site.root.resolve()
        seen = set[Path]()
        others = [(str(PurePosixPath(one).parent), one) for one in site.other_sections]
        for number, (folder, start) in enumerate([*((one, one) for one in site.content), *others]):
            base = root / folder
            if root / start in seen or not (root / start).is_dir():
                continue
            seen.add(root / start)
            inner = [PurePosixPath(one) for one in site.content if one != folder and _is_below(one, folder)]
            for file in files_under(root / start):
                path = PurePosixPath(file.relative_to(base).as_posix())
                if any((PurePosixPath(folder) / path).is_relative_to(one) for one in inner):
                    continue
                is_chosen = site.is_chosen(PurePosixPath(folder), path) is True
                if _may_be_post(path, _SUFFIXES | self.generator.more_suffixes, is_chosen=is_chosen):
                    yield PurePosixPath(folder), path, str(PurePosixPath(folder) / path) if number else str(path)


def _exported_images(root: Path) -> Iterator[SourceImage]:
    """Yield what an export of this engine says of its images; lines that say nothing of one are passed over."""
    rows = file_within(root, _EXPORTED_IMAGES)
    if rows is None:
        return
    with rows.open("rb") as lines:
        while line := lines.readline(_LONGEST_LINE):
            with suppress(FileRefused, UnicodeDecodeError):
                row = read_json_text(line.decode())
                if isinstance(row, dict) and isinstance(digest := row.get("sha256"), str):
                    yield SourceImage(digest, (), origin=_exported_origin(row), sha256=digest)


def _exported_origin(row: dict[str, Any]) -> SourceOrigin:
    credit, term, said_by = (
        value if isinstance(value := row.get(name), str) else None
        for name in ("credit", "digital_source_type", "source_type_from")
    )
    return source_origin(credit=credit, source_type=term, said_by=said_by)


def _may_be_post(path: PurePosixPath, suffixes: frozenset[str], *, is_chosen: bool) -> bool:
    if path.suffix.lower() not in suffixes or path.stem.lower() in _NO_POSTS:
        return False
    is_hidden = any(part.startswith(".") for part in path.parts)
    return not is_hidden and (is_chosen or _LEFT_OUT.isdisjoint(path.parts[:-1]))
