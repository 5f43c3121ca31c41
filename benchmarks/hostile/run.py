"""Send every hostile request to the API and measure its cost.

Run ``python benchmarks/hostile/run.py [part of a name …]``. It prints status, processor time and memory of each
request, and exits with 1 when one takes more than 2 s or 150 MB, or is answered with 500. Each request runs in a
separate process that has answered a small request before. One that takes too long is sent up to three times and its
least time counts: a shared machine is now and then half as fast.
"""

import logging
import os
import resource
import shutil
import sys
import tempfile
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

import edits
import styles
from bodies import Case, cases

MOST_SECONDS = 2.0
MOST_MEGABYTES = 150
ATTEMPTS = 3
API = "/blog/api/v1"


class Cost(NamedTuple):
    """The cost of a request: processor time in seconds, and megabytes above the idle process."""

    status: int
    seconds: float
    megabytes: float


def main(parts: list[str]) -> int:
    """Measure the requests whose names have one of the parts (default: all); return the exit status."""
    with tempfile.TemporaryDirectory() as folder:
        token = prepare(Path(folder))
        every = chain(cases(), edits.cases(), styles.cases())
        found = [(case.name, print_cost(case, least_cost_of(case, token))) for case in every if is_named(case, parts)]
    too_much = [name for name, fits in found if not fits]
    print(f"{len(found)} requests; over {MOST_SECONDS} s, {MOST_MEGABYTES} MB or 500: {', '.join(too_much) or 'none'}")
    return int(bool(too_much))


def is_named(case: Case, parts: list[str]) -> bool:
    """Return whether the name of a case contains one of the parts; without parts, true."""
    return not parts or any(part in case.name for part in parts)


def prepare(folder: Path) -> str:
    """Set up a blog with a new SQLite database; return the secret of a token."""
    os.environ |= {"DATABASE_URL": f"sqlite:///{folder}/db.sqlite3", "DJANGO_SETTINGS_MODULE": "example_site.settings"}
    sys.path.insert(0, str(Path(__file__).parents[2]))
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.test import override_settings
    from django.utils import timezone

    changed = {"body_formats": ["markdown", "rich_text"], "api_rate_limit": "1000000/m"}
    blog = settings.BLOG_ENGINE | changed
    override_settings(BLOG_ENGINE=blog, ALLOWED_HOSTS=["*"], MEDIA_ROOT=folder / "media").enable()
    call_command("migrate", verbosity=0)
    logging.disable()
    from blog_engine.services.tokens import create_token

    return create_token("Bench", scopes=["read", "write", "publish"], expires_at=None, now=timezone.now()).secret


def least_cost_of(case: Case, token: str) -> Cost:
    """Return the cost of a request, of up to three attempts the least."""
    cost = cost_of(case, token=token)
    for _ in range(1, ATTEMPTS):
        if cost.seconds > MOST_SECONDS:
            cost = min(cost, cost_of(case, token=token), key=lambda one: one.seconds)
    return cost


def cost_of(case: Case, *, token: str) -> Cost:
    """Answer one request in a child process."""
    from django.db import connections

    connections.close_all()
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            # Not in the parent, whose heap would grow with each case and slow down the processes that share it.
            content = case.content()
            use_copy(connections["default"].settings_dict)
            answer = send("post", "/posts", {"title": "Warm", "body": "*a*"}, token)
            for one in case.before:
                answer = send(one.method, one.path, one.content(), token)
                if answer.status_code >= 400:
                    raise RuntimeError(f"{case.name}: {one.name} was refused: {answer.content[:300]!r}")
            path = case.path.replace("{preview}", preview_path(answer))
            Path("/proc/self/clear_refs").write_text("5")
            idle, before = memory("VmRSS"), processor_time()
            answer = send(case.method, path, content, token)
            os.write(writing, f"{answer.status_code} {processor_time() - before} {memory('VmHWM') - idle}".encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        answer = pipe.read().split()
    os.waitpid(child, 0)
    return Cost(int(answer[0]), float(answer[1]), float(answer[2])) if answer else Cost(500, 0, 0)


def use_copy(database: dict[str, Any]) -> None:
    """Use a copy of the database, so that later requests do not see the changes."""
    database["NAME"] = shutil.copy(database["NAME"], Path(database["NAME"]).with_name(f"{os.getpid()}.sqlite3"))


def send(method: str, path: str, content: dict[str, Any] | bytes, token: str) -> Any:
    """Send a request and return the response."""
    from django.contrib.auth import get_user_model
    from django.test import Client

    if path.startswith("/admin/"):
        client = Client(raise_request_exception=False)
        client.force_login(get_user_model().objects.get_or_create(username="Ann", is_superuser=True, is_staff=True)[0])
        return getattr(client, method)(path, content)
    if path.startswith("/blog/"):
        return Client(raise_request_exception=False).get(path)
    client = Client(headers={"Authorization": f"Bearer {token}"}, raise_request_exception=False)
    sent = {} if method == "get" else {"content_type": "application/json"}
    return getattr(client, method)(API + path, content, **sent)


def preview_path(answer: Any) -> str:
    """Return the path of the preview of the proposal in an answer, if there is one."""
    sent = answer.json() if answer["Content-Type"].startswith("application/json") else {}
    url = sent["proposal"]["preview_url"] if isinstance(sent.get("proposal"), dict) else ""
    return urlsplit(url or "").path


def processor_time() -> float:
    """Return the processor time of this process in seconds."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def memory(name: str) -> float:
    """Return a value of ``/proc/self/status`` in megabytes."""
    rows = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(rows[name].split()[0]) / 1024


def print_cost(case: Case, cost: Cost) -> bool:
    """Print the line of a case; return whether its cost is within the limits."""
    fits = cost.seconds <= MOST_SECONDS and cost.megabytes <= MOST_MEGABYTES and cost.status < 500
    print(
        f"{case.name:45} {cost.status} {cost.seconds:6.2f} s {cost.megabytes:6.0f} MB {'' if fits else '!'}", flush=True
    )
    return fits


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
