"""The example site for gunicorn, which loads everything before it forks."""

from django.db import connections
from django.test import Client

from example_site.wsgi import application

__all__ = ["application"]

for path in ("/blog/", "/blog/search.json", "/blog/api/v1/posts"):
    Client(HTTP_HOST="127.0.0.1").get(path)
# Processes must not share the connection of the one that they were forked from.
connections.close_all()
