"""The configuration of docs/how-to/one-server.md: workers share what was imported before they were forked."""

import gc

from django.urls import get_resolver

preload_app = True


def when_ready(server: object) -> None:
    """Import the rest of the site, and keep the garbage collector from writing to what all workers share."""
    try:
        from blog_engine.public import preload
    except ImportError:  # an earlier version
        get_resolver().url_patterns  # noqa: B018
    else:
        preload()
    gc.freeze()
