"""The picture of shared links to a post without an image: title, author and site in the colours of the host."""

import hashlib
import logging
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from threading import Lock
from time import monotonic
from typing import Final, NamedTuple

from django.core.files.storage import Storage

from blog_engine.conf import get_settings
from blog_engine.conf.colors import flatten, mix
from blog_engine.conf.groups import CANVAS, Mode, host_colors, theme_colors
from blog_engine.conf.load import kept_until_settings_change
from blog_engine.content.text import compact_json
from blog_engine.errors import Unavailable
from blog_engine.images.files import image_storage, list_folder, save_file, unavailable_on_fault
from blog_engine.images.fonts import FontSet, plain_characters
from blog_engine.models import Post

logger = logging.getLogger("blog_engine")

SOCIAL_FOLDER: Final = "blog_engine/social"
"""The folder of these pictures in the storage: at most one for each post."""
SOCIAL_SIZE: Final = (1200, 630)
"""Width and height in pixels."""

_FILE: Final = re.compile(r"(?P<post_id>[0-9]{1,18})(?P<copy>_[A-Za-z0-9]{7})?\.png", re.ASCII)
"""Storages append letters to a name that is taken."""
_VERSION: Final = 2
"""Raised when pictures are drawn in another way."""
LONGEST_TITLE: Final = 300
LONGEST_NAME: Final = 120
_END: Final = b"IEND\xaeB`\x82"
_HEAD: Final = 200
"""The bytes in which the digest is."""

_OWN_LETTERS: Final = re.compile("[ -~¡-¬®-ſΆΈ-ΊΌΎ-ΡΣ-ώЀ-џ]*")
"""Texts for which no font of the machine has to be asked: the engine's own font has these characters."""
_WITH_IDEOGRAPHS: Final = frozenset({"ja", "ko", "yue", "zh"})

_DRAWING: Final = Lock()
_LONGEST_WAIT: Final = 2.0
"""For how many seconds a request waits while the process draws another picture."""
MOST_UNSAVED: Final = 32
"""The pictures that a process keeps although the storage did not take them, each of up to some 100 kB."""
_KEPT_FOR: Final = 60
"""For how many seconds each is kept before it is drawn and saved again."""


@dataclass(frozen=True, slots=True)
class PictureColors:
    """The colours of a picture, opaque."""

    ground: str
    heading: str
    text: str
    accent: str
    soft: str
    second: str


@dataclass(frozen=True, slots=True)
class SocialPicture:
    """All that a picture shows."""

    title: str
    author: str
    """The names of all authors."""
    site: str
    language: str
    """The language of title and author."""
    site_language: str
    colors: PictureColors
    fonts: tuple[str, ...]

    @property
    def digest(self) -> str:
        """The first 32 hexadecimal digits of the SHA-256 of everything that the picture depends on."""
        content = compact_json({"version": _VERSION, **asdict(self)})
        return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def social_picture(
    *, title: str, author: str, coauthors: Iterable[str] = (), language: str = ""
) -> SocialPicture | None:
    """Return the picture for a title and its authors; a name with a letter that no font has is left out.

    ``language`` is the tag of their language, empty for that of the blog. ``None`` if the host wants none, or if this
    machine has no font for most letters of the title.
    """
    settings, shown_title = get_settings(), _shown_title(title)
    if not shown_title:
        return None
    return SocialPicture(
        title=shown_title,
        author=", ".join(filter(None, map(_shown_name, (author, *coauthors)))),
        site=_shown_name(settings.site_name),
        language=_language_of(shown_title, language) or settings.language,
        site_language=settings.language,
        colors=_picture_colors(),
        fonts=settings.social_pictures.fonts,
    )


def picture_of_post(post: Post) -> SocialPicture | None:
    """Return the picture that is drawn for a post without an image; ``None`` if nothing can be drawn."""
    first, *others = post.byline
    return social_picture(title=post.title, author=first, coauthors=others, language=post.language)


def has_social_picture(title: str) -> bool:
    """Return whether there is a picture for a title."""
    return bool(_shown_title(title))


def _shown_title(title: str) -> str:
    """Return a title as pictures show it; empty if it has none."""
    if not get_settings().social_pictures.enabled:
        return ""
    shown = plain_characters(title[:LONGEST_TITLE])
    return shown if _OWN_LETTERS.fullmatch(shown) else font_set().with_boxes(shown)


def _shown_name(name: str) -> str:
    """Return the name of an author or site as pictures show it; empty if no font has one of its letters."""
    shown = plain_characters(name[:LONGEST_NAME])
    return shown if _OWN_LETTERS.fullmatch(shown) or not font_set().missing(shown) else ""


def letters_without_font(*texts: str) -> str:
    """Return the letters and digits of texts that no font of this machine has."""
    return font_set().missing(" ".join(map(plain_characters, texts)))


@kept_until_settings_change
def font_set() -> FontSet:
    """Return the fonts of this machine, read once."""
    return FontSet(get_settings().social_pictures.fonts)


@kept_until_settings_change
def _picture_colors() -> PictureColors:
    settings = get_settings()
    mode: Mode = "dark" if settings.color_scheme == "dark" else "light"
    colors = theme_colors(mode, look=settings.look) | host_colors(settings.colors, mode, look=settings.look)
    ground = flatten(colors["surface"], CANVAS[mode])
    shown = {name: flatten(colors[name], ground) for name in ("heading", "text_muted", "accent")}
    return PictureColors(
        ground=ground,
        heading=shown["heading"],
        text=shown["text_muted"],
        accent=shown["accent"],
        soft=mix(shown["accent"], ground, share=0.12),
        second=mix(shown["accent"], ground, share=0.3),
    )


def stored_social_picture(picture: SocialPicture, *, post_id: int) -> bytes | None:
    """Return a picture as PNG from the storage, where it is drawn first if it is not there.

    It overwrites the picture for the post's previous content. A file that a crash left incomplete is drawn again. A
    picture that the storage does not take is returned all the same. Returns ``None`` if it cannot be drawn. Raises
    ``Unavailable`` while this process draws others for long and after many that the storage did not take, and any
    exception of the storage when it is read.
    """
    storage, name, digest = image_storage(), f"{SOCIAL_FOLDER}/{post_id}.png", picture.digest
    kept = _kept(storage, name, digest) or _unsaved().find(digest)
    if kept is not None:
        return kept
    if not _DRAWING.acquire(timeout=_LONGEST_WAIT):
        raise Unavailable
    try:
        # Another request may have drawn it meanwhile.
        kept = _kept(storage, name, digest) or _unsaved().find(digest)
        return kept or _draw_and_keep(storage, name, picture)
    finally:
        _DRAWING.release()


class _UnsavedPictures:
    """Pictures that the storage did not take, by their digest."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[float, bytes]] = {}
        self._changing = Lock()

    def find(self, digest: str) -> bytes | None:
        """Return a picture that is still kept."""
        with self._changing:
            self._forget_old()
            found = self._kept.get(digest)
        return found[1] if found else None

    def is_full(self) -> bool:
        """Return whether no other picture can be kept now."""
        with self._changing:
            self._forget_old()
            return len(self._kept) >= MOST_UNSAVED

    def keep(self, digest: str, data: bytes) -> None:
        """Keep a picture from now on."""
        with self._changing:
            self._kept.pop(digest, None)
            self._kept[digest] = monotonic() + _KEPT_FOR, data

    def _forget_old(self) -> None:
        now = monotonic()
        for digest in [digest for digest, (ends, _) in self._kept.items() if ends <= now]:
            del self._kept[digest]


@kept_until_settings_change
def _unsaved() -> _UnsavedPictures:
    return _UnsavedPictures()


class PictureFile(NamedTuple):
    """A file in the folder of pictures."""

    name: str
    post_id: int | None
    """The post that it belongs to; ``None`` for a copy that a killed process left, and for what others wrote."""
    is_ours: bool
    """Whether the engine wrote it."""


def picture_files() -> Iterator[PictureFile]:
    """Yield the files in the folder of pictures. Raises ``Unavailable`` when the storage cannot be listed."""
    folders, files = list_folder(image_storage(), SOCIAL_FOLDER)
    for name in (*files, *(f"{folder}/" for folder in folders)):
        ours = _FILE.fullmatch(name)
        post_id = int(ours["post_id"]) if ours and not ours["copy"] else None
        yield PictureFile(f"{SOCIAL_FOLDER}/{name}", post_id, is_ours=ours is not None)


def _kept(storage: Storage, name: str, digest: str) -> bytes | None:
    try:
        with storage.open(name, "rb") as file:
            data = bytes(file.read())
    except FileNotFoundError:
        return None
    return data if digest.encode() in data[:_HEAD] and data.endswith(_END) else None


def _draw_and_keep(storage: Storage, name: str, picture: SocialPicture) -> bytes | None:
    if _unsaved().is_full():
        raise Unavailable
    from blog_engine.images.social_drawing import draw_social_picture

    try:
        data = draw_social_picture(picture)
    except Exception:
        # Neither Pillow nor its libraries document theirs; a file of a font may be damaged.
        logger.exception("The picture %s could not be drawn.", name)
        return None
    try:
        with unavailable_on_fault(f"The picture {name} could not be saved."):
            storage.delete(name)
            written = save_file(storage, name, data, content_type="image/png")
            if written != name:
                # Another process was faster, and its picture is as good as this one.
                storage.delete(written)
    except Unavailable:
        # Also another process can be at fault, which deleted the file while this one wrote it.
        _unsaved().keep(picture.digest, data)
    return data


def _language_of(title: str, language: str) -> str:
    """Return the language that decides on the forms of the Chinese characters in a title; may be empty.

    That of the post, if such characters are written in it, else the one whose own letters the title has.
    """
    if language.partition("-")[0].lower() in _WITH_IDEOGRAPHS:
        return language
    names = [unicodedata.name(character, "") for character in title]
    if any(name.startswith(("HIRAGANA", "KATAKANA")) for name in names):
        return "ja"
    return "ko" if any(name.startswith("HANGUL") for name in names) else language
