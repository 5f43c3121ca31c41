"""Settings of a site for one test: ``WEBHOOK_SITE`` has its receivers, ``DUE_SITE`` the folder of its signals.

With ``DUE_SITE`` a hook holds the first release until the test continues it.
"""

import json
import os
import time
from pathlib import Path
from typing import Any

from example_site.settings import *  # noqa: F403
from example_site.settings import BLOG_ENGINE

_PATIENCE = 30


def hold(post: Any, context: Any) -> None:
    """Wait for the file ``go`` in the first release of the post ``held``."""
    folder = Path(os.environ["DUE_SITE"])
    arrived = folder / "arrived"
    if post.slug != "held" or arrived.exists():
        return
    arrived.touch()
    end = time.monotonic() + _PATIENCE
    while not (folder / "go").exists():
        assert time.monotonic() < end, "the release was not continued"
        time.sleep(0.01)


if "DUE_SITE" in os.environ:
    BLOG_ENGINE["before_publish"] = hold
if "WEBHOOK_SITE" in os.environ:
    BLOG_ENGINE["public_base_url"] = "https://example.com"
    BLOG_ENGINE["notify"] = json.loads(os.environ["WEBHOOK_SITE"])
