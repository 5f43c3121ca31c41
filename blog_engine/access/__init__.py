"""From an HTTP request to a ``Call``: who, with what body, how often."""
