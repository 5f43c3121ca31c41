"""A host with its own user model, admin site and login: people sign in with an email address at ``/office/``."""
