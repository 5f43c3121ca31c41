import re
import sys
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import CommandError
from pytest_django import Settings

from blog_engine.models import ApiToken
from blog_engine.queries.tokens import token_digest
from blog_engine.services.tokens import create_token, revoke_token
from tests.requirements import requirement
from tests.support import programs
from tests.support.programs import environment

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).resolve().parents[2]
NOW = datetime(2030, 1, 1, 12, tzinfo=UTC)
SECRET = re.compile("be_[1-9A-HJ-NP-Za-km-z]{40}\n")


def run(name: str, *args: str, **options: Any) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    call_command(name, *args, stdout=out, stderr=err, **options)
    return out.getvalue(), err.getvalue()


def stored(token: ApiToken) -> tuple[str, list[str], datetime | None]:
    return token.name, token.scopes, token.expires_at


NAMES_OF_USERS = [
    "Vera Example",
    " vera  EXAMPLE ",
    "\uff36era Example",
    "vera.example",
    "VERA.EXAMPLE",
    "Vera\u3000Example",
]


@requirement("access.tokens.names")
@pytest.mark.parametrize("name", NAMES_OF_USERS)
def test_a_token_cannot_have_the_name_of_a_user(name: str) -> None:
    get_user_model().objects.create_user("vera.example", first_name="Vera", last_name="Example")

    with pytest.raises(CommandError, match="A user of the site has this name"):
        run("create_blog_token", f"NAME={name}")

    assert not ApiToken.objects.exists()


@requirement("access.tokens.names")
def test_a_token_can_have_a_name_like_that_of_a_user() -> None:
    get_user_model().objects.create_user("vera.example", first_name="Vera", last_name="Example")

    for name in ("Vera", "Example Vera", "V\u00e9ra Example", "Agent of Vera Example"):
        run("create_blog_token", f"NAME={name}")

    assert ApiToken.objects.count() == 4


@requirement("access.tokens.create", "access.tokens.secret-once")
@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (["NAME=Ada"], ("Ada", ["read", "write", "publish"], None)),
        (["NAME=Ada", "SCOPES=read"], ("Ada", ["read"], None)),
        (["NAME=Ada", "SCOPES= write , read ,write"], ("Ada", ["write", "read"], None)),
        (["NAME=Ada", "SCOPES="], ("Ada", [], None)),
        (["--name", "Ada Example", "--scopes", "read,publish"], ("Ada Example", ["read", "publish"], None)),
        (
            ["NAME=Ada", "EXPIRES_AT=2031-01-01T00:00:00+02:00"],
            ("Ada", ["read", "write", "publish"], datetime(2030, 12, 31, 22, tzinfo=UTC)),
        ),
        (
            ["NAME=Ada", "--expires-at", "2001-01-01T00:00:00Z"],
            ("Ada", ["read", "write", "publish"], datetime(2001, 1, 1, tzinfo=UTC)),
        ),
    ],
)
def test_the_secret_is_the_only_line_and_only_its_digest_is_stored(
    args: list[str], expected: tuple[str, list[str], datetime | None]
) -> None:
    out, err = run("create_blog_token", *args)

    assert SECRET.fullmatch(out)
    secret, token = out.strip(), ApiToken.objects.get()
    assert stored(token) == expected
    assert (token.token_digest, token.token_prefix) == (token_digest(secret), secret[:8])
    assert secret not in err


def test_an_expiry_without_offset_is_in_the_time_zone_of_the_site(settings: Settings) -> None:
    settings.TIME_ZONE = "Asia/Kathmandu"

    run("create_blog_token", "NAME=Ada", "EXPIRES_AT=2031-01-01T05:45")

    assert ApiToken.objects.get().expires_at == datetime(2031, 1, 1, tzinfo=UTC)


@requirement("access.tokens.create")
@pytest.mark.parametrize(
    "args",
    [
        [],
        ["NAME="],
        ["NAME=  "],
        ["NAME=" + "x" * 256],
        ["NAME=Ada", "SCOPES=read,admin"],
        ["NAME=Ada", "SCOPES=read,"],
        ["NAME=Ada", "SCOPES=Read"],
        ["NAME=Ada", "EXPIRES_AT="],
        ["NAME=Ada", "EXPIRES_AT=tomorrow"],
        ["NAME=Ada", "EXPIRES_AT=2030-01-01"],
        ["NAME=Ada", "EXPIRES_AT=2030-02-30T00:00:00Z"],
        ["NAME=Ada", "EXPIRES_AT=0001-01-01T00:00:00+14:00"],
        ["NAME=Ada", "EXPIRE_AT=2030-01-01T00:00:00Z"],
    ],
)
def test_a_faulty_request_for_a_token_stores_nothing(args: list[str]) -> None:
    with pytest.raises(CommandError) as refusal:
        run("create_blog_token", *args)

    assert refusal.value.returncode == 1
    assert not ApiToken.objects.exists()


def test_no_two_secrets_are_alike() -> None:
    secrets = {run("create_blog_token", "NAME=Ada")[0] for _ in range(20)}

    assert len(secrets) == 20


@requirement("access.tokens.no-secrets")
def test_a_secret_is_not_in_the_repr_of_a_new_token() -> None:
    made = create_token("Ada", now=NOW)

    assert made.secret not in f"{made!r} {made.token!r} {made.token}"


@requirement("access.tokens.revoke")
@pytest.mark.parametrize("length", [4, 8])
def test_a_prefix_revokes_the_one_token_it_fits(length: int) -> None:
    ApiToken.objects.create(name="Ada", token_digest="1", token_prefix="be_AbCdE")
    ApiToken.objects.create(name="Eve", token_digest="2", token_prefix="be_aBcDe")

    with time_machine.travel(NOW, tick=False):
        out, _ = run("revoke_blog_token", "PREFIX=" + "be_AbCdE"[:length])

    assert out == ""
    assert list(ApiToken.objects.values_list("name", "revoked_at")) == [("Ada", NOW), ("Eve", None)]


@requirement("access.tokens.revoke")
@pytest.mark.parametrize("args", [[], ["PREFIX="], ["PREFIX=be_"], ["PREFIX=be_x"], ["PREFIX=%"], ["PREFIX=be_Ab_dE"]])
def test_a_prefix_that_fits_none_or_several_revokes_nothing(args: list[str]) -> None:
    ApiToken.objects.create(name="Ada", token_digest="1", token_prefix="be_AbCdE")
    ApiToken.objects.create(name="Eve", token_digest="2", token_prefix="be_aBcDe")

    with pytest.raises(CommandError) as refusal:
        run("revoke_blog_token", *args)

    assert refusal.value.returncode == 1
    assert not ApiToken.objects.exclude(revoked_at=None).exists()


def test_a_revoked_token_is_not_revoked_again() -> None:
    made = create_token("Ada", now=NOW)
    revoke_token(made.token, now=NOW)
    revoke_token(made.token, now=NOW + timedelta(days=1))

    with pytest.raises(CommandError):
        run("revoke_blog_token", f"PREFIX={made.secret[:8]}")

    assert ApiToken.objects.get().revoked_at == NOW


@requirement("access.tokens.no-secrets")
def test_the_list_shows_all_but_the_secrets() -> None:
    ApiToken.objects.create(name="Ada", token_digest="1", token_prefix="be_AAAAA", scopes=["read"], last_used_at=NOW)
    ApiToken.objects.create(name="Eve", token_digest="2", token_prefix="be_BBBBB", scopes=[], expires_at=NOW)
    ApiToken.objects.create(name="Kim", token_digest="3", token_prefix="be_CCCCC", scopes=["read"], revoked_at=NOW)

    with time_machine.travel(NOW, tick=False):
        out, _ = run("list_blog_tokens")

    assert out.splitlines() == [
        "PREFIX    STATE    SCOPES  LAST USE                   NAME",
        "be_AAAAA  active   read    2030-01-01T12:00:00+00:00  Ada",
        "be_BBBBB  expired  none    never                      Eve",
        "be_CCCCC  revoked  read    never                      Kim",
    ]


@pytest.mark.heavy
def test_a_refusal_is_exit_1_and_nothing_on_standard_output() -> None:
    own = environment({"DJANGO_SETTINGS_MODULE": "tests.settings"})
    command = [sys.executable, "-m", "django", "create_blog_token", "NAME=", "--skip-checks"]

    done = programs.run(command, env=own)

    assert (done.returncode, done.stdout) == (1, "")
    assert "NAME" in done.stderr
