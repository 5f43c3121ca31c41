"""The people of the host, who have no user name and no full name."""

import uuid
from typing import ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models


class MemberManager(BaseUserManager["Member"]):
    """Makes members."""

    def make(self, email: str, password: str) -> "Member":
        """Return a new member of staff."""
        member = self.model(email=email, is_staff=True)
        member.set_password(password)
        member.save()
        return member


class Member(AbstractBaseUser, PermissionsMixin):
    """A member, known by an email address; the primary key is no number."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    email = models.EmailField(unique=True)
    is_staff = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects = MemberManager()

    class Meta:
        app_label = "other_host"
