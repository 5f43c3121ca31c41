"""Settings of the site for the official client: the example site, which logs its errors."""

from example_site.settings import *  # noqa: F403
from example_site.settings import BLOG_ENGINE

DEBUG = False
BLOG_ENGINE["api_rate_limit"] = "1000000/m"
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    "root": {"handlers": ["console"], "level": "WARNING"},
}
