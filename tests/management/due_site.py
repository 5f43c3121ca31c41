"""Settings of a site whose hook stops the first release until it is let go: ``publish_due_posts`` in a process."""

import os
import time
from pathlib import Path
from typing import Any

from example_site.settings import *  # noqa: F403
from example_site.settings import BLOG_ENGINE

_FOLDER = Path(os.environ["DUE_SITE"])
_PATIENCE = 30


def hold(post: Any, context: Any) -> None:
    """Wait in the release of a post called ``held``, the first time, for the file ``go``."""
    arrived = _FOLDER / "arrived"
    if post.slug != "held" or arrived.exists():
        return
    arrived.touch()
    end = time.monotonic() + _PATIENCE
    while not (_FOLDER / "go").exists():
        assert time.monotonic() < end, "nobody let the release go"
        time.sleep(0.01)


BLOG_ENGINE["before_publish"] = hold
