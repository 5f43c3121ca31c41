"""From an HTTP request to a ``Call``: authentication and rate limits."""
