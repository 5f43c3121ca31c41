// Buttons that copy a code block or the page's address.
const SHOWN_MS = 2000;

function enable(button, { text, done }) {
  const label = button.textContent;
  let timer;
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text());
    } catch {
      return; // The reader refused the permission: the button keeps its word.
    }
    button.textContent = done;
    clearTimeout(timer);
    timer = setTimeout(() => {
      button.textContent = label;
    }, SHOWN_MS);
  });
  button.hidden = false;
}

if (navigator.clipboard) {
  for (const button of document.querySelectorAll("[data-blog-copy]")) {
    const code = button.parentElement.querySelector("code");
    const done = button.closest("[data-blog-copied]")?.dataset.blogCopied ?? button.textContent;
    if (code) enable(button, { text: () => code.textContent, done });
  }
  for (const button of document.querySelectorAll("[data-blog-copy-link]")) {
    enable(button, { text: () => button.dataset.blogCopyLink, done: button.dataset.blogCopied });
  }
}
