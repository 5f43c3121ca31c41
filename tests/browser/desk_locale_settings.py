"""The desk in the language that ``BLOG_LOCALE`` names."""

import os

from tests.browser.desk_settings import *  # noqa: F403
from tests.browser.desk_settings import BLOG_ENGINE

LANGUAGE_CODE = os.environ["BLOG_LOCALE"].lower()
BLOG_ENGINE["locale"] = LANGUAGE_CODE
