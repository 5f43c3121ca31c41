"""The OpenAPI document."""

from tests.requirements.rule import R

RULES = [
    R(
        "schema:document",
        "decisions.md 5.2",
        "GET /api/v1/schema is valid OpenAPI 3.1, made from the catalogue: every operation, once.",
    ),
    R("schema:open", "decisions.md 9.20", "No token is needed, and it is not counted."),
    R(
        "schema:formats",
        "decisions.md 9.20",
        "JSON by default, YAML by ?format=yaml; another format or key is refused.",
    ),
    R("schema:endpoints", "decisions.md 5.2", "Each endpoint tells its scope, a summary and its parameters."),
    R(
        "schema:true",
        "decisions.md 5.2",
        "Every answer of the API is documented: its status, its refusal and its shape.",
    ),
    R(
        "schema:examples",
        "decisions.md 5.2",
        "Its examples were recorded from real calls and have the documented shapes.",
    ),
    R(
        "schema:standalone",
        "decisions.md 10.14",
        "What the OpenAPI document, a tool, a workflow, a refusal or a hint says names no file that a caller lacks.",
    ),
    R("schema:new-keys", "decisions.md 10.15", "Clients are told to ignore the keys of answers that they do not know."),
    R("schema:committed", "design.md 6", "docs/reference/openapi.json is what the code makes."),
    R(
        "schema:inputs",
        "decisions.md 5.2",
        "The schemas of inputs are valid, closed, described, and refuse what the API refuses.",
    ),
]
