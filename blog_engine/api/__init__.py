"""The JSON API: the operations over HTTP."""
