"""HTTP code that the API, the agent endpoint and the pages share: requests, responses and faults."""
