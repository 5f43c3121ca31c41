"""Signals for hosts, sent after the commit with ``sender=Post`` and ``post``, ``actor``, ``outcome``.

``outcome`` is the ``Written`` result of the service; ``actor`` is ``None`` for a scheduled release.
"""

from django.dispatch import Signal

post_published = Signal()
post_updated = Signal()
post_unpublished = Signal()
post_removed = Signal()
approval_recorded = Signal()
