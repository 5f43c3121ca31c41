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

for (const picture of form ? document.querySelectorAll("[data-picture]") : []) {
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
    if (!file.files.length) return;
    const data = new FormData();
    data.set("file", file.files[0]);
    status.dataset.state = "saving";
    status.textContent = form.dataset.wordUploading.replace("{name}", file.files[0].name);
    try {
      const headers = { "X-CSRFToken": form.elements.csrfmiddlewaretoken.value };
      const answer = await fetch(form.dataset.upload, { method: "POST", body: data, headers });
      const reply = await answer.json();
      if (!answer.ok) {
        status.dataset.state = "failed";
        status.textContent = reply.message;
        file.value = "";
        return;
      }
      set({ pick: reply.id, name: reply.name, thumbnail: reply.thumbnail });
      status.textContent = "";
      status.dataset.state = "unsaved";
    } catch {
      // The file stays chosen, and is sent with the form.
      status.dataset.state = "failed";
      status.textContent = form.dataset.wordUploadFailed;
      return;
    }
    file.value = "";
  });
}
