"""Operations on images: uploads, upload tickets and the list."""

from blog_engine import services
from blog_engine.actor import Call, Scope
from blog_engine.blog_urls import BlogURLs
from blog_engine.errors import ImageNotPermitted, NotFound, UploadTicketClosed
from blog_engine.inputs.images import ListImages
from blog_engine.models import Image
from blog_engine.operations.base import operation, operation_of
from blog_engine.outputs.images import StoredImageList, UploadTicketObject
from blog_engine.outputs.posts import ImageObject
from blog_engine.queries.image_uses import listed_images


@operation(scope=Scope.READ)
def list_images(data: ListImages, call: Call) -> StoredImageList:
    """List the stored images, newest first, with what uses them."""
    return StoredImageList.of(listed_images(data))


def _image(image: Image, call: Call) -> ImageObject:
    return ImageObject.from_attributes(image)


def _ticket(new: services.NewUploadTicket, call: Call) -> UploadTicketObject:
    return UploadTicketObject.of(new, BlogURLs.on(call.base_url))


upload_image = operation_of(
    services.store_image,
    _image,
    "Store an image, from a file or a URL; a file that is stored already gives its stored image.",
    scope=Scope.WRITE,
    refuses=[ImageNotPermitted],
    name="upload_image",
)
update_image = operation_of(
    services.update_image,
    _image,
    "Set the credit and the digital source type of a stored image; what is left out stays, and so do the bytes.",
    scope=Scope.WRITE,
    refuses=[NotFound],
)
open_upload_ticket = operation_of(
    services.open_upload_ticket,
    _ticket,
    "Get a URL that takes one image file without a token, for 15 minutes.",
    scope=Scope.WRITE,
    refuses=[ImageNotPermitted],
)
fill_upload_ticket = operation_of(
    services.fill_upload_ticket,
    _image,
    "Store the image file of an upload ticket, at the upload_url that the ticket has.",
    scope=Scope.WRITE,
    refuses=[NotFound, UploadTicketClosed, ImageNotPermitted],
)
