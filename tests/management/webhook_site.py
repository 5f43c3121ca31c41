"""Settings of a site whose receivers are those of a test."""

import json
import os

from example_site.settings import *  # noqa: F403
from example_site.settings import BLOG_ENGINE

BLOG_ENGINE["public_base_url"] = "https://example.com"
BLOG_ENGINE["notify"] = json.loads(os.environ["WEBHOOK_SITE"])
