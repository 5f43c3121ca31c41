"""The document of a client, as the served site gets it in place of the network."""

from typing import Any

from oauth2_provider.cimd import CIMDError

CLIENT = "https://client.example/metadata.json"
CALLBACK = "http://127.0.0.1:3030/callback"


class CannedFetcher:
    """Fetches one document."""

    def fetch(self, client_id: str) -> tuple[dict[str, Any], int]:
        """Return the document of the one client."""
        if client_id != CLIENT:
            raise CIMDError("unknown")
        return {"client_id": CLIENT, "client_name": "A program", "redirect_uris": [CALLBACK]}, 300
