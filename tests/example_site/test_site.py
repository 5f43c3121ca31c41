import sys
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

from example_site.middleware import POLICY
from example_site.settings import BASE_DIR
from tests.requirements import requirement
from tests.support.programs import environment, output_of, run


@pytest.mark.parametrize("path", ["/", "/about/responsible-party/", "/admin/login/"])
@pytest.mark.django_db
def test_pages_of_the_host_are_served_under_a_strict_policy(client: Client, path: str) -> None:
    answer = client.get(path)

    assert (answer.status_code, answer.headers["Content-Security-Policy"]) == (200, POLICY)


def test_the_policy_allows_nothing_inline_and_nothing_foreign() -> None:
    assert "default-src 'self'" in POLICY
    assert not any(word in POLICY for word in ["unsafe", "data:", "http", "*"])


@pytest.mark.django_db
def test_an_editor_can_enter_the_admin(client: Client) -> None:
    client.force_login(User.objects.create_superuser("ada"))

    assert client.get("/admin/").status_code == 200


@requirement("host.example-site")
@pytest.mark.heavy
def test_manage_works_from_any_folder(tmp_path: Path) -> None:
    command = [sys.executable, str(BASE_DIR / "manage.py"), "check"]

    outcome = run(command, env=environment(without=["DJANGO_SETTINGS_MODULE"]), cwd=tmp_path, timeout=60)

    assert (outcome.returncode, outcome.stdout) == (0, "System check identified no issues (0 silenced).\n")


@pytest.mark.parametrize(
    ("debug", "delivery"), [pytest.param("true", "redirect", marks=pytest.mark.heavy), ("false", "proxy")]
)
@pytest.mark.heavy
def test_images_are_served_with_debug_and_without(debug: str, delivery: str) -> None:
    program = (
        "import django; django.setup(); from blog_engine.conf import get_settings; print(get_settings().image_delivery)"
    )
    own = environment({"DEBUG": debug, "DJANGO_SETTINGS_MODULE": "example_site.settings"})

    assert output_of([sys.executable, "-c", program], env=own, cwd=BASE_DIR.parent, timeout=60) == f"{delivery}\n"
