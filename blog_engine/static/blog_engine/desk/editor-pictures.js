// Cover and picture of shared links: upload at once, and pick from the library in a dialog.
const form = document.querySelector("[data-post-form]");
const dialog = document.querySelector("[data-dialog]");
const status = document.querySelector("[data-status]");
let take = null;

async function show(url) {
  const answer = await fetch(url);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const pictures = page.getElementById("pictures");
  dialog.querySelector("[data-dialog-body]").replaceChildren(...(pictures ? [document.adoptNode(pictures)] : []));
}

function choose(taker) {
  take = taker;
  dialog.showModal();
  show(form.dataset.pick);
}

dialog?.addEventListener("click", (event) => {
  const picked = event.target.closest("button[data-pick]");
  const link = event.target.closest("a[data-page]");
  if (picked) {
    dialog.close();
    take(picked.dataset);
  } else if (link) {
    event.preventDefault();
    show(new URL(link.getAttribute("href"), new URL(form.dataset.pick, location.href)));
  }
});
dialog?.addEventListener("submit", (event) => {
  if (event.target.method !== "get") return;
  event.preventDefault();
  show(`${form.dataset.pick}?${new URLSearchParams(new FormData(event.target))}`);
});
form?.querySelector("[data-insert=image]")?.addEventListener("click", () => {
  choose((picked) => document.dispatchEvent(new CustomEvent("desk:picture", { detail: picked })));
});

function start(picture, words, { upload, sayRefused }, { stored }) {
  const number = picture.querySelector("[data-picture-number] input");
  const file = picture.querySelector("[data-picture-file]");
  const remove = picture.querySelector("[data-picture-remove]");

  const set = ({ pick = "", name = "", thumbnail = "" }) => {
    number.value = pick;
    picture.querySelector("[data-picture-name]").textContent = name;
    picture.querySelector("[data-picture-image]").src = thumbnail;
    picture.querySelector("[data-picture-shown]").hidden = !pick;
    remove.hidden = !pick;
    number.dispatchEvent(new Event("input", { bubbles: true }));
  };

  picture.querySelector("[data-picture-number]").hidden = true;
  picture.querySelector("[data-picture-buttons]").hidden = false;
  picture.querySelector("label").removeAttribute("for");
  const pick = picture.querySelector("[data-picture-pick]");
  // Links to the field lead to its button.
  [pick.id, number.id] = [number.id, `${number.id}_number`];
  pick.addEventListener("click", () => choose(set));
  remove.addEventListener("click", () => {
    set({});
    pick.focus();
  });
  file.addEventListener("change", async () => {
    const [chosen] = file.files;
    if (!chosen) return;
    const before = [status.textContent, status.dataset.state ?? ""];
    const show = (part) => {
      status.dataset.state = "saving";
      status.textContent = `${words.uploading.replace("{name}", chosen.name)} ${Math.round(100 * part)} %`;
    };
    const { refused, isJudged, id, name, thumbnail } = await stored(form, chosen, words, upload, show);
    if (status.dataset.state === "saving") [status.textContent, status.dataset.state] = before;
    sayRefused(refused ?? "");
    // A file that did not reach the server stays chosen, and is sent with the form.
    if (!refused || isJudged) file.value = "";
    if (!refused) set({ pick: id, name, thumbnail });
  });
}

if (form) {
  const words = JSON.parse(document.getElementById("editor-words").textContent);
  // At once: without a network there is no later.
  const { serverScript, photoScript } = form.dataset;
  const scripts = await Promise.all([serverScript, photoScript].map((one) => import(one)));
  for (const picture of document.querySelectorAll("[data-picture]")) start(picture, words, ...scripts);
}
