"""A site that a server loads once, before it forks its processes."""

from pathlib import Path

from tests.requirements import requirement
from tests.support.servers import environment_of, run_python

_LOAD = """
import os, threading
import example_site.wsgi, example_site.urls
from django.db import connections
from blog_engine.public import preload

preload()

opened = [os.path.basename(os.path.realpath(f"/proc/self/fd/{name}")) for name in os.listdir("/proc/self/fd")]
print(threading.active_count(), sum(name.startswith("socket:") for name in opened))
print([one.alias for one in connections.all() if one.connection is not None])
"""


@requirement("host.preload")
def test_loading_the_site_opens_nothing_that_processes_must_not_share(tmp_path: Path) -> None:
    site = environment_of(tmp_path, settings="example_site.settings", origin="http://localhost")

    assert run_python(site, "-c", _LOAD).split("\n")[:2] == ["1 0", "[]"]
