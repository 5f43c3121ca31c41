"""Redirects of an exported blog: nginx answers them as the blog did, and the lines for other hosts are whole."""

import shutil
import socket
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import httpx
import pytest

from tests.exporting.originals import Original
from tests.requirements import requirement
from tests.support.programs import environment, nginx_program, start, stop
from tests.support.servers import free_port

pytestmark = pytest.mark.xdist_group("exporting")

_NGINX = """
daemon off;
master_process off;
pid {folder}/pid;
error_log {folder}/errors;
events {{}}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  map_hash_bucket_size 4096;
  include {export}/nginx/redirects.map;
  server {{
    listen 127.0.0.1:{port};
    if ($blog_gone) {{ return 410; }}
    if ($blog_redirect) {{ return 301 $blog_redirect; }}
    location / {{ return 404; }}
  }}
}}
"""


@pytest.fixture(scope="module")
def nginx(original: Original) -> Iterator[httpx.Client]:
    """A client of an nginx with the map of the export, and with no files."""
    folder = Path(tempfile.mkdtemp(prefix="blog_engine_nginx_"))
    with free_port() as listener:
        port = listener.getsockname()[1]
    config = folder / "nginx.conf"
    config.write_text(_NGINX.format(folder=folder, export=original.folder, port=port), "utf-8")
    program = start([str(nginx_program()), "-e", str(folder / "errors"), "-c", str(config)], env=environment())
    try:
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        else:
            pytest.fail((folder / "errors").read_text("utf-8"))
        with httpx.Client(base_url=f"http://127.0.0.1:{port}") as client:
            yield client
    finally:
        stop(program)
        shutil.rmtree(folder)


def target_in(response: httpx.Response) -> str:
    """Return where a response leads, without the origin of nginx."""
    return str(response.headers.get("Location", "")).removeprefix(
        f"{response.url.scheme}://{response.url.netloc.decode()}"
    )


@pytest.mark.nginx
@pytest.mark.heavy
@requirement("export.redirects.nginx")
def test_nginx_answers_former_urls_as_the_blog_did(original: Original, nginx: httpx.Client) -> None:
    rows = {row["old_path"]: row["new_path"] for row in original.rows["Redirect"]}

    answers = {path: nginx.get(path) for path in rows}

    assert len(rows) > 8
    assert {path: answer.status_code for path, answer in answers.items()} == {
        path: 410 if target is None else 301 for path, target in rows.items()
    }
    targets = {path: target_in(answer) for path, answer in answers.items() if answer.status_code == 301}
    assert {path: unquote(target) for path, target in targets.items()} == {
        path: unquote(target) for path, target in rows.items() if target is not None
    }


@pytest.mark.nginx
@pytest.mark.heavy
@requirement("export.redirects.nginx")
@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("/2019/05/old.html/", (301, "/blog/stone")),
        ("/2019/05/old.html?utm=1", (301, "/blog/stone")),
        ("/alte-stra%c3%9fe", (301, "/blog/stone")),
        ("/?p=17", (301, "/blog/stone")),
        ("/?p=18", (404, "")),
        ("/", (404, "")),
        ("/blog/?page=2", (301, "/blog/page/2/")),
        ("/blog/tag/tides?page=2", (301, "/blog/tag/tides/page/2/")),
        ("/blog/stone?page=2", (404, "")),
    ],
)
def test_nginx_compares_paths_as_the_blog_does(nginx: httpx.Client, path: str, answer: tuple[int, str]) -> None:
    response = nginx.get(path)

    assert (response.status_code, target_in(response)) == answer


@requirement("export.redirects.lines")
def test_each_line_for_other_hosts_has_a_path_and_a_target(original: Original) -> None:
    lines = (original.folder / "static" / "_redirects").read_text("utf-8").splitlines()
    rules = [line.split(" ") for line in lines if not line.startswith("#")]

    assert all(rule[0].startswith("/") and rule[-1] in {"301", "301!"} and rule[-2] for rule in rules)
    assert all(line.isascii() and line.isprintable() for line in lines)
    assert ["/", "p=17", "/blog/stone", "301!"] in rules
    assert ["/2019/05/old.html", "/blog/stone", "301"] in rules
    assert ["/blog/", "page=:number", "/blog/page/:number/", "301!"] in rules
    assert "# gone: /gone/for/good" in lines
