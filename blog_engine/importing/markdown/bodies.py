"""The body of a file of Markdown, as the engine reads it, and the files that its links name."""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Final, NamedTuple
from urllib.parse import urljoin

from blog_engine.importing.data import FileRefused, read_text
from blog_engine.importing.folders import file_within, files_under
from blog_engine.importing.heading_ids import FormerIds, IdRule
from blog_engine.importing.markdown.boxes import without_boxes
from blog_engine.importing.markdown.dialects import MDX
from blog_engine.importing.markdown.generator import BodyPlace, Generator, MarkdownSite
from blog_engine.importing.markdown.html import to_our_dialect
from blog_engine.importing.markdown.marks import without_dialect_marks
from blog_engine.importing.markdown.mdx import without_jsx
from blog_engine.importing.markdown.notebooks import LARGEST_NOTEBOOK
from blog_engine.importing.markdown.rst import rest_markdown
from blog_engine.importing.markdown.text import change_outside_code
from blog_engine.importing.old_blog import split_or_none
from blog_engine.importing.source import Losses

_LARGEST: Final = 1024 * 1024
"""Characters; a larger text is no body here, and is passed on as it is."""
_IMAGES: Final = frozenset({".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif"})
_LINK: Final = re.compile(r"(\]\(\s*<?|^ {0,3}\[(?!\^)[^\]\n]+\]:[ \t]*<?)([^\s()<>\"]+)", re.MULTILINE)
_PIECE: Final = (
    r"[^`$\\\n]++|\n(?![ \t>]*\n)"
    # ``\\[2pt]`` is the end of a line with a space below; any other opening bracket begins another formula.
    r"|(?!\\\\\[(?!-?[0-9.]{1,9}[a-z]{2}\]))\\(?:[^][()`$\n]|(?=\n))"
)
"""What a formula consists of; its alternatives begin with different characters, so that it is read in linear time."""
_FORMULA: Final = re.compile(
    # Formulas between dollar signs stay, whatever is in them.
    r"\$\$(?:[^$\\]|\\.)+\$\$|(?<![\\$A-Za-z0-9])\$(?![\s$])(?:[^$\\\n`]|\\.)+\$(?![A-Za-z0-9$])"
    rf"|(?P<before>[A-Za-z0-9])?(?<!\\)(?P<round>\\{{1,2}})\((?P<inline>(?:{_PIECE}){{1,200}}?)"
    r"(?P=round)\)(?P<after>[A-Za-z0-9])?"
    rf"|(?<!\\)(?P<square>\\{{1,2}})\[(?P<display>(?:{_PIECE}){{1,200}}?)(?P=square)\](?![(:\[])"
)
_OPERATOR: Final = re.compile(r"[\\^_={}+<>]")
_CLEAR: Final = re.compile(r"[\s,;:!?)-]|\.(?!\w)|\Z")
_ESCAPE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_WORD: Final = re.compile(r"[^\W\d_]{3}")


class Body(NamedTuple):
    """A body as the engine reads it."""

    text: str
    former_ids: FormerIds = FormerIds()
    """The ids that its headings had."""


def convert_body(text: str, generator: Generator, place: BodyPlace, *, losses: Losses) -> Body:
    """Return the body without template tags, raw HTML and attributes; what is lost is named."""
    if len(text) > _LARGEST:
        return Body(text)
    dialect = generator.dialect
    if place.path.suffix == ".mdx":
        dialect = replace(MDX, typography=dialect.typography)
    dialect = replace(
        dialect,
        has_raw_html=generator.site.has_raw_html,
        has_hard_breaks=generator.site.has_hard_breaks or dialect.has_hard_breaks,
    )
    lines = without_boxes(generator.source_lines(text, losses), dialect, losses)
    text = "\n".join(line for _, line in lines)
    # From here on, lines are those of the text with boxes.
    found = Losses()
    if place.path.suffix == ".mdx":
        text = without_jsx(text, place, found)
    text = generator.without_attributes(generator.without_templates(text, place, found), found)
    text, dialect = without_dialect_marks(text, dialect, found)
    text, former_ids = to_our_dialect(with_dollars(text), dialect, losses=found)
    for loss in found.found:
        line = lines[min(loss.line, len(lines)) - 1][0] if loss.line else None
        losses.add(loss.kind, loss.message, line)
    return Body(_with_links(text, place), former_ids)


def convert_rest(text: str, generator: Generator, place: BodyPlace, *, losses: Losses) -> Body:
    """Return the HTML that reStructuredText was made, as Markdown without template tags."""
    text = _with_links(generator.without_templates(rest_markdown(text, losses), place, losses), place)
    return Body(text, FormerIds(IdRule.DOCUTILS))


def _with_links(text: str, place: BodyPlace) -> str:
    """Return Markdown in which URLs that are relative to the page, not to the file, are relative to the root."""
    new = {url: beside_page(url, place) for url in {found[2] for found in _LINK.finditer(text)}}
    if all(url == there for url, there in new.items()):
        # Looking for code takes as long as all the rest.
        return text
    return change_outside_code(text, _LINK, lambda found: f"{found[1]}{new[found[2]]}")


def convert_html(text: str, generator: Generator, place: BodyPlace, *, losses: Losses) -> Body:
    """Return the body of an HTML file without template tags."""
    return Body(text if len(text) > _LARGEST else generator.without_templates(text, place, losses))


def beside_page(url: str, place: BodyPlace) -> str:
    """Return a URL relative to the page as a path from the root; one of a file, and an absolute one, as it is."""
    parts = split_or_none(url)
    if parts is None:
        return url
    is_relative = not parts.scheme and not parts.netloc and parts.path and not parts.path.startswith("/")
    if not is_relative or place.page_path is None:
        return url
    if place.has_file(parts.path):
        # The page of a file that is not imported has another path than the file.
        other = place.other_page_url(parts.path)
        return url.replace(parts.path, other, 1) if other else url
    # More "../" than folders leave no slash.
    return "/" + urljoin(place.page_path, url).lstrip("/")


class PageNames:
    """The files that links can name: by path, or by their name alone as Hugo and Jekyll allow."""

    def __init__(self, site: MarkdownSite) -> None:
        """Take the site; its files are listed when a bare name is looked for."""
        self._root = site.root
        self._bases = [site.root / folder for folder in site.content]
        self._by_name: dict[str, str] | None = None
        self._site = site
        self._images: dict[str, str | None] | None = None

    def find(self, name: str, *, folder: PurePosixPath) -> str | None:
        """Return the path of the file that a name means in a file of this folder of contents, from ``/``."""
        wanted = name.strip().strip("/")
        nearby = [] if name.startswith("/") else [posixpath.join(folder, wanted)]
        for path in [*nearby, wanted, posixpath.join("_posts", wanted)]:
            found = self._existing(posixpath.normpath(path))
            if found:
                return f"/{found}"
        if self._by_name is None:
            self._by_name = dict(self._names())
        bare = self._by_name.get(wanted.rpartition("/")[2])
        return f"/{bare}" if bare else None

    def has(self, path: str, *, folder: PurePosixPath) -> bool:
        """Return whether there is a file with this path, relative to a folder of the site."""
        return file_within(self._root, posixpath.normpath(posixpath.join(folder, path))) is not None

    def text(self, path: str) -> str | None:
        """Return the text of a file in a folder of contents; ``None`` if there is none that can be read."""
        file = next(filter(None, (file_within(base, path) for base in self._bases)), None)
        try:
            return read_text(file, most=LARGEST_NOTEBOOK) if file else None
        except FileRefused:
            return None

    def image_named(self, name: str) -> str | None:
        """Return the path, from the root of the site, of the only image with a name in the folders of images."""
        if self._images is None:
            self._images = {}
            folders = [self._root / place for place in (*self._site.content, *self._site.static) if place]
            root = self._root.resolve()
            for file in {file for folder in folders if folder.is_dir() for file in files_under(folder)}:
                if file.suffix.lower() in _IMAGES:
                    path = file.relative_to(root).as_posix()
                    self._images[file.name] = None if file.name in self._images else path
        return self._images.get(name)

    def _existing(self, path: str) -> str | None:
        if path.startswith(".."):
            return None
        for ending in ("", ".md", ".mdx", ".markdown", "/index.md", ".html", ".rst"):
            if any(file_within(base, path + ending) for base in self._bases):
                return path + ending
        return None

    def _names(self) -> Iterator[tuple[str, str]]:
        for base in self._bases:
            root = base.resolve()
            for file in files_under(base) if base.is_dir() else ():
                path = PurePosixPath(file.relative_to(root).as_posix())
                if path.suffix.lower() in {".md", ".mdx", ".markdown", ".html", ".rst"}:
                    stem = path.parent.name if path.stem in {"index", "_index"} else path.stem
                    yield from ((name, str(path)) for name in (path.name, stem))


def with_dollars(text: str) -> str:
    r"""Return Markdown whose formulas are between dollar signs.

    With one backslash, Markdown reads ``\(see below\)`` and ``\[sic\]`` as brackets: only what looks like TeX is a
    formula.
    """

    def change(found: re.Match[str]) -> str:
        if found["inline"] and _is_tex(found["inline"], is_marked=found["round"] == "\\\\", is_block=False):
            return _in_line(found)
        if found["display"] and _is_tex(found["display"], is_marked=found["square"] == "\\\\", is_block=True):
            return _block(found, _unescaped(found["display"], found["square"]))
        return found[0]

    return change_outside_code(text, _FORMULA, change)


def _is_tex(text: str, *, is_marked: bool, is_block: bool) -> bool:
    if is_marked or _OPERATOR.search(text):
        return bool(text.strip())
    return not is_block and bool(text.strip()) and not _WORD.search(text)


def _in_line(found: re.Match[str]) -> str:
    """Return a formula in a line, in backticks where it would else be text.

    A character beside it with which it would be none is a character reference.
    """
    tex = " ".join(_unescaped(found["inline"], found["round"]).split())
    is_clear = not found["after"] and _CLEAR.match(found.string, found.end()) and "</" not in tex
    formula = f"${tex}$" if is_clear and (" " not in tex or _OPERATOR.search(tex)) else f"$`{tex}`$"
    before, after = (f"&#{ord(one)};" if one else "" for one in (found["before"], found["after"]))
    beside = " " if found.string.startswith("\\", found.end()) else ""
    return f"{before}{formula}{after}{beside}"


def _unescaped(tex: str, mark: str) -> str:
    """Return the TeX that Markdown left of a formula: with two backslashes around it, all of it was read as text."""
    return _ESCAPE.sub(r"\1", tex) if len(mark) == 2 else tex


def _block(found: re.Match[str], tex: str) -> str:
    """Return a formula as a block of its own, with the marks of the quotation that it is in."""
    text, start = found.string, found.start()
    line_start = text.rfind("\n", 0, start) + 1
    before = text[line_start:start]
    marks = re.match(r"[ \t>]*", before)
    prefix = marks[0] if marks else ""
    lines = [line.strip(" \t>") for line in tex.strip().split("\n")]
    block = f"\n{prefix}".join(["$$", *(line for line in lines if line), "$$"])
    lead = f"\n{prefix}" if before.strip(" \t>") else ""
    rest = text[found.end() : text.find("\n", found.end()) if "\n" in text[found.end() :] else len(text)]
    tail = f"\n{prefix}" if rest.strip() else ""
    return f"{lead}{block}{tail}"
