"""The OpenAPI 3.1 document: routes of the router times schemas of the operations (design.md 1.2)."""
