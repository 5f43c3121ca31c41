// Walks a page from top to end, and answers what lies over something that can be used or read, each as a line.
// What sticks to the top has a ground of its own: the rest of the page scrolls under it.
const SHOWN = `a[href], button, input:not([type=hidden]), select, textarea, summary, iframe, label, legend, h1, h2, h3,
  dt, dd, .help, .errorlist li, .messagelist li, [role=status]`;
const ON_TOP = [".editor-bar", ".editor-tools"];
const INSET = 6;

// The part of a box that the window and the scrolling boxes around the element show.
function visiblePart(element, box) {
  let [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom];
  const clip = (frame) => {
    [left, top] = [Math.max(left, frame.left), Math.max(top, frame.top)];
    [right, bottom] = [Math.min(right, frame.right), Math.min(bottom, frame.bottom)];
  };
  clip({ left: 0, top: 0, right: document.documentElement.clientWidth, bottom: innerHeight });
  for (let one = element.parentElement; one && one !== document.body; one = one.parentElement) {
    if (getComputedStyle(one).overflow !== "visible") clip(one.getBoundingClientRect());
  }
  return right - left > 2 * INSET && bottom - top > 2 * INSET ? { left, top, right, bottom } : null;
}

function pointsOf({ left, top, right, bottom }) {
  const columns = [left + INSET, (left + right) / 2, right - INSET];
  const rows = [top + INSET, (top + bottom) / 2, bottom - INSET];
  return columns.flatMap((x) => rows.map((y) => [x, y]));
}

const named = (element) => `${element.localName}${element.id && `#${element.id}`} “${(element.textContent || element.value || "").trim().slice(0, 30)}”`;

function isScrolledUnder(element, above) {
  const place = ON_TOP.findIndex((bar) => above.closest(bar));
  return place >= 0 && ON_TOP.slice(0, place + 1).every((bar) => !element.closest(bar));
}

function isCovered(element, [x, y]) {
  const above = document.elementFromPoint(x, y);
  if (!above || element.contains(above) || above.contains(element)) return null;
  // A text beside its box, and the box in its label.
  if (element.labels && [...element.labels].some((label) => label.contains(above))) return null;
  return isScrolledUnder(element, above) ? null : above;
}

function overlaps(step) {
  const found = new Set();
  const last = document.documentElement.scrollHeight - innerHeight;
  for (let place = 0; ; place = Math.min(place + step, last)) {
    scrollTo({ top: place, behavior: "instant" });
    for (const element of document.querySelectorAll(`#content :is(${SHOWN}), .messagelist li`)) {
      if (!element.checkVisibility({ visibilityProperty: true })) continue;
      for (const box of element.getClientRects()) {
        const part = visiblePart(element, box);
        const above = part && pointsOf(part).map((point) => isCovered(element, point)).find(Boolean);
        if (above) found.add(`${named(element)} is under ${named(above)}`);
      }
    }
    if (place >= last) return [...found];
  }
}
