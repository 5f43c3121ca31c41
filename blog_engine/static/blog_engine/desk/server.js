// Requests of the editor. Each answer says in one word what became of it, so that a page can keep the text and say why:
// answered, signed-out, forbidden, gone, too-large, offline or failed.
const PATIENCE = 30000;

function outcomeOf(answer) {
  if (answer.type === "opaqueredirect" || answer.status === 401) return "signed-out";
  if (answer.status === 403) return "forbidden";
  if (answer.status === 404 || answer.status === 410) return "gone";
  if (answer.status === 413) return "too-large";
  // Django answers 400 to a form above DATA_UPLOAD_MAX_MEMORY_SIZE.
  if (answer.status === 400) return "too-large";
  return answer.ok || answer.status === 422 ? "answered" : "failed";
}

async function once(url, options) {
  try {
    const answer = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(PATIENCE), ...options });
    const outcome = outcomeOf(answer);
    return { outcome, ok: answer.ok, reply: outcome === "answered" ? await answer.json() : null };
  } catch {
    // Nothing came back, or no JSON: a proxy or a network that asks for a sign-in of its own.
    return { outcome: "offline", ok: false, reply: null };
  }
}

// present(FORM): what the server says of the post now. It also brings the token for requests, which changes with each
// sign-in.
export async function present(form) {
  const result = await once(form.dataset.current, {});
  if (result.reply?.token) form.elements.csrfmiddlewaretoken.value = result.reply.token;
  return result;
}

// post(FORM, URL, DATA): sends it, once more if only the token was outdated.
export async function post(form, url, data) {
  const send = () => {
    data.set("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
    return once(url, { method: "POST", body: data });
  };
  const first = await send();
  if (first.outcome !== "forbidden") return first;
  const before = form.elements.csrfmiddlewaretoken.value;
  const now = await present(form);
  if (now.outcome !== "answered") return now.outcome === "gone" ? first : now;
  return form.elements.csrfmiddlewaretoken.value === before ? first : send();
}

// upload(FORM, FILE, SHOW): the stored image, while SHOW gets the part that is sent, from 0 to 1.
export async function upload(form, file, show) {
  const now = await present(form);
  if (now.outcome !== "answered") return now;
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    const data = new FormData();
    data.set("file", file);
    request.open("POST", form.dataset.upload);
    request.setRequestHeader("X-CSRFToken", form.elements.csrfmiddlewaretoken.value);
    request.responseType = "json";
    request.upload.addEventListener("progress", (event) => event.lengthComputable && show(event.loaded / event.total));
    request.addEventListener("error", () => resolve({ outcome: "offline", ok: false, reply: null }));
    request.addEventListener("load", () => {
      const ok = request.status === 201 && Boolean(request.response?.path);
      const outcome = outcomeOf({ ok, status: request.status });
      // A login page that was followed to is no JSON.
      resolve({ outcome: outcome === "failed" && !request.response ? "signed-out" : outcome, ok, reply: request.response });
    });
    request.send(data);
  });
}

// sayRefused(TEXT): why a file or a pasted text was not taken. Saves say theirs beside it, so that it stays until the
// next one is taken or the writer closes it; an empty TEXT takes it away.
export function sayRefused(text) {
  const place = document.querySelector("[data-refused]");
  place.querySelector("span").textContent = text;
  place.hidden = !text;
  place.querySelector("button").onclick = () => (place.hidden = true);
}
