// Scripts of an article: copy, share, open images, and show the position of the reader. Without them, the article is complete.

// Buttons that copy a code block or the URL of the page.
const SHOWN_MS = 2000;

function enable(button, { text, done }) {
  // A button with an icon has its name in an element.
  const shown = button.querySelector("[data-blog-label]") ?? button;
  const label = shown.textContent;
  const name = button.getAttribute("aria-label");
  let timer;

  function say(text, heard) {
    shown.textContent = text;
    button.toggleAttribute("data-blog-done", text !== label);
    if (name) button.setAttribute("aria-label", heard);
  }

  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text());
    } catch {
      return; // The reader refused the permission: the label does not change.
    }
    say(done, done);
    clearTimeout(timer);
    timer = setTimeout(() => say(label, name), SHOWN_MS);
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

// The share dialog of the device, if there is one.
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

// An image in full size: its link opens a dialog in place of the file.
const body = document.querySelector("[data-blog-close]");

function openImage(link) {
  const [dialog, close, image, caption] = ["dialog", "button", "img", "p"].map((name) => document.createElement(name));
  const [shown, file] = [link.querySelector("img"), new Image()];
  dialog.className = "blog-zoomed";
  dialog.ariaLabel = link.ariaLabel;
  close.ariaLabel = body.dataset.blogClose;
  close.textContent = "\u00d7";
  for (const name of ["alt", "width", "height"]) image.setAttribute(name, shown.getAttribute(name));
  // The image of the page, until the file has come.
  image.src = shown.currentSrc;
  file.addEventListener("load", () => {
    image.src = file.src;
    const { naturalWidth: width, naturalHeight: height } = file;
    if (width > image.offsetWidth + 1 || height > image.offsetHeight + 1) makeZoomable(image);
  });
  file.src = link.href;
  caption.textContent = link.closest("figure").querySelector("figcaption")?.textContent ?? "";
  dialog.append(close, image, caption);
  dialog.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  body.after(dialog);
  dialog.showModal();
}

// An image larger than the window is first fitted into it; another click shows each pixel of the file.
function makeZoomable(image) {
  const zoom = (event) => {
    event.preventDefault();
    event.stopPropagation();
    image.ariaPressed = String(image.ariaPressed === "false");
  };
  image.role = "button";
  image.ariaPressed = "false";
  image.tabIndex = 0;
  image.addEventListener("click", zoom);
  image.addEventListener("keydown", (event) => [" ", "Enter"].includes(event.key) && zoom(event));
}

for (const link of body ? document.querySelectorAll("a.blog-zoom") : []) {
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    openImage(link);
  });
}

// The position of the reader: the current heading in the contents, and the reading progress.
const FROM_TOP = 120;

const links = new Map();
for (const link of document.querySelectorAll("[data-blog-contents] a[href^='#']")) {
  const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
  if (heading) links.set(heading, link);
}
const content = document.querySelector("[data-blog-content]");
const progress = document.querySelector("[data-blog-progress]");

let current;

function markHeading() {
  let last;
  for (const heading of links.keys()) {
    if (heading.getBoundingClientRect().top <= FROM_TOP) last = heading;
  }
  if (last === current) return;
  links.get(current)?.removeAttribute("aria-current");
  current = last;
  const link = links.get(current);
  if (!link) return;
  link.setAttribute("aria-current", "location");
  showIn(link.closest("[data-blog-contents]"), link);
}

// A long list beside the text scrolls along, one entry further than needed, when the current entry changes.
function showIn(list, link) {
  const [outer, inner] = [list.getBoundingClientRect(), link.getBoundingClientRect()];
  if (inner.top < outer.top + inner.height) list.scrollTop -= outer.top + inner.height - inner.top;
  if (inner.bottom > outer.bottom - inner.height) list.scrollTop += inner.bottom - outer.bottom + inner.height;
}

function showProgress() {
  const box = content.getBoundingClientRect();
  const way = box.height - window.innerHeight;
  const read = way > 0 ? Math.min(1, Math.max(0, -box.top / way)) : 1;
  progress.style.setProperty("--blog-read", read.toFixed(3));
}

let waiting = false;
function update() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    markHeading();
    if (progress && content) showProgress();
  });
}

if (links.size || progress) {
  if (progress) {
    progress.ariaHidden = "true";
    progress.hidden = false;
  }
  addEventListener("scroll", update, { passive: true });
  addEventListener("resize", update, { passive: true });
  update();
}

// A page that was prefetched is not counted until it is opened: the request that revalidates it is a view.
const [visit] = performance.getEntriesByType("navigation");
if (visit?.deliveryType === "navigational-prefetch") {
  fetch(location.href, { cache: "no-cache" }).catch(() => {}); // Only the view is lost.
}
