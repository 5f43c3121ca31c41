// The text of a post: marks that toggle, lists that go on at Enter, words, bytes and outline.
// Nothing reads the whole text at each key: it is counted half a second after the last one.
const form = document.querySelector("[data-post-form]");
const body = document.getElementById("id_body");
const MOST_HEADINGS = 300;
const ITEM = /^([ \t]*(?:>[ \t]?)*[ \t]*)(?:([-*+])|(\d{1,9})([.)]))([ \t]+)(\[[ xX]\][ \t]+)?/;
const QUOTED = /^((?:[ \t]*>[ \t]?)+)/;
// What comes before the words of a line: quotation, item, heading.
const HEAD = /^(?:[ \t]*>[ \t]?)*[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?)?(?:#{1,6}[ \t]+)?/;
// What each mark has made, as people also write it by hand. An underscore within a word is none.
const SPANS = {
  "**": /\*\*(?=\S).+?(?<=\S)\*\*(?!\*)|(?<![\p{L}\p{N}_])__(?=\S).+?(?<=\S)__(?![\p{L}\p{N}_])/gu,
  _: /(?<![\p{L}\p{N}_])_(?=[^\s_]).*?(?<=[^\s_])_(?![\p{L}\p{N}_])|(?<!\*)\*(?=[^\s*]).*?(?<=[^\s*])\*(?!\*)/gu,
  "~~": /~~(?=\S).+?(?<=\S)~~/g,
  "`": /`[^`\n]+`/g,
};
const WORD = "[\\p{L}\\p{N}\\p{M}'’-]*";
const [WORD_BEFORE, WORD_AFTER] = [new RegExp(`${WORD}$`, "u"), new RegExp(`^${WORD}`, "u")];
// Marks are looked for in one line, and not further away than this.
const REACH = 2000;
const MOST_ITEMS = 500;

const spansOf = (text, mark, at = 0) =>
  [...text.matchAll(SPANS[mark])].map(({ index, 0: found }) => ({ start: at + index, end: at + index + found.length }));

const unmarked = (text, mark) => text.replace(SPANS[mark], (found) => found.slice(mark.length, -mark.length));

// The spans of a mark in the line of a place.
function spansAround(text, place, mark) {
  const start = Math.max(text.lastIndexOf("\n", place - 1) + 1, place - REACH);
  const end = text.indexOf("\n", place);
  return spansOf(text.slice(start, Math.min(end < 0 ? text.length : end, place + REACH)), mark, start);
}

function start({ insert, watch, linesAt, inFence, headings }) {
  const selected = () => body.value.slice(body.selectionStart, body.selectionEnd);
  const select = (from, to) => body.setSelectionRange(from, to);

  // The place with the rest of its word on one side.
  const wordStart = (text, place) => place - WORD_BEFORE.exec(text.slice(Math.max(0, place - REACH), place))[0].length;
  const wordEnd = (text, place) => place + WORD_AFTER.exec(text.slice(place, place + REACH))[0].length;

  // A mark around the selection, or around the word of the caret; away if it is there, within or around.
  function toggleMark(mark) {
    const text = body.value;
    const size = mark.length;
    let [from, to] = [body.selectionStart, body.selectionEnd];
    // Not the spaces beside the words: between mark and space there is none in Markdown.
    while (from < to && /\s/.test(text[from])) from++;
    while (to > from && /\s/.test(text[to - 1])) to--;
    const caret = from;
    const isChosen = from < to;
    const spans = [...spansAround(text, from, mark), ...spansAround(text, to, mark)];
    const around = spans.find(({ start, end }) => (isChosen ? start <= from && to <= end : start < from && to < end));
    if (around) return takeOut(mark, around, from, to);
    if (!isChosen) {
      // A pair that was just made, with nothing in it.
      if (text.slice(from - size, from) === mark && text.slice(to, to + size) === mark) {
        insert(body, "", from - size, to + size);
        return undefined;
      }
      [from, to] = [wordStart(text, from), wordEnd(text, to)];
      insert(body, mark + text.slice(from, to) + mark, from, to);
      select(caret + size, caret + size);
      return undefined;
    }
    for (const { start, end } of spans) {
      if (start < from && from < end) from = start;
      if (start < to && to < end) to = end;
    }
    return markLines(mark, from, to);
  }

  // Out of a span: the whole span for a caret in it, or only the chosen words.
  function takeOut(mark, { start, end }, from, to) {
    const text = body.value;
    const size = mark.length;
    const sign = text.slice(start, start + size);
    const clipped = (place) => Math.min(Math.max(place, start + size), end - size);
    let [first, last] = [clipped(from), clipped(to)];
    const isPart = from < to && mark !== "`" && (text.slice(start + size, first).trim() || text.slice(last, end - size).trim());
    if (!isPart) {
      insert(body, text.slice(start + size, end - size), start, end);
      select(first - size, last - size);
      return;
    }
    [first, last] = [clipped(wordStart(text, first)), clipped(wordEnd(text, last))];
    const [before, after] = [text.slice(start + size, first), text.slice(last, end - size)];
    const kept = (part) => (part.trim() ? part.replace(part.trim(), () => sign + part.trim() + sign) : part);
    insert(body, kept(before) + text.slice(first, last) + kept(after), start, end);
    const at = start + kept(before).length;
    select(at, at + last - first);
  }

  // The words of each line; marks of lists, quotations and headings stay in front of them.
  function markLines(mark, from, to) {
    const text = body.value;
    const lineStart = text.lastIndexOf("\n", from - 1) + 1;
    const head = HEAD.exec(text.slice(lineStart, to).split("\n", 1)[0])[0].length;
    const [skipped, ...rest] = text.slice(from, to).split("\n").map((line, index) => {
      const length = index ? HEAD.exec(line)[0].length : Math.max(0, lineStart + head - from);
      return { head: line.slice(0, length), words: line.slice(length).trim(), tail: /\s*$/.exec(line.slice(length))[0] };
    });
    const lines = [skipped, ...rest];
    const isMarked = ({ words }) => {
      const [span] = spansOf(words, mark);
      return !words || span?.start === 0 && span.end === words.length;
    };
    const around = (words) => {
      if (mark !== "`") return mark + unmarked(words, mark) + mark;
      return words.includes("`") ? `\`\` ${words} \`\`` : `\`${words}\``;
    };
    const isAll = lines.every(isMarked);
    const made = lines.map(({ head: start, words, tail }) => {
      if (!words) return start + tail;
      return start + (isAll ? unmarked(words, mark) : around(words)) + tail;
    });
    insert(body, made.join("\n"), from, to);
    const inner = isAll || mark === "`" && lines[0].words.includes("`") ? 0 : mark.length;
    if (lines.length > 1) select(from, from + made.join("\n").length);
    else select(from + lines[0].head.length + inner, from + made[0].length - inner);
  }

  // The same beginning for each line that the selection touches, within its quotation; away if all have it.
  function toggleLines(has, without, mark) {
    const [from, to] = linesAt(body.value, body.selectionStart, body.selectionEnd);
    const lines = body.value.slice(from, to).split("\n");
    const full = lines.filter((line) => line.trim());
    const isAll = full.length > 0 && full.every(has);
    const made = lines.map((line) => {
      if (!line.trim() && lines.length > 1) return line;
      return isAll ? without(line) : mark(line);
    });
    insert(body, made.join("\n"), from, to);
    if (lines.length > 1) select(from, from + made.join("\n").length);
    else select(from + made[0].length, from + made[0].length);
  }

  const quotation = (line) => QUOTED.exec(line)?.[1] ?? "";
  const withoutHeading = (line) => line.replace(/^ {0,3}#{1,6}(?:[ \t]+|$)/, "");
  const bare = (line) => withoutHeading(line.slice(quotation(line).length).replace(ITEM, "").trimStart());

  function toggleHeading(level) {
    const sign = "#".repeat(level);
    toggleLines(
      (line) => new RegExp(`^ {0,3}${sign}[ \\t]`).test(line.slice(quotation(line).length)),
      (line) => quotation(line) + withoutHeading(line.slice(quotation(line).length)),
      (line) => `${quotation(line)}${sign} ${bare(line)}`,
    );
  }

  // Items below items stay below them, under a mark of another width too; each level has its own numbers.
  function toggleList(isOrdered) {
    const levels = [];
    toggleLines(
      (line) => ITEM.exec(line)?.[isOrdered ? 3 : 2],
      (line) => quotation(line) + bare(line),
      (line) => {
        const before = quotation(line);
        const indent = /^[ \t]*/.exec(line.slice(before.length))[0].replaceAll("\t", "    ").length;
        while (levels.length && levels.at(-1).indent > indent) levels.pop();
        if (levels.at(-1)?.indent !== indent) {
          const above = levels.at(-1);
          levels.push({ indent, space: above ? above.space + above.width : Math.min(indent, 3), count: 0, width: 2 });
        }
        const level = levels.at(-1);
        const sign = isOrdered ? `${++level.count}. ` : "- ";
        level.width = sign.length;
        return before + " ".repeat(level.space) + sign + bare(line);
      },
    );
  }

  function makeLink() {
    const [from, text] = [body.selectionStart, selected()];
    const link = /^\[([^\]\n]*)\]\([^)\n]*\)$/.exec(text);
    if (link) {
      insert(body, link[1]);
      select(from, from + link[1].length);
    } else if (/^https?:\/\/\S+$/.test(text)) {
      insert(body, `[](${text})`);
      select(from + 1, from + 1);
    } else {
      insert(body, `[${text}](url)`);
      if (text) select(from + text.length + 3, from + text.length + 6);
      else select(from + 1, from + 1);
    }
  }

  function toggleCode() {
    if (!selected().includes("\n")) return toggleMark("`");
    const [from, to] = linesAt(body.value, body.selectionStart, body.selectionEnd);
    const lines = body.value.slice(from, to).split("\n");
    const isFenced = lines.length > 2 && /^```/.test(lines[0]) && /^```\s*$/.test(lines.at(-1));
    const made = isFenced ? lines.slice(1, -1).join("\n") : `\`\`\`\n${lines.join("\n")}\n\`\`\``;
    insert(body, made, from, to);
    select(from, from + made.length);
  }

  // A block of its own, with blank lines around it; the caret at the place of CARET in it.
  function insertBlock(block, caret) {
    const [before, after] = [body.value.slice(0, body.selectionStart), body.value.slice(body.selectionEnd)];
    const head = !before || before.endsWith("\n\n") ? "" : before.endsWith("\n") ? "\n" : "\n\n";
    const tail = !after || after.startsWith("\n\n") ? "\n" : after.startsWith("\n") ? "\n" : "\n\n";
    const at = body.selectionStart + head.length + block.indexOf(caret);
    insert(body, head + block + tail);
    select(at, at + caret.length);
  }

  function insertTable() {
    const name = form.dataset.wordHeading;
    insertBlock(`| ${name} | ${name} |\n| --- | --- |\n|  |  |`, name);
  }

  const tools = {
    bold: () => toggleMark("**"),
    italic: () => toggleMark("_"),
    strikethrough: () => toggleMark("~~"),
    code: toggleCode,
    link: makeLink,
    table: insertTable,
    "header-2": () => toggleHeading(2),
    "header-3": () => toggleHeading(3),
    quote: () => toggleLines((line) => /^[ \t]*>/.test(line), (line) => line.replace(/^[ \t]*>[ \t]?/, ""), (line) => `> ${line}`),
    "unordered-list": () => toggleList(false),
    "ordered-list": () => toggleList(true),
  };

  // The numbers of the items that follow on a level, from `number` on: the text up to the last one, and where it ends.
  function renumbered(text, from, indent, number) {
    const lines = text.slice(from).split("\n", MOST_ITEMS);
    let next = number;
    let last = 0;
    for (const [index, line] of lines.entries()) {
      const item = index ? ITEM.exec(line) : null;
      if (item?.[3] && item[1] === indent) {
        lines[index] = line.replace(/\d+/, String(next++));
        last = index;
      } else if (index && line.trim() && !(line.startsWith(indent) && /^[ \t]{2}/.test(line.slice(indent.length)))) break;
    }
    const end = from + text.slice(from).split("\n", last + 1).join("\n").length;
    return { text: lines.slice(0, last + 1).join("\n"), end };
  }

  // A new item, with what was typed before it, at a place; those below it count on.
  function putItem(before, item, from, to) {
    const sign = item[2] ?? `${Number(item[3]) + 1}${item[4]}`;
    const made = `${before}${item[1]}${sign}${item[5]}${item[6] ? "[ ] " : ""}`;
    const rest = item[3] ? renumbered(body.value, to, item[1], Number(item[3]) + 2) : { text: "", end: to };
    insert(body, made + rest.text, from, rest.end);
    select(from + made.length, from + made.length);
  }

  // The item that an item of this indent is part of.
  function itemAbove(text, start, indent) {
    const above = text.slice(0, start).split("\n").slice(-MOST_ITEMS - 1, -1).reverse();
    for (const line of above) {
      const item = ITEM.exec(line);
      if (item && item[1].length < indent.length) return quotation(item[1]) === quotation(indent) ? item : null;
      if (line.trim() && !item && !/^[ \t>]/.test(line)) return null;
    }
    return null;
  }

  // Enter in an item of a list or a quotation begins the next one; in an empty one it ends the list, or its level.
  function goOn(event) {
    const { selectionStart: at, selectionEnd, value } = body;
    if (at !== selectionEnd || inFence(value, at)) return;
    const start = value.lastIndexOf("\n", at - 1) + 1;
    const line = value.slice(start, at);
    const item = ITEM.exec(line);
    const mark = item?.[0] ?? QUOTED.exec(line)?.[0];
    if (!mark) return;
    event.preventDefault();
    const rest = value.slice(at).split("\n", 1)[0];
    const isEmpty = !line.slice(mark.length).trim() && !rest.trim();
    const above = isEmpty && item ? itemAbove(value, start, item[1]) : null;
    if (above) putItem("", above, start, at);
    else if (isEmpty) insert(body, item ? item[1].trimEnd() : "", start, at);
    else if (item) putItem("\n", item, at, at);
    else insert(body, `\n${mark}`);
    // Browsers do not scroll to a caret that a script moved.
    body.blur();
    body.focus();
  }

  function showOutline(list, found) {
    list.replaceChildren(
      ...found.map((heading) => {
        const item = document.createElement("li");
        const button = document.createElement("button");
        item.dataset.level = heading.level;
        button.type = "button";
        button.textContent = heading.text;
        button.addEventListener("click", () => {
          body.focus();
          select(heading.at, heading.at);
          // Browsers scroll to the selection when the focus comes back.
          body.blur();
          body.focus();
        });
        item.append(button);
        return item;
      }),
    );
    if (!found.length) list.textContent = form.dataset.wordNoHeadings;
  }

  // Pieces with a letter or a digit; not the marks of headings and lists.
  const words = (text) => text.split(/\s+/).filter((piece) => /[\p{L}\p{N}]/u.test(piece)).length;

  // With the digits of the server.
  const written = (number) => number.toLocaleString(document.documentElement.lang, { numberingSystem: "latn" });

  // As the server writes 1.0 KB, so that it looks like the limit beside it.
  const kilobytes = (facts, size) =>
    facts.dataset.wordKilobyte.replace(/1(.)0/, (_, sign) => (size / 1024).toFixed(1).replace(".", sign));

  function wordCount(facts, number) {
    const plural = new Intl.PluralRules(document.documentElement.lang).select(number);
    return facts.getAttribute(`data-word-count-${plural}`).replace("{number}", written(number));
  }

  function count() {
    const facts = document.querySelector("[data-facts]");
    const text = body.value;
    facts.hidden = false;
    facts.querySelector("[data-words]").textContent = wordCount(facts, words(text));
    facts.querySelector("[data-bytes]").textContent = kilobytes(facts, new Blob([text]).size);
    showOutline(facts.querySelector("[data-outline]"), headings(text, MOST_HEADINGS));
  }

  // One stop of the Tab key, in which arrows lead from button to button.
  function showTools(bar) {
    const stops = [...bar.querySelectorAll("button, input")];
    const go = (stop) => stops.forEach((one) => (one.tabIndex = one === stop ? 0 : -1));
    bar.hidden = false;
    for (const help of form.querySelectorAll("[data-scripted]")) help.hidden = false;
    go(stops[0]);
    bar.addEventListener("focusin", (event) => go(event.target));
    bar.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0;
      const isBackward = getComputedStyle(bar).direction === "rtl";
      const place = stops.indexOf(event.target) + (isBackward ? -step : step);
      const stop = { Home: stops[0], End: stops.at(-1) }[event.key] ?? (step && stops.at(place % stops.length));
      if (!stop) return;
      event.preventDefault();
      stop.focus();
    });
  }

  let timer = 0;
  const bar = form.querySelector("[data-tools]");
  if (bar) showTools(bar);
  watch(body);
  body.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(count, 500);
  });
  count();
  for (const button of form.querySelectorAll("[data-tool]")) {
    button.addEventListener("click", () => tools[button.dataset.tool]());
  }
  body.addEventListener("keydown", (event) => {
    if (event.isComposing || event.altKey) return;
    if (event.key === "Enter" && !event.shiftKey && !event.ctrlKey && !event.metaKey) {
      goOn(event);
      return;
    }
    if (!(event.ctrlKey || event.metaKey) || event.shiftKey) return;
    const button = form.querySelector(`[data-tool][data-key="${CSS.escape(event.key.toLowerCase())}"]`);
    if (!button) return;
    event.preventDefault();
    button.click();
  });
}

if (form && body) start(await import(form.dataset.textareaScript));
