"""The configuration of docs/how-to/one-server.md: workers share what was imported before they were forked."""

import gc
from importlib import import_module

preload_app = True


def when_ready(server: object) -> None:
    """Import the rest of the site, and keep the garbage collector from writing to what all workers share."""
    import_module("benchmarks.speed.urls")
    gc.freeze()
