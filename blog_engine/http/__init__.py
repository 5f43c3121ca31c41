"""HTTP code that the interfaces share: requests, responses, authentication, rate limits and faults."""
