"""HTTP code that the interfaces share: requests, responses, authentication and rate limits."""
