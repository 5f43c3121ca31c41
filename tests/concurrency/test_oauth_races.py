"""Codes and refresh tokens that are exchanged twice at the same time, on PostgreSQL."""

import pytest
from pytest_django import Settings

from tests.admin.desk import EDITOR, desk
from tests.concurrency.races import together
from tests.oauth.flow import Flow, called, enabled, registered
from tests.requirements import requirement

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def flow(settings: Settings) -> Flow:
    """A client that registered itself, and an editor."""
    settings.BLOG_ENGINE = enabled()
    return Flow(desk(*EDITOR), registered())


@requirement("oauth.code.reuse")
def test_of_two_exchanges_of_a_code_one_has_tokens_which_are_revoked(flow: Flow) -> None:
    code = flow.code()

    answers = together(*[lambda: flow.exchange(code)] * 4)

    given = [answer.json() for answer in answers if answer.status_code == 200]  # type: ignore[union-attr]
    assert len(given) == 1
    assert called(given[0]["access_token"]).status_code == 401


@requirement("oauth.refresh.reuse")
def test_of_two_refreshes_one_has_tokens_which_are_revoked(flow: Flow) -> None:
    tokens = flow.tokens()

    answers = together(*[lambda: flow.refresh(tokens["refresh_token"])] * 4)

    given = [answer.json() for answer in answers if answer.status_code == 200]  # type: ignore[union-attr]
    assert len(given) == 1
    assert called(given[0]["access_token"]).status_code == 401
