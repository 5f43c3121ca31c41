// The conversation above the editor's form: remarks are answered and resolved without leaving what is being written. The
// server sends the section as it is afterwards. What is typed in other answers is kept.
const section = document.querySelector("[data-conversation]");
const editor = document.querySelector("[data-post-form]");
const { post } = await import(editor.dataset.serverScript);

function takeOver() {
  for (const form of section.querySelectorAll("[data-conversation-form]")) form.hidden = false;
  for (const link of section.querySelectorAll("[data-conversation-link]")) link.hidden = true;
}

function tell(words) {
  const status = section.querySelector("[data-conversation-status]");
  status.textContent = words;
  status.focus();
}

section.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (section.dataset.sending) return;
  section.dataset.sending = "yes";
  const sent = event.target;
  const data = new FormData(sent, event.submitter);
  data.set("as", "json");
  const { reply } = await post(editor, sent.action, data);
  delete section.dataset.sending;
  if (!reply?.html) return tell(reply?.message || section.dataset.failed);
  const answer = sent.querySelector("textarea");
  if (reply.done) answer.value = "";
  const typed = new Map([...section.querySelectorAll("textarea")].map(({ id, value }) => [id, value]));
  section.innerHTML = reply.html;
  for (const field of section.querySelectorAll("textarea")) field.value = typed.get(field.id) || "";
  takeOver();
  tell(reply.message);
});

takeOver();
