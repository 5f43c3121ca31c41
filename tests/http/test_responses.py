import pytest
from django.test import RequestFactory

from blog_engine.http.responses import challenge
from tests.requirements import requirement


@requirement("access.challenge")
@pytest.mark.parametrize(
    ("authorization", "expected"),
    [
        (None, 'Bearer realm="blog_engine"'),
        ("Basic QTpC", 'Bearer realm="blog_engine"'),
        ("bearer x", 'Bearer realm="blog_engine", error="invalid_token"'),
    ],
)
def test_the_challenge_shows_whether_a_token_was_invalid(authorization: str | None, expected: str) -> None:
    headers = {} if authorization is None else {"Authorization": authorization}

    assert challenge(RequestFactory().get("/", headers=headers)) == expected
