"""What API, agent endpoint and reader share of HTTP: bodies, faults, exemptions."""
