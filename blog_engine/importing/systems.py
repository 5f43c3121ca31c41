"""Opening the source of an import, whatever the system and however it was packed."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Final, Protocol

from blog_engine.archives import ArchiveRefused, is_archive, unpacked
from blog_engine.importing.built_site import VerifiedSource
from blog_engine.importing.ghost.source import open_ghost
from blog_engine.importing.markdown.source import open_markdown
from blog_engine.importing.medium import open_medium
from blog_engine.importing.source import Item, Source, SourceRefused
from blog_engine.importing.substack import open_substack
from blog_engine.importing.wordpress.source import open_wordpress


class _Opener(Protocol):
    def __call__(self, path: Path, *, url: str | None, media: Path | None) -> Source: ...


SYSTEMS: Final[Mapping[str, _Opener]] = MappingProxyType(
    {
        "wordpress": open_wordpress,
        "ghost": open_ghost,
        "substack": open_substack,
        "medium": open_medium,
        "markdown": open_markdown,
    }
)
"""The systems whose blogs can be imported."""


@contextmanager
def opened_source(
    system: str,
    written: str,
    *,
    url: str | None,
    media: str | None,
    sections: Sequence[str] = (),
    verify: str | None = None,
) -> Iterator[Source]:
    """Open the file, folder or archive, or several: separated by commas, or as a pattern such as ``export*.xml``.

    ``media`` is a folder with the images, or an archive of it. ``sections`` are the folders of a site of Markdown
    whose files are posts, ``verify`` is the folder or archive of the built site. Archives (zip, tar.gz) are unpacked
    for the time of the block. Raises ``SourceRefused``.
    """
    opener = partial(open_markdown, sections=sections) if system == "markdown" else SYSTEMS[system]
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(unpacked(Path(media))) if media else None
            built = stack.enter_context(unpacked(Path(verify))) if verify else None
            parts = [_unpacked(path, stack) for path in _paths_in(written)]
        except ArchiveRefused as fault:
            raise SourceRefused(str(fault)) from fault
        sources = [opener(part, url=url, media=folder) for part in parts]
        source = sources[0] if len(sources) == 1 else _Several.of(sources)
        yield VerifiedSource(source, built) if built else source


def _paths_in(written: str) -> list[Path]:
    """Return the paths that were written; a path with such a name comes before a list and a pattern."""
    if Path(written).exists():
        return [Path(written)]
    paths: list[Path] = []
    for part in filter(None, map(str.strip, written.split(","))):
        pattern = Path(part)
        found = [pattern] if pattern.exists() else sorted(pattern.parent.glob(pattern.name), key=str)
        if not found:
            raise SourceRefused(f"{part}: there is no such file or folder.")
        paths += found
    if not paths:
        raise SourceRefused("SOURCE names no file or folder.")
    return paths


def _unpacked(path: Path, stack: ExitStack) -> Path:
    # A document of an office program is a zip as well, but no export is one under another name.
    return stack.enter_context(unpacked(path)) if not path.is_dir() and is_archive(path) else path


@dataclass(slots=True)
class _Several:
    """Several files of one blog."""

    sources: list[Source]
    system: str
    blog: str
    url: str | None

    @property
    def sought(self) -> str:
        return " ".join(dict.fromkeys(source.sought for source in self.sources))

    @classmethod
    def of(cls, sources: list[Source]) -> "_Several":
        """Raise ``SourceRefused`` for files of different blogs."""
        first = sources[0]
        if len({source.blog for source in sources}) > 1:
            names = ", ".join(sorted({source.blog for source in sources}))
            raise SourceRefused(f"The files are of different blogs ({names}): import one blog at a time, or send URL=.")
        return cls(sources, first.system, first.blog, first.url)

    def items(self) -> Iterator[Item]:
        for source in self.sources:
            yield from source.items()

    def image_file(self, url: str) -> Path | None:
        found = (source.image_file(url) for source in self.sources)
        return next(filter(None, found), None)
