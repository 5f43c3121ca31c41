"""The same site in the language that ``BLOG_LOCALE`` names."""

import os

from tests.browser.site_settings import *  # noqa: F403
from tests.browser.site_settings import BLOG_ENGINE

BLOG_ENGINE["locale"] = os.environ["BLOG_LOCALE"]
