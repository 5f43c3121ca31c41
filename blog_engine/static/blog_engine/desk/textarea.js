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

// The places at which two texts begin and stop to differ: start, end in the first, end in the second.
function differing(one, other) {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start++;
  let same = 0;
  while (same < most - start && one[one.length - 1 - same] === other[other.length - 1 - same]) same++;
  return [start, one.length - same, other.length - same];
}

// takeIn(BODY, SENT, LINES): makes changes of others to the text that was sent, while the writer has typed on: for each,
// the index of its first line, the number of lines that go, and the text that comes. Returns whether the writer has
// typed elsewhere; if not, nothing is changed.
export function takeIn(body, sent, lines) {
  const now = body.value;
  const [from, to, end] = now === sent ? [Infinity, Infinity, Infinity] : differing(sent, now);
  const starts = [0];
  for (let at = sent.indexOf("\n"); at >= 0; at = sent.indexOf("\n", at + 1)) starts.push(at + 1);
  const place = (line) => starts[line] ?? sent.length;
  const changes = lines.map(([line, count, text]) => ({ start: place(line), stop: place(line + count), text }));
  if (changes.some(({ start, stop }) => start <= to && stop >= from)) return false;
  for (const { start, stop, text } of changes.reverse()) {
    const shift = start > to ? end - to : 0;
    replace(body, start + shift, stop + shift, text);
  }
  return true;
}
