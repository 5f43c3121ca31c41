"""The configuration of docs/how-to/one-server.md: workers share what was imported before they were forked."""

import gc

preload_app = True


def when_ready(server: object) -> None:
    """Import the rest of the site, and keep the garbage collector from writing to what all workers share."""
    import benchmarks.speed.urls  # noqa: F401

    gc.freeze()
