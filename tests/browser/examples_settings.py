"""The settings with which the blog of the examples is made, with the static files of all of them."""

from pathlib import Path

from tests.browser.chromium import EXAMPLES
from tests.browser.site_settings import *  # noqa: F403
from tests.browser.site_settings import STATICFILES_DIRS

STATICFILES_DIRS = [
    *STATICFILES_DIRS,
    *(Path(__file__).resolve().parents[2] / "examples" / name / "static" for name in EXAMPLES),
]
