"""The endpoints, their scopes and the status of success."""

from typing import NamedTuple

import pytest
from django.test import Client

from blog_engine.actor import Scope
from tests.requirements import requirement
from tests.support.clients import client_with, document, refusal_in
from tests.support.tables import undone


class Listed(NamedTuple):
    """One endpoint."""

    method: str
    path: str
    scope: str
    statuses: tuple[str, ...]


ENDPOINTS = [
    Listed(method, path, scope, tuple(statuses))
    for method, path, scope, *statuses in map(
        str.split,
        """
        GET /posts read 200
        GET /posts/{id} read 200
        POST /posts - 200 201 202
        PATCH /posts/{id} - 200
        POST /posts/{id}/publish publish 200 202
        POST /posts/{id}/unpublish publish 200
        DELETE /posts/{id} publish 200 204
        POST /posts/{id}/approvals publish 200
        POST /posts/{id}/connections publish 200
        GET /posts/{id}/records read 200
        GET /posts/{id}/evidence read 200
        GET /posts/{id}/findings read 200
        GET /doctor read 200
        GET /posts/{id}/preview read 200
        GET /proposals read 200
        GET /proposals/{proposal} read 200
        POST /proposals/{proposal}/apply publish 200
        POST /proposals/{proposal}/reject publish 200
        POST /proposals/{proposal}/withdraw write 200
        GET /images read 200
        POST /images write 201
        POST /images/tickets write 201
        GET /categories read 200
        GET /tags read 200
        GET /authors read 200
        GET /series read 200
        GET /redirects read 200
        POST /categories write 201
        POST /authors write 201
        POST /series write 201
        PATCH /categories/{id} write 200
        PATCH /authors/{id} write 200
        PATCH /series/{id} write 200
        POST /redirects publish 200 201
        DELETE /redirects/{id} publish 204
        POST /adoptions publish 200 201
        POST /faq_extractions read 200
        GET /pages read 200
        GET /pages/{kind} read 200
        PUT /pages/{kind} write 200 201
        GET /posts/{id}/views read 200
        GET /views/top read 200
        GET /report read 200
        """.strip().splitlines(),
    )
]
"""A dash: the scope depends on the post."""

OURS = {("GET", "/schema"), ("PUT", "/images/tickets/{id}"), ("PATCH", "/images/{id}")}
"""They need no token."""


def address_of(path: str) -> str:
    return "/blog/api/v1" + path.format(id=1, kind="ai_use", proposal=1)


@requirement("api.operations")
def test_the_endpoints_are_those_of_the_specification() -> None:
    served = {(method.upper(), path) for path, methods in document()["paths"].items() for method in methods}

    assert served - OURS == {(one.method, one.path) for one in ENDPOINTS}


@requirement("api.operations", "posts.statuses")
def test_an_endpoint_succeeds_with_the_statuses_of_the_specification(subtests: pytest.Subtests) -> None:
    for listed in ENDPOINTS:
        with subtests.test(listed=listed):
            responses = document()["paths"][listed.path][listed.method.lower()]["responses"]

            assert tuple(sorted(status for status in responses if status < "300")) == listed.statuses


@requirement(
    "access.required",
    "access.scopes.required",
    "access.scopes.read",
    "access.scopes.publish",
    "access.order",
    "adoption.scope",
    "adoption.faq.scope",
    "doctor.scope",
    "page-views.scope",
    "surface-report.scope",
    "redirects.scopes",
    "taxonomy.scopes",
)
@pytest.mark.django_db
def test_an_endpoint_asks_for_a_token_and_for_its_scope_before_it_looks_at_the_input(
    subtests: pytest.Subtests,
) -> None:
    for listed in ENDPOINTS:
        path = address_of(listed.path) + "?made_up=1"
        with subtests.test(listed=listed), undone():
            others = client_with(*({scope.value for scope in Scope} - {listed.scope}))

            assert refusal_in(Client().generic(listed.method, path)) == (401, "unauthenticated", [])
            if listed.scope != "-":
                assert refusal_in(others.generic(listed.method, path)) == (403, "scope_required", [listed.scope])


@requirement(
    "api.paths.unknown", "api.paths.unauthenticated", "redirects.no-edit", "taxonomy.kept", "taxonomy.tags.list"
)
@pytest.mark.django_db
def test_an_endpoint_has_no_other_method(subtests: pytest.Subtests) -> None:
    for path, documented in document()["paths"].items():
        served = {method.upper() for method in documented} | ({"HEAD"} if "get" in documented else set())
        for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} - served:
            with subtests.test(path=path, method=method):
                response = Client().generic(method, address_of(path), "{}", content_type="application/json")

                assert refusal_in(response) == (405, "method_not_allowed", [])
                assert response.headers["Allow"] == ", ".join(sorted(served))
