"""Serve the host on a free port, and print it."""

import sys
from wsgiref.simple_server import make_server

from django.core.wsgi import get_wsgi_application

with make_server("127.0.0.1", 0, get_wsgi_application()) as server:
    sys.stdout.write(f"{server.server_port}\n")
    sys.stdout.flush()
    server.serve_forever()
