"""Settings of a site whose hook holds the first release until the test continues it."""

import os
import time
from pathlib import Path
from typing import Any

from example_site.settings import *  # noqa: F403
from example_site.settings import BLOG_ENGINE

_FOLDER = Path(os.environ["DUE_SITE"])
_PATIENCE = 30


def hold(post: Any, context: Any) -> None:
    """Wait for the file ``go`` in the first release of the post ``held``."""
    arrived = _FOLDER / "arrived"
    if post.slug != "held" or arrived.exists():
        return
    arrived.touch()
    end = time.monotonic() + _PATIENCE
    while not (_FOLDER / "go").exists():
        assert time.monotonic() < end, "the release was not continued"
        time.sleep(0.01)


BLOG_ENGINE["before_publish"] = hold
