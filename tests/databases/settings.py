"""Settings of a host with two databases and the router in the environment."""

import os

import dj_database_url

from example_site.settings import *  # noqa: F403
from example_site.settings import BLOG_ENGINE, DATABASES

SECOND = os.environ["SECOND_ALIAS"]
DATABASES[SECOND] = dj_database_url.parse(os.environ["SECOND_DATABASE_URL"])
DATABASE_ROUTERS = [os.environ["ROUTER"]]
ALLOWED_HOSTS = ["testserver"]
BLOG_ENGINE |= {"public_base_url": "https://example.com"}

if "READ_ONLY" in os.environ:
    postgresql = DATABASES[SECOND]["ENGINE"].endswith("postgresql")
    DATABASES[SECOND]["OPTIONS"] = (
        {"options": "-c default_transaction_read_only=on"} if postgresql else {"init_command": "PRAGMA query_only = ON"}
    )
