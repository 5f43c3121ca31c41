"""Drawing the picture of shared links."""

from functools import lru_cache
from io import BytesIO
from typing import Final

from PIL import Image as PillowImage
from PIL import ImageDraw
from PIL.PngImagePlugin import PngInfo

from blog_engine.content.bidi import is_right_to_left
from blog_engine.images.lettering import Block, Lettering
from blog_engine.images.social import SOCIAL_SIZE, PictureColors, SocialPicture, font_set

_MARGIN: Final = 80
_SIZES: Final = tuple(range(108, 48, -4))
MOST_LINES: Final = 4
_TITLE_TOP: Final = 176
_TITLE_HEIGHT: Final = 304
_NAME_SIZE: Final = 36
_SITE_BASELINE: Final = 112
_AUTHOR_BASELINE: Final = 556
_AUTHOR_WIDTH: Final = 740
_BAR: Final = 14
_INDENT: Final = 34
_SUPERSAMPLED: Final = 3
_DIGEST_KEY: Final = "Digest"


def draw_social_picture(picture: SocialPicture) -> bytes:
    """Return a picture as PNG, 1200 pixels wide and 630 high."""
    fonts, is_rtl = font_set(), is_right_to_left(picture.title)
    title = Lettering(fonts, is_bold=True, language=picture.language, is_rtl=is_rtl)
    site = Lettering(fonts, is_bold=False, language=picture.site_language, is_rtl=is_rtl)
    author = Lettering(fonts, is_bold=False, language=picture.language, is_rtl=is_rtl)
    image = _background(picture.colors, is_rtl=is_rtl).copy()
    canvas = ImageDraw.Draw(image)
    width = SOCIAL_SIZE[0] - 2 * _MARGIN
    block = title.fitted(picture.title, width=width, height=_TITLE_HEIGHT, sizes=_SIZES, most_lines=MOST_LINES)
    _draw_title(canvas, title, block, fill=picture.colors.heading)
    for lettering, text, baseline, color, indent, most in (
        (site, picture.site, _SITE_BASELINE, picture.colors.text, _INDENT, width - _INDENT),
        # As far as the discs.
        (author, picture.author, _AUTHOR_BASELINE, picture.colors.heading, 0, _AUTHOR_WIDTH),
    ):
        shown = lettering.shortened(text, width=most / _NAME_SIZE)
        _draw_line(canvas, lettering, shown, y=baseline, size=_NAME_SIZE, fill=color, indent=indent)
    target, info = BytesIO(), PngInfo()
    info.add_text(_DIGEST_KEY, picture.digest)
    # A third faster than the default, for 10 % more bytes.
    image.save(target, "PNG", pnginfo=info, compress_level=3)
    return target.getvalue()


@lru_cache(maxsize=2)
def _background(colors: PictureColors, *, is_rtl: bool) -> PillowImage.Image:
    """Return the empty picture: discs in the corner where lines end, and a mark of the accent before the name."""
    width, height = (side * _SUPERSAMPLED for side in SOCIAL_SIZE)
    large = PillowImage.new("RGB", (width, height), colors.ground)
    canvas = ImageDraw.Draw(large)
    for x, y, radius, color in (
        (1130, 590, 300, colors.soft),
        (1010, 660, 150, colors.second),
        (_MARGIN + 9, _SITE_BASELINE - 12, 9, colors.accent),
    ):
        left = SOCIAL_SIZE[0] - x if is_rtl else x
        canvas.circle((left * _SUPERSAMPLED, y * _SUPERSAMPLED), radius * _SUPERSAMPLED, fill=color)
    canvas.rectangle((0, 0, width, _BAR * _SUPERSAMPLED - 1), fill=colors.accent)
    return large.resize(SOCIAL_SIZE, PillowImage.Resampling.BOX)


def _draw_title(canvas: ImageDraw.ImageDraw, lettering: Lettering, block: Block, *, fill: str) -> None:
    top = _TITLE_TOP + (_TITLE_HEIGHT - block.height) / 2
    for number, line in enumerate(block.lines):
        baseline = top + block.ink.above * block.size + number * block.step
        _draw_line(canvas, lettering, line, y=baseline, size=block.size, fill=fill)


def _draw_line(
    canvas: ImageDraw.ImageDraw, lettering: Lettering, text: str, *, y: float, size: int, fill: str, indent: int = 0
) -> None:
    """Draw a line at the margin where lines start."""
    x: float = _MARGIN + indent
    if lettering.is_rtl:
        x = SOCIAL_SIZE[0] - x - lettering.width(text) * size
    lettering.draw(canvas, text, x=x, y=y, size=size, fill=fill)
