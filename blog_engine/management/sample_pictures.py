"""The cover of a sample article, drawn when it is needed so that the package ships no picture."""

from io import BytesIO
from math import cos, pi, sin

from PIL import Image, ImageDraw

SIZE = (1200, 630)

_SCALE = 2
_SKY, _SUN, _FAR, _MIDDLE = "#f6e7d8", "#c6512c", "#b9cdbf", "#6f9c86"
_EARTH, _ROW, _LEAF, _STEM, _SNOW = "#123d34", "#1d5647", "#2f8a6c", "#dfeadf", "#fbfcf9"


def winter_garden() -> bytes:
    """A PNG of 1200 by 630 pixels: leeks in rows under a low sun."""
    width, height = (_SCALE * side for side in SIZE)
    picture = Image.new("RGB", (width, height), _SKY)
    draw = ImageDraw.Draw(picture)
    draw.circle((0.72 * width, 0.42 * height), 0.17 * height, fill=_SUN)
    _hill(draw, width, height, base=0.52, swell=0.07, waves=1.1, color=_FAR)
    _hill(draw, width, height, base=0.6, swell=0.05, waves=1.7, color=_MIDDLE)
    draw.rectangle((0, 0.66 * height, width, height), fill=_EARTH)
    for row in range(-7, 8):
        draw.line(
            (width / 2 + row * 0.035 * width, 0.66 * height, width / 2 + row * 0.16 * width, height),
            fill=_ROW,
            width=7 * _SCALE,
        )
    for depth in range(3):
        for plant in range(5 + 2 * (2 - depth)):
            _leek(draw, width, height, depth=depth, plant=plant)
    for flake in range(90):
        x, y = (flake * 0.6180339 % 1) * width, (flake * 0.7548777 % 1) * 0.62 * height
        draw.circle((x, y), (2 + flake % 3) * _SCALE, fill=_SNOW)
    file = BytesIO()
    picture.resize(SIZE, Image.Resampling.LANCZOS).save(file, "PNG", optimize=True)
    return file.getvalue()


def _hill(
    draw: ImageDraw.ImageDraw, width: int, height: int, *, base: float, swell: float, waves: float, color: str
) -> None:
    top = [(x, (base - swell * sin(waves * pi * x / width + waves)) * height) for x in range(0, width + 1, 20)]
    draw.polygon([(0, height), *top, (width, height)], fill=color)


def _leek(draw: ImageDraw.ImageDraw, width: int, height: int, *, depth: int, plant: int) -> None:
    count = 5 + 2 * (2 - depth)
    size = (0.1 + 0.06 * depth) * height
    spread = 0.62 + 0.16 * depth
    x = width * (0.5 + spread * ((plant + 0.5) / count - 0.5))
    foot = height * (0.735 + 0.115 * depth)
    head = foot - 0.62 * size
    thick = max(4, int(0.15 * size))
    for turn in (-40, -24, -8, 8, 24, 40):
        angle = turn * pi / 180
        tip = (x + size * 0.66 * sin(angle), head - size * 0.66 * cos(angle))
        side = (thick * 0.5 * cos(angle), thick * 0.5 * sin(angle))
        draw.polygon([(x - side[0], head - side[1]), (x + side[0], head + side[1]), tip], fill=_LEAF)
    draw.line((x, foot, x, head), fill=_STEM, width=thick)
