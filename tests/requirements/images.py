"""Images: how they come in, and which are taken."""

from tests.requirements.rule import R

RULES = [
    R(
        "image:scope",
        "service.md 4.1",
        "POST /images needs write, before the body is read and before anything is fetched.",
    ),
    R("image:object", "service.md 2", "An image has its eight fields, url is a path; an absent image is null."),
    R(
        "image:file-or-url",
        "service.md 4.1",
        "POST /images takes exactly one of a multipart file part and a JSON url; anything else is image_not_permitted.",
    ),
    R("image:other-parts", "records.md 9", "Another key or part is unknown_field, and comes first."),
    R(
        "image:same-bytes",
        "service.md 4.1",
        "Repeated identical bytes reuse the same image and URL, whatever their name; 201 in every success.",
    ),
    R("image:identity", "service.md 1", "Images are identified by content hash; originals are kept byte for byte."),
    R("image:references", "service.md 4.1", "Cover, social image and avatar accept {image_id}, {signed_id} or {url}."),
    R("image:missing", "records.md 4", "An image_id that the blog does not have is 404."),
    R("image:cleared", "records.md 4", "null clears an image of a post, an omitted one stays."),
    R(
        "image:bytes-decide",
        "records.md 9",
        "The bytes decide about the type; the declared type of an upload must be that one.",
    ),
    R(
        "image:types",
        "service.md 4.1",
        "PNG, JPEG, WebP, GIF and AVIF, or what image_content_types says; SVG is refused always.",
    ),
    R("image:size", "service.md 8", "Uploads and imports have at most max_image_bytes, 10 MiB by default."),
    R("image:buffer", "records.md 9", "No more of a file is kept in memory than tells that it is too large."),
    R("image:decodes", "records.md 9", "An image decodes whole, to a width and a height; what ends early is refused."),
    R(
        "image:pixels",
        "decisions.md 3.23",
        "Over max_image_pixels, in all frames of an animation together: image_not_permitted, decided before decoding.",
    ),
    R(
        "image:one-at-a-time",
        "decisions.md 3.23",
        "A process decodes one image at a time, uploads and variants together.",
    ),
    R(
        "image:memory",
        "decisions.md 3.23",
        "An image of max_image_pixels takes at most 300 MB above the idle process, checked or made smaller.",
    ),
    R(
        "image:restored",
        "decisions.md 9.8",
        "An image whose file is lost or cut gets it again when the same bytes are uploaded; the row stays as it is.",
    ),
    R(
        "image:compared",
        "decisions.md 4",
        "blog_doctor with CHECK_IMAGES compares the file of every image with its row, and fails when one is wrong.",
    ),
    R(
        "image:filename",
        "records.md 9",
        "Of a file name only the last part is kept, made safe; a blank one and one with NUL are refused.",
    ),
    R(
        "image:signed",
        "decisions.md 4",
        "A signed_id names a file of the host for 24 hours, under the checks of an upload; a bad one is not permitted.",
    ),
    R("image:storage", "decisions.md 1", "Images lie in the storage that the setting of that name names."),
    R(
        "image:row-and-file",
        "decisions.md 9.8",
        "A row never exists without its file; a write that fails takes away the files that it made, and no others.",
    ),
    R(
        "image:leftovers",
        "decisions.md 9.8",
        "blog_doctor --clean-storage finds and removes the files of our folder that no image refers to, and no others.",
    ),
    R(
        "image:cleaned-meanwhile",
        "decisions.md 9.8",
        "An upload that is under way while the storage is cleaned keeps its file.",
    ),
    R("image:racing", "records.md 21", "Equal uploads at once make one row and one file, and all get it."),
    R("image:fetched-outside", "decisions.md 9.8", "Nothing is fetched inside a transaction."),
    R("image:fetched-last", "records.md 10", "Nothing is fetched for a write that is refused anyway."),
    R(
        "image:in-bodies",
        "records.md 6",
        "An image of a body on another host is fetched when the body changes, known by its digest and not stored.",
    ),
    R(
        "image:unfetched",
        "decisions.md 3.19",
        "One that cannot be fetched costs only its digest, and the finding image_unverified says so.",
    ),
    R(
        "image:body-limits",
        "decisions.md 9.8",
        "The images of one body share 20 seconds, four at a time, 50 distinct URLs.",
    ),
    R("image:own-media", "decisions.md 9.9", "Media of this blog are never fetched, however their address is written."),
    R(
        "image:own-url",
        "decisions.md 10.3",
        "Wherever an image URL is taken, one of this blog's own media is the stored image; an unknown one is refused.",
    ),
    R(
        "image:located",
        "decisions.md 3.22",
        "When an original carries GPS data, image_location_data says where it is shown.",
    ),
    R(
        "image:forms",
        "decisions.md 8.5",
        "A form over twice max_image_bytes and 1 MiB is 413, unread; a smaller file over the limit is not permitted.",
    ),
    R(
        "image:host-limits",
        "decisions.md 3.11",
        "The upload limits of the host, and what its code read of the form before, take nothing away.",
    ),
]
