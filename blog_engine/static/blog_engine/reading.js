// Where the reader is: the heading marked in the contents list, and how much of the article is read.
const FROM_TOP = 120;

const links = new Map();
for (const link of document.querySelectorAll("[data-blog-contents] a[href^='#']")) {
  const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
  if (heading) links.set(heading, link);
}
const content = document.querySelector("[data-blog-content]");
const progress = document.querySelector("[data-blog-progress]");

function markHeading() {
  let last;
  for (const heading of links.keys()) {
    if (heading.getBoundingClientRect().top <= FROM_TOP) last = heading;
  }
  for (const [heading, link] of links) {
    if (heading === last) link.setAttribute("aria-current", "location");
    else link.removeAttribute("aria-current");
  }
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
  if (progress) progress.hidden = false;
  addEventListener("scroll", update, { passive: true });
  addEventListener("resize", update, { passive: true });
  update();
}
