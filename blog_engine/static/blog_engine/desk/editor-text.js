// The text of a post: marks that toggle, lists that go on at Enter, words, bytes and outline.
// Nothing reads the whole text at each key: it is counted half a second after the last one.
const form = document.querySelector("[data-post-form]");
const body = document.getElementById("id_body");
const MOST_HEADINGS = 300;
const ITEM = /^([ \t]*(?:>[ \t]?)*[ \t]*)(?:([-*+])|(\d{1,9})([.)]))([ \t]+)(\[[ xX]\][ \t]+)?/;
const QUOTED = /^((?:[ \t]*>[ \t]?)+)/;

function start({ insert, watch, linesAt, inFence, headings }) {
  const selected = () => body.value.slice(body.selectionStart, body.selectionEnd);
  const select = (from, to) => body.setSelectionRange(from, to);

  // A mark around each line of the selection, or away if it is there, within or around.
  function toggleMark(mark) {
    const text = body.value;
    let [from, to] = [body.selectionStart, body.selectionEnd];
    // Not the spaces beside the words: between mark and space there is none in Markdown.
    while (from < to && /\s/.test(text[from])) from++;
    while (to > from && /\s/.test(text[to - 1])) to--;
    const part = text.slice(from, to);
    const isMarked = (piece) => piece.length >= 2 * mark.length && piece.startsWith(mark) && piece.endsWith(mark);
    const isSingle = mark.length > 1 || !(text.slice(from - 2, from) === mark + mark && text[from - 3] !== mark);
    if (isSingle && text.slice(from - mark.length, from) === mark && text.slice(to, to + mark.length) === mark) {
      insert(body, part, from - mark.length, to + mark.length);
      select(from - mark.length, to - mark.length);
    } else if (part && part.split("\n").every((line) => !line.trim() || isMarked(line.trim()))) {
      const bare = part.split("\n").map((line) => line.replace(line.trim(), line.trim().slice(mark.length, -mark.length || undefined)));
      insert(body, bare.join("\n"), from, to);
      select(from, from + bare.join("\n").length);
    } else {
      // A mark within would end at the new one.
      const inner = mark === "`" ? part : part.replaceAll(mark, "");
      const lines = inner.split("\n").map((line) => line.replace(/^(\s*)(.*?)(\s*)$/, (all, head, words, tail) => words ? `${head}${mark}${words}${mark}${tail}` : all));
      const made = part ? lines.join("\n") : mark + mark;
      insert(body, made, from, to);
      if (!part) select(from + mark.length, from + mark.length);
      else if (made.includes("\n")) select(from, from + made.length);
      else select(from + mark.length, from + made.length - mark.length);
    }
  }

  // The same beginning for each line that the selection touches; away if all have it.
  function toggleLines(has, without, mark) {
    const [from, to] = linesAt(body.value, body.selectionStart, body.selectionEnd);
    const lines = body.value.slice(from, to).split("\n");
    const full = lines.filter((line) => line.trim());
    const isAll = full.length > 0 && full.every(has);
    let number = 0;
    const made = lines.map((line) => {
      if (!line.trim() && lines.length > 1) return line;
      return isAll ? without(line) : mark(without(line), ++number);
    });
    insert(body, made.join("\n"), from, to);
    if (lines.length > 1) select(from, from + made.join("\n").length);
    else select(from + made[0].length, from + made[0].length);
  }

  const withoutItem = (line) => line.replace(ITEM, "$1").replace(/^ {0,3}#{1,6}[ \t]+/, "");
  const withoutHeading = (line) => line.replace(/^ {0,3}#{1,6}(?:[ \t]+|$)/, "");

  function toggleHeading(level) {
    const sign = "#".repeat(level);
    toggleLines((line) => new RegExp(`^ {0,3}${sign}[ \\t]`).test(line), withoutHeading, (line) => `${sign} ${line.trimStart()}`);
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
    "unordered-list": () => toggleLines((line) => ITEM.exec(line)?.[2], withoutItem, (line) => `- ${line}`),
    "ordered-list": () => toggleLines((line) => ITEM.exec(line)?.[3], withoutItem, (line, number) => `${number}. ${line}`),
  };

  // Enter in an item of a list or a quotation begins the next one; in an empty one it ends the list.
  function goOn(event) {
    const { selectionStart: at, selectionEnd, value } = body;
    if (at !== selectionEnd || inFence(value, at)) return;
    const start = value.lastIndexOf("\n", at - 1) + 1;
    const line = value.slice(start, at);
    const item = ITEM.exec(line);
    const quote = QUOTED.exec(line);
    const mark = item?.[0] ?? quote?.[0];
    if (!mark) return;
    event.preventDefault();
    const rest = value.slice(at).split("\n", 1)[0];
    if (!line.slice(mark.length).trim() && !rest.trim()) insert(body, item ? item[1].trimEnd() : "", start, at);
    else if (!item) insert(body, `\n${mark}`);
    else insert(body, `\n${item[1]}${item[2] ?? `${Number(item[3]) + 1}${item[4]}`}${item[5]}${item[6] ? "[ ] " : ""}`);
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
