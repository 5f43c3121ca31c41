"""Settings of the site that schemathesis calls: the example site, with a rate limit that no run reaches."""

from example_site.settings import *  # noqa: F403
from example_site.settings import BLOG_ENGINE, MIDDLEWARE

DEBUG = False
MIDDLEWARE = [*MIDDLEWARE, "tests.support.clients.answers_are_documented"]
BLOG_ENGINE["api_rate_limit"] = "1000000/m"
