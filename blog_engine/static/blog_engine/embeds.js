// Loads the content of another site once the reader asks for it. Until then, nothing is requested from there.

for (const button of document.querySelectorAll(".blog-embed-load")) {
  button.addEventListener("click", () => {
    const frame = document.createElement("iframe");
    frame.className = "blog-embed-frame";
    frame.title = button.dataset.blogTitle;
    frame.allow = "encrypted-media; fullscreen; picture-in-picture";
    // Some players refuse to start without the origin of the page.
    frame.referrerPolicy = "strict-origin-when-cross-origin";
    frame.src = button.dataset.blogLoad;
    button.replaceWith(frame);
    frame.focus();
  });
  button.hidden = false;
}
