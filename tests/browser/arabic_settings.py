"""The same site in a language that is written from right to left."""

from tests.browser.site_settings import *  # noqa: F403
from tests.browser.site_settings import BLOG_ENGINE

BLOG_ENGINE["locale"] = "ar"
