"""How viewsets become addresses."""

from rest_framework.routers import SimpleRouter

from blog_engine.api.base import EngineViewSet


class EngineRouter(SimpleRouter):
    """Answers the same with and without a trailing slash, so that no client loses a body to a redirect."""

    def __init__(self) -> None:
        super().__init__()
        self.trailing_slash = "/?"
        self.served: list[tuple[str, type[EngineViewSet]]] = []

    def serve(self, name: str, viewset: type[EngineViewSet]) -> None:
        """Route a viewset at ``/<name>``; its URL names start with ``api-<name>``."""
        self.served.append((name, viewset))
        self.register(name, viewset, basename=f"api-{name}")
