"""Who may call, and how often."""

from tests.requirements.rule import R

RULES = [
    R(
        "access:bearer",
        "service.md 5",
        "The API uses exactly Authorization: Bearer <ACCESS_TOKEN>; the scheme ignores case.",
    ),
    R("access:every-request", "service.md 4.1", "All requests to the API need authentication."),
    R("access:readers", "service.md 5", "Reader routes need no authentication."),
    R(
        "access:create-token",
        "service.md 5",
        "A token is created by a command that takes NAME, SCOPES (a comma-separated subset of read, write, publish) "
        "and optionally EXPIRES_AT (ISO 8601 timestamp).",
    ),
    R(
        "access:secret-once",
        "service.md 5",
        "It prints the secret once, as the only line of output. Only a digest of the secret is stored.",
    ),
    R(
        "access:noted-use",
        "decisions.md 10.5",
        "The use of a token is noted at most once a minute, and reading over API and MCP writes nothing else.",
    ),
    R("access:revoke", "service.md 5", "A token is revoked by setting its revoked_at, one token at a time."),
    R(
        "access:unauthenticated",
        "service.md 5",
        "A token that is missing, invalid, expired or revoked gets 401 unauthenticated, with the message "
        "An authenticated actor is required. and empty details.",
    ),
    R(
        "access:hook",
        "service.md 5",
        "A configured config.authenticate callback replaces token authentication. "
        "It returns an actor with name, and optional scopes and id.",
    ),
    R(
        "access:scope-required",
        "service.md 5",
        "A request without the scope its endpoint needs gets 403 scope_required; details identify the scope. "
        "No scope implies another.",
    ),
    R("access:secrets-stay-secret", "service.md 5", "Secrets never appear in response objects."),
    R("access:read", "service.md 4.1", "Lists, single posts, history, findings and previews need read."),
    R(
        "access:publish",
        "service.md 4.1",
        "publish, unpublish, DELETE, approvals and connections need publish.",
    ),
    R(
        "access:create",
        "service.md 4.1",
        "POST /posts needs write for drafts; publish when publish: true is sent or when the upsert edits a scheduled "
        "or public post.",
    ),
    R("access:edit", "service.md 3", "Updates to a draft need write; to a scheduled or public post publish."),
    R("access:edit-archived", "decisions.md 3.3", "Updates to an archived post need write."),
    R("access:inline-approval", "decisions.md 9.5", "A post write that carries approval needs publish in every state."),
    R(
        "access:order",
        "decisions.md 8.1",
        "POST /posts and PATCH /posts/:id check the shape first and the scope once the post is known; "
        "all other operations check their scope first.",
    ),
    R(
        "access:rate-limit",
        "service.md 8",
        "Over api_rate_limit, shared per actor across all endpoints and processes: 429 rate_limited.",
    ),
    R("access:rate-headers", "decisions.md 3.8", "Authenticated answers carry RateLimit-*, and a 429 Retry-After."),
    R("access:challenge", "decisions.md 3.9", 'A 401 carries WWW-Authenticate: Bearer realm="…".'),
    R(
        "access:failed-attempts",
        "decisions.md 3.9",
        "From an address with more than 20 failed attempts in a minute, a further one answers 429; "
        "a valid token is never refused by it; the hook is not counted.",
    ),
    R("access:trusted-proxies", "decisions.md 9.1", "trusted_proxies says how many forwarded hops name the client."),
    R("access:cache-gone", "decisions.md 9.12", "Without the cache reads pass uncounted and writes are unavailable."),
    R(
        "access:forged-forms",
        "records.md 2",
        "A form of another site does nothing in the name of a caller whom the authenticate hook knows.",
    ),
]
