// Pasting: text wins over a picture of it, and HTML of the clipboard becomes Markdown, as imports make it. The plain text
// is inserted at once; the Markdown takes its place when the server has made it. Undo brings the plain text back.
// Ctrl+Shift+V pastes plain.
const form = document.querySelector("[data-post-form]");
const body = document.getElementById("id_body");
const MARKUP = /<(a\s[^>]*href|b\b|strong|i\b|em\b|u\b|s\b|del|h[1-6]|ul|ol|li|table|blockquote|pre|code|img|hr)|font-weight|font-style|mso-list|mso-style/i;
const MOST = 1000000;

function start({ insert, replace, settled, inFence }, { post, sayRefused }) {
  let isPlain = false;

  body.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() === "v" && (event.ctrlKey || event.metaKey)) isPlain = event.shiftKey;
  });

  body.addEventListener("paste", (event) => {
    const { clipboardData } = event;
    const wantsPlain = isPlain;
    isPlain = false;
    const text = clipboardData.getData("text/plain").replace(/\r\n?/g, "\n");
    const html = clipboardData.getData("text/html");
    const files = [...clipboardData.files];
    if (files.length && !text.trim()) {
      event.preventDefault();
      body.dispatchEvent(new CustomEvent("desk:files", { detail: files }));
      return;
    }
    if (wantsPlain || inFence(body.value, body.selectionStart)) return;
    const chosen = body.value.slice(body.selectionStart, body.selectionEnd);
    if (/^https?:\/\/\S+$/.test(text.trim()) && chosen.trim() && !chosen.includes("\n") && !/^https?:\/\//.test(chosen)) {
      event.preventDefault();
      insert(body, `[${chosen.replace(/[\\[\]]/g, "\\$&")}](${text.trim().replaceAll("(", "%28").replaceAll(")", "%29")})`);
      return;
    }
    // Editors of code write their colours as HTML.
    const isCode = clipboardData.types.includes("vscode-editor-data");
    if (isCode || html.length > MOST || !MARKUP.test(html)) return;
    event.preventDefault();
    convert(html, text);
  });

  async function convert(html, text) {
    const from = body.selectionStart;
    insert(body, text);
    const pasted = body.value.slice(from, body.selectionEnd);
    const before = body.value.slice(0, from);
    const data = new FormData();
    data.set("html", html);
    const { ok, reply } = await post(form, form.dataset.paste, data);
    sayRefused(reply?.message ?? "");
    if (!ok || !reply.markdown.trim() || reply.markdown === text) return;
    await settled(body);
    // Where the text is by now; if somebody wrote in it, it stays as it is.
    let at = body.value.startsWith(before) ? from : body.value.indexOf(pasted);
    if (body.value.slice(at, at + pasted.length) !== pasted) at = body.value.indexOf(pasted);
    if (at < 0 || !pasted) {
      if (pasted) return;
      at = from;
    }
    const isBlock = reply.markdown.includes("\n");
    const head = isBlock && body.value.slice(0, at).trim() && !/\n\n$/.test(body.value.slice(0, at)) ? (body.value[at - 1] === "\n" ? "\n" : "\n\n") : "";
    replace(body, at, at + pasted.length, head + reply.markdown);
  }
}

if (form && body && form.dataset.paste) {
  start(...(await Promise.all([import(form.dataset.textareaScript), import(form.dataset.serverScript)])));
}
