"""What the router serves, read from its own table."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from blog_engine.api.base import EngineViewSet
from blog_engine.api.routers import EngineRouter
from blog_engine.api.serves import Served
from blog_engine.api.statuses import Success
from blog_engine.operations.base import Operation

_ADDRESS_PARTS = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A method on a path template such as ``/posts/{id}``, below ``<mount>/api/v1``."""

    path: str
    method: str
    viewset: type[EngineViewSet]
    action: str
    operation: Operation[Any, Any]
    success: Success
    has_text: bool = False

    @property
    def address_parts(self) -> tuple[str, ...]:
        """The fields of the input that the path gives."""
        return tuple(_ADDRESS_PARTS.findall(self.path))

    @property
    def tag(self) -> str:
        """The collection that the endpoint belongs to."""
        return self.path.split("/")[1]


def endpoints_of(router: EngineRouter) -> Iterator[Endpoint]:
    """Every endpoint of the router, in the order of its registrations and routes."""
    for prefix, viewset in router.served:
        for route in router.get_routes(viewset):
            path = _path(route.url, prefix=prefix, lookup=viewset.lookup_field)
            for method, action in router.get_method_map(viewset, route.mapping).items():
                served: Served = getattr(viewset, action)
                yield Endpoint(
                    path, method, viewset, action, served.operation, served.success, has_text=served.as_text is not None
                )


def _path(route: str, *, prefix: str, lookup: str) -> str:
    bare = route.removeprefix("^").removesuffix("$").replace("{trailing_slash}", "")
    return "/" + bare.replace("{prefix}", prefix).replace("{lookup}", f"{{{lookup}}}")
