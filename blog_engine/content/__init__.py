"""Pure functions on text: slugs, revision identifiers, rendering, plain text.

Nothing here reads the database, the settings or a request.
"""
