"""What can be done with images (service.md section 4.1, Images)."""

from blog_engine import services
from blog_engine.actor import Call, Scope
from blog_engine.addresses import Addresses
from blog_engine.errors import ImageNotPermitted
from blog_engine.inputs.images import UploadImage
from blog_engine.operations.base import operation
from blog_engine.outputs.embedded import ImageObject


@operation(scope=Scope.WRITE, refuses=[ImageNotPermitted])
def upload_image(data: UploadImage, call: Call) -> ImageObject:
    """Store an image, from a file or from an address; bytes that are known already give their stored image."""
    image = services.store_image(data, actor=call.actor, now=call.now)
    return ImageObject.of(image, Addresses.on(call.base_url))
