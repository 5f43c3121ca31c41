// Texts as tall as what is in them, where the browser's `field-sizing` does not do it; and how much of the window the bar
// and the toolbar take, so that neither covers the line of the caret.
const GROWS = CSS.supports("field-sizing", "content");
const page = document.documentElement;

function grow(field) {
  let length = field.value.length;
  let width = 0;
  let height = 0;
  let border = 0;
  Object.assign(field.style, { overflowY: "hidden", resize: "none" });

  const take = (wanted) => {
    height = wanted;
    field.style.height = `${wanted}px`;
  };
  // One layout for each key: a longer text is measured as it is; a shorter one without its height, which is kept free
  // below it meanwhile, or the page would jump.
  const fit = (isLonger) => {
    if (isLonger) {
      const wanted = field.scrollHeight + border;
      if (wanted > height) take(wanted);
      return;
    }
    Object.assign(field.style, { height: "0", marginBottom: `${height}px` });
    const wanted = field.scrollHeight + border;
    field.style.marginBottom = "";
    take(wanted);
  };

  field.addEventListener("input", () => {
    fit(field.value.length >= length);
    length = field.value.length;
  });
  // Also when a section is opened, and when the window is turned.
  new ResizeObserver(() => {
    if (field.clientWidth === width) return;
    width = field.clientWidth;
    border = field.offsetHeight - field.clientHeight;
    if (width) fit(false);
  }).observe(field);
}

// Firefox takes the whole text for one page, and does not scroll to its ends.
function turnPages(field) {
  field.addEventListener("keydown", (event) => {
    const step = { PageDown: 1, PageUp: -1 }[event.key];
    const end = { Home: "start", End: "end" }[event.key];
    if (end && event.ctrlKey) setTimeout(() => field.scrollIntoView({ block: end, behavior: "instant" }));
    if (!step || event.ctrlKey || event.metaKey || event.altKey || field.offsetHeight < innerHeight) return;
    event.preventDefault();
    const top = parseFloat(getComputedStyle(page).scrollPaddingTop) || 0;
    const from = scrollY;
    scrollBy({ top: 0.9 * step * (innerHeight - top), behavior: "instant" });
    const box = field.getBoundingClientRect();
    const middle = Math.min(Math.max((top + innerHeight) / 2, box.top + top / 4), box.bottom - top / 4);
    const found = document.caretPositionFromPoint?.(box.left + box.width / 4, middle);
    let place = found?.offsetNode === field ? found.offset : field.selectionEnd;
    if (scrollY === from) place = step > 0 ? field.value.length : 0;
    const { selectionStart, selectionEnd, selectionDirection } = field;
    const fixed = selectionDirection === "backward" ? selectionEnd : selectionStart;
    if (!event.shiftKey) field.setSelectionRange(place, place);
    else if (place < fixed) field.setSelectionRange(place, fixed, "backward");
    else field.setSelectionRange(fixed, place, "forward");
  });
}

function tellHeight(element, name) {
  new ResizeObserver(() => page.style.setProperty(name, `${element.offsetHeight}px`)).observe(element);
}

if (!GROWS) {
  document.querySelectorAll("#content textarea").forEach(grow);
  // Rows that are added later.
  document.addEventListener("focusin", ({ target }) => {
    if (target.matches?.("#content textarea") && target.style.overflowY !== "hidden") grow(target);
  });
}
if (CSS.supports("-moz-appearance", "none")) document.querySelectorAll("#id_body").forEach(turnPages);
for (const [selector, name] of [[".editor-bar", "--editor-bar"], ["[data-tools]", "--editor-tools"]]) {
  const element = document.querySelector(selector);
  if (element) tellHeight(element, name);
}
