"""How requests come in and answers go out."""

from tests.requirements.rule import R

RULES = [
    R("api:base-path", "service.md 1", "The JSON API is at {base_url}/blog/api/v1."),
    R("api:endpoints", "service.md 4.1", "It has the listed endpoints, with their scopes and success statuses."),
    R("api:flat-fields", "service.md 1", "Request bodies are JSON. Fields are sent directly at the top level."),
    R("api:id-or-slug", "service.md 1", "Post identifiers in routes accept either the numeric id or the slug."),
    R(
        "api:unknown-field",
        "service.md 1",
        "Unsupported request fields return an error (unknown_field); they are never silently discarded.",
    ),
    R("api:no-store", "service.md 1", "API responses carry Cache-Control: no-store."),
    R("api:trailing-slash", "decisions.md 1", "An API URL answers the same with or without a trailing slash."),
    R(
        "api:json-everywhere",
        "decisions.md 3.10",
        "Everything under <mount>/api/ answers the JSON envelope: 404 not_found, 405 method_not_allowed with Allow.",
    ),
    R(
        "api:unknown-before-authentication",
        "decisions.md 9",
        "Unknown paths and wrong methods answer before authentication and are not counted. OPTIONS is 405.",
    ),
    R("api:accept-ignored", "decisions.md 9", "Accept is ignored and ?format= is an ordinary key."),
    R("api:query-and-body", "decisions.md 8.7", "Query parameters merge with the body; the body wins."),
    R(
        "api:strict-json",
        "decisions.md 3.11",
        "Malformed JSON, invalid UTF-8, nesting over 64 levels, NaN, a key that comes twice: validation_failed [body]; "
        "a list: unknown_field.",
    ),
    R("api:body-size", "decisions.md 3.11", "A request body over 3 MiB is 413, whatever limits the host has set."),
    R("api:post-body-size", "decisions.md 3.11", "A post body over max_body_bytes is validation_failed [body]."),
    R("api:body-headers", "decisions.md 9", "411 without Content-Length, 415 for a body that is not sent as JSON."),
    R("api:busy", "decisions.md 9", "A database locked beyond the wait is 503 busy with Retry-After: 1."),
    R("api:unavailable", "decisions.md 9", "A database or cache that is gone is 503 unavailable with Retry-After: 1."),
    R("api:english", "decisions.md 9", "Messages are English in every locale."),
    R(
        "api:query-string",
        "decisions.md 9.18",
        "q[] is an unknown field; a key that comes twice is refused by its name.",
    ),
    R(
        "api:lengths",
        "decisions.md 9.13",
        "Slugs have 200 characters, URLs 2,048, other short texts 255; longer is validation_failed on both databases.",
    ),
    R(
        "api:unstorable",
        "decisions.md 9.13",
        "NUL, a lone surrogate and a time out of range are refused with the field, infinite or oversized numbers "
        "with body; NUL in a path is 404.",
    ),
    R(
        "api:no-host-transaction",
        "decisions.md 9.10",
        "API views are non-atomic requests, and every write transaction begins as a writer.",
    ),
]
