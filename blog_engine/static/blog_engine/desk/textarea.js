// Changes to a text area: as typed, so that the browser can undo them, and without moving the caret of the writer.
const composing = new WeakSet();

// watch(BODY): begins to notice words that an input method is still composing; they must not be interrupted.
export function watch(body) {
  body.addEventListener("compositionstart", () => composing.add(body));
  body.addEventListener("compositionend", () => composing.delete(body));
}

// A promise of the moment at which the text may be changed by others than the writer.
export function settled(body) {
  if (!composing.has(body)) return Promise.resolve();
  return new Promise((resolve) => {
    body.addEventListener("compositionend", () => setTimeout(resolve), { once: true });
  });
}

// insert(BODY, TEXT, FROM, TO): as if it was typed over this part; the caret is behind it.
export function insert(body, text, from = body.selectionStart, to = body.selectionEnd) {
  body.focus({ preventScroll: true });
  body.setSelectionRange(from, to);
  const isDone = document.execCommand(text ? "insertText" : "delete", false, text);
  if (isDone || from === to && !text) return;
  body.setRangeText(text, from, to, "end");
  body.dispatchEvent(new Event("input", { bubbles: true }));
}

// A place of the old text in the new one, after the part from FROM to TO became LENGTH characters.
export function moved(place, from, to, length) {
  if (place <= from) return place;
  if (place >= to) return place + length - (to - from);
  return from + Math.min(place - from, length);
}

// replace(BODY, FROM, TO, TEXT): while somebody writes elsewhere: caret, selection, scroll position and focus stay.
export function replace(body, from, to, text) {
  const { selectionStart, selectionEnd, selectionDirection, scrollTop } = body;
  if (document.activeElement === body) {
    insert(body, text, from, to);
  } else {
    body.setRangeText(text, from, to, "preserve");
    body.dispatchEvent(new Event("input", { bubbles: true }));
  }
  const [start, end] = [selectionStart, selectionEnd].map((place) => moved(place, from, to, text.length));
  body.setSelectionRange(start, end, selectionDirection);
  body.scrollTop = scrollTop;
}

// The lines that a selection touches: their range.
export function linesAt(text, from, to) {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const last = to > from && text[to - 1] === "\n" ? to - 1 : to;
  const end = text.indexOf("\n", last);
  return [start, end < 0 ? text.length : end];
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

// The lines with their places; those in fenced code blocks, and the fences, have isCode.
function* linesOf(text) {
  let fence = "";
  let at = 0;
  for (const line of text.split("\n")) {
    const mark = FENCE.exec(line)?.[1];
    yield { line, at, isCode: Boolean(fence || mark), isOpen: Boolean(fence) };
    if (mark && !fence) fence = mark;
    else if (mark?.startsWith(fence)) fence = "";
    at += line.length + 1;
  }
}

// Whether a place is within a fenced code block.
export function inFence(text, place) {
  return [...linesOf(text.slice(0, place))].at(-1).isOpen;
}

// The headings outside code: level, text and place; at most MOST.
export function headings(text, most) {
  const found = [];
  for (const { line, at, isCode } of linesOf(text)) {
    const heading = isCode ? null : /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t#]*$/.exec(line);
    if (heading && found.length < most) found.push({ level: heading[1].length, text: heading[2], at });
  }
  return found;
}
