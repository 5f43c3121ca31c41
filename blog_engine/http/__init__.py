"""What API, agent endpoint and reader share of HTTP: requests, responses and faults."""
