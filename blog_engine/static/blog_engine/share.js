// The device's own share dialog, where there is one.
if (navigator.share) {
  for (const button of document.querySelectorAll("[data-blog-share]")) {
    button.addEventListener("click", async () => {
      try {
        await navigator.share({ url: button.dataset.blogShare, title: button.dataset.blogTitle });
      } catch {
        // The reader closed the dialog.
      }
    });
    button.hidden = false;
  }
}
