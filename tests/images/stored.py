"""Images with their rows and files, and what the storage holds."""

from django.core.files.storage import Storage

from blog_engine import services
from blog_engine.inputs.images import ImageBytes, UploadImage
from blog_engine.models import Image
from tests.factories import EDITOR, NOW
from tests.images.samples import plain


def file_names(storage: Storage, folder: str = "") -> list[str]:
    """The names of all files of the storage."""
    folders, files = storage.listdir(folder)
    inside = [name for one in folders for name in file_names(storage, f"{folder}{one}/")]
    return sorted([*(f"{folder}{name}" for name in files), *inside])


def store(data: bytes | None = None, *, filename: str = "quay.png") -> Image:
    """``POST /images`` with a file."""
    upload = UploadImage(file=ImageBytes(data or plain(), filename))
    return services.store_image(upload, actor=EDITOR, now=NOW)
