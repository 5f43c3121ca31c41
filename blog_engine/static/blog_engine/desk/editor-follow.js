// The preview scrolls to the passage of the caret. The page of readers says nothing about the source, so the passage is
// found by its words; among several with the same words, by its place in the text.
const form = document.querySelector("[data-post-form]");
const body = document.getElementById("id_body");
const pane = document.querySelector("[data-preview-pane]");
const frame = document.querySelector("[data-preview-frame]");
const BLOCKS = "h1, h2, h3, h4, h5, h6, p, li, tr, pre, figcaption, dt, dd, summary, blockquote";
const LEFT_OUT = "script, style, sup, .blog-footnotes";
const MOVES = /^(Arrow|Home|End|Page)/;
const AROUND = 30;
const NEAR = 8;
const PAUSE = 120;

// The letters and digits: what source and page have in common.
const plain = (text) => text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

// The source without what readers do not see as text.
const readable = (source) =>
  source.replace(/\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[\^[^\]\n]*\]|<[^<>\n]*>|&#?\w+;|^[ \t>]*\d+[.)](?=\s)/gm, "");

// The blocks of the page with their words, and how many letters come before them.
function passagesOf(root) {
  const texts = new Map();
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.localName === "img") texts.set(node, node.alt);
    if (node.nodeType !== Node.TEXT_NODE || node.parentElement.closest(LEFT_OUT)) continue;
    const block = node.parentElement.closest(BLOCKS);
    if (block && root.contains(block)) texts.set(block, (texts.get(block) ?? "") + node.data);
  }
  let length = 0;
  const found = [];
  for (const [element, text] of texts) {
    const words = plain(text);
    if (!words) continue;
    found.push({ element, words, at: length });
    length += words.length;
  }
  return { found, length };
}

// The block with these words that is closest to a place; a whole block wins over a part of one.
function blockWith(words, { found }, place) {
  const whole = found.filter((one) => one.words === words);
  const fits = whole.length ? whole : found.filter((one) => words.length > 1 && one.words.includes(words));
  return fits.sort((one, other) => Math.abs(one.at - place) - Math.abs(other.at - place))[0];
}

// Where the line of the caret is on the page; else a line near it, else about there.
function placeOf(text, caret, passages) {
  const line = (from) => {
    const end = text.indexOf("\n", from);
    return [from, end < 0 ? text.length : end];
  };
  const start = text.lastIndexOf("\n", caret - 1) + 1;
  const lines = [line(start)];
  for (let at = start, count = 0; at > 0 && count < NEAR; count++) {
    at = text.lastIndexOf("\n", at - 2) + 1;
    lines.push(line(at));
  }
  for (let at = lines[0][1], count = 0; at < text.length && count < NEAR; count++) {
    lines.push(line(at + 1));
    at = lines.at(-1)[1];
  }
  const before = plain(readable(text.slice(0, start))).length;
  const all = plain(readable(text)).length;
  const place = all ? (before / all) * passages.length : 0;
  for (const [index, [from, end]] of lines.entries()) {
    const words = plain(readable(text.slice(from, end)));
    const reached = index ? 0 : plain(readable(text.slice(from, caret))).length;
    const around = words.slice(Math.max(0, reached - AROUND), reached + AROUND);
    for (const piece of [words, around, words.slice(0, AROUND), words.slice(-AROUND)]) {
      const block = piece && blockWith(piece, passages, place);
      if (!block) continue;
      const into = piece === words ? reached : piece === around ? Math.min(reached, AROUND) : 0;
      return { element: block.element, part: (block.words.indexOf(piece) + into) / block.words.length };
    }
  }
  const block = passages.found.findLast((one) => one.at <= place);
  return block && { element: block.element, part: 0 };
}

function start() {
  let passages = null;
  let isOwn = false;
  let isAtTop = true;
  let timer = 0;

  function follow(behavior) {
    const page = frame.contentDocument;
    if (pane.hidden || isOwn || !passages || !page) return;
    const root = page.documentElement;
    if (isAtTop) {
      root.scrollTo({ top: 0, behavior });
      return;
    }
    const found = placeOf(body.value, body.selectionStart, passages);
    if (!found) return;
    const box = found.element.getBoundingClientRect();
    const place = box.top + box.height * found.part;
    // What can be read already stays where it is.
    if (place > 0.1 * root.clientHeight && place < 0.7 * root.clientHeight) return;
    root.scrollTo({ top: root.scrollTop + place - 0.3 * root.clientHeight, behavior });
  }

  const isCalm = matchMedia("(prefers-reduced-motion: reduce)");
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => follow(isCalm.matches ? "instant" : "smooth"), PAUSE);
  };
  // Somebody who scrolled the preview reads there, until the caret goes elsewhere without writing.
  const own = () => (isOwn = true);
  const moved = () => (isOwn = false);

  frame.addEventListener("load", () => {
    const page = frame.contentDocument;
    if (!page) return;
    const root = page.querySelector("[data-blog-body]") ?? page.querySelector("article, main") ?? page.body;
    passages = passagesOf(root);
    for (const event of ["wheel", "touchmove", "pointerdown"]) page.addEventListener(event, own, { passive: true });
    page.addEventListener("keydown", ({ key }) => (MOVES.test(key) || key === " ") && own());
    follow("instant");
  });
  body.addEventListener("pointerdown", moved);
  body.addEventListener("keydown", ({ key }) => MOVES.test(key) && moved());
  document.querySelector("[data-outline]")?.addEventListener("click", moved);
  form.addEventListener("focusin", ({ target }) => {
    if (target.matches("#id_title, #id_description")) isAtTop = true;
    else if (target === body) isAtTop = false;
    else return;
    soon();
  });
  document.addEventListener("selectionchange", () => document.activeElement === body && soon());
  new ResizeObserver(soon).observe(frame);
}

if (form && body && pane && frame) start();
