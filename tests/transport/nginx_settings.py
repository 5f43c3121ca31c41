"""The example site with pages that nginx may keep."""

from example_site.settings import *  # noqa: F403
from example_site.settings import BLOG_ENGINE

ALLOWED_HOSTS = ["127.0.0.1"]
BLOG_ENGINE["page_cache"] = {"shared_seconds": 60}
