"""Settings that tests of ``conf`` start from, and hooks that they name."""

REQUIRED: dict[str, object] = {
    "site_name": "Garden Journal",
    "default_author": {"name": "Ada"},
    "publisher": {"name": "Garden Press"},
}


def authenticate(request: object) -> object:
    return request


def authenticate_with_more(request: object, realm: str = "blog", *rest: object) -> object:
    return request, realm, rest


def authenticate_nobody() -> object:
    return None


def authenticate_with_keyword(request: object, *, realm: str) -> object:
    return request, realm


def before_publish(post: object, context: object) -> object:
    return post, context


class LoginWall:
    """A mixin of a host."""


NOT_CALLABLE = 5
