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
for (const [selector, name] of [[".editor-bar", "--editor-bar"], ["[data-tools]", "--editor-tools"]]) {
  const element = document.querySelector(selector);
  if (element) tellHeight(element, name);
}
