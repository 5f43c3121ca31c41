// Remarks on a review: words that are selected in the article become the passage of a new remark, and the passages of
// open remarks are marked in the article. Without scripts a passage is typed, and stands beside its remark.

const frame = document.querySelector("[data-article]");
const box = document.querySelector("[data-quote-box]");
const status = document.querySelector("[data-quote-status]");
const form = document.querySelector("[data-remark-form]");

/** The text nodes of the article, and its text in which each white space is one space, with the place of each sign. */
function textOf(body) {
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  const places = [];
  let text = "";
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (let at = 0; at < node.data.length; at += 1) {
      const sign = /\s/.test(node.data[at]) ? " " : node.data[at];
      if (sign !== " " || !text.endsWith(" ")) {
        text += sign;
        places.push({ node, at });
      }
    }
  }
  return { text, places };
}

/** Marks a passage in the article; returns its first mark, or nothing where the article writes it differently. */
function mark(body, passage) {
  const { text, places } = textOf(body);
  const wanted = passage.trim().replace(/\s+/g, " ");
  const start = wanted ? text.indexOf(wanted) : -1;
  if (start < 0) {
    return null;
  }
  const parts = new Map();
  for (const { node, at } of places.slice(start, start + wanted.length)) {
    const part = parts.get(node) ?? { from: at, to: at };
    parts.set(node, { ...part, to: at + 1 });
  }
  const marks = [];
  for (const [node, { from, to }] of parts) {
    const range = node.ownerDocument.createRange();
    range.setStart(node, from);
    range.setEnd(node, to);
    // Between the cells of a table or the points of a list there is only white space.
    if (range.toString().trim()) {
      const element = node.ownerDocument.createElement("mark");
      range.surroundContents(element);
      marks.push(element);
    }
  }
  return marks[0];
}

function markPassages(article) {
  const body = article.querySelector("[data-blog-body]");
  for (const remark of body ? document.querySelectorAll("[data-passage]") : []) {
    const first = mark(body, remark.dataset.passage);
    const place = remark.querySelector("[data-remark-place]");
    if (first && place) {
      place.hidden = false;
      place.querySelector("[data-remark-show]").addEventListener("click", () => {
        frame.scrollIntoView({ block: "nearest" });
        first.scrollIntoView({ block: "center" });
      });
    }
  }
}

function quote() {
  const words = frame.contentDocument.getSelection()?.toString().trim() ?? "";
  status.textContent = words ? "" : status.dataset.wordNone;
  if (!words) {
    return;
  }
  form.open = true;
  form.querySelector("[name=passage]").value = words;
  form.querySelector("[name=text]").focus();
}

function prepare() {
  const article = frame.contentDocument;
  if (!article?.body || article.URL === "about:blank" || frame.dataset.isMarked === article.URL) {
    return;
  }
  frame.dataset.isMarked = article.URL;
  box.hidden = false;
  markPassages(article);
}

if (frame && box && form) {
  box.querySelector("[data-quote]").addEventListener("click", quote);
  frame.addEventListener("load", prepare);
  if (frame.contentDocument?.readyState === "complete") {
    prepare();
  }
}
