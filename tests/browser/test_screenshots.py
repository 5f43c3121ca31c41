"""Screenshots of the main pages, kept as artifacts."""

from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.browser.chromium import Reader

pytestmark = [pytest.mark.browser, pytest.mark.heavy, pytest.mark.xdist_group("browser_screenshots")]

_FOLDER = Path(__file__).resolve().parents[2] / "artifacts" / "screenshots"
_PAGES = ["index", "article", "category", "search", "policy", "history", "history_changes", "not_found"]
_LOOKS: dict[str, dict[str, Any]] = {
    "light": {"width": 1280, "color_scheme": "light"},
    "dark": {"width": 1280, "color_scheme": "dark"},
    "phone": {"width": 390, "color_scheme": "light", "device_scale_factor": 2, "is_mobile": True, "has_touch": True},
}
_SHOW_IMAGES = """async () => {
  for (const image of document.images) image.loading = "eager";
  await Promise.all([...document.images].map((image) => image.decode()));
}"""


@pytest.mark.parametrize("look", _LOOKS)
@pytest.mark.parametrize("name", _PAGES)
def test_a_picture_of_the_whole_page(reader: Reader, name: str, look: str) -> None:
    page = reader.open(name, **_LOOKS[look])
    page.evaluate(_SHOW_IMAGES)

    shot = page.screenshot(full_page=True, animations="disabled")

    picture = Image.open(BytesIO(shot))
    assert picture.width == _LOOKS[look]["width"] * _LOOKS[look].get("device_scale_factor", 1)
    colours = picture.convert("RGB").getcolors(maxcolors=picture.width * picture.height)
    assert colours is not None
    assert len(colours) > 50
    _keep(shot, name=f"{name}-{look}")


def _keep(shot: bytes, *, name: str) -> None:
    _FOLDER.mkdir(parents=True, exist_ok=True)
    (_FOLDER / f"{name}.png").write_bytes(shot)
