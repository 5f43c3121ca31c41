// Forms that a passkey answers for: one that registers it, and one that signs with it. The server says what to ask of
// the device; a person without a passkey signs without one. Without scripts the server says what is missing.
const LONGEST = 30000;

const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));

function text(buffer) {
  const signs = Array.from(new Uint8Array(buffer), (one) => String.fromCharCode(one)).join("");
  return btoa(signs).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

const known = (credentials) => credentials?.map((one) => ({ ...one, id: bytes(one.id) }));

/** What the server wants, as the browser takes it. */
function decoded(options) {
  return {
    ...options,
    challenge: bytes(options.challenge),
    ...(options.user && { user: { ...options.user, id: bytes(options.user.id) } }),
    ...(options.excludeCredentials && { excludeCredentials: known(options.excludeCredentials) }),
    ...(options.allowCredentials && { allowCredentials: known(options.allowCredentials) }),
  };
}

/** What the device answered, as JSON. */
function encoded({ id, rawId, type, response }) {
  const parts = { clientDataJSON: text(response.clientDataJSON) };
  for (const name of ["attestationObject", "authenticatorData", "signature"]) {
    if (response[name] && !(name === "authenticatorData" && response.attestationObject)) parts[name] = text(response[name]);
  }
  if (response.getTransports) parts.transports = response.getTransports();
  return JSON.stringify({ id, rawId: text(rawId), type, response: parts });
}

async function optionsOf(form) {
  const { options: url } = form.dataset;
  const body = new FormData(form);
  const answer = await fetch(url, { method: "POST", body, redirect: "manual", signal: AbortSignal.timeout(LONGEST) });
  // Signed out, or not allowed: the page itself says so.
  return answer.ok ? (await answer.json()).publicKey : null;
}

// What the browser says by the name of an error.
const WORD = {
  NotAllowedError: "refused",
  AbortError: "refused",
  InvalidStateError: "known",
  SecurityError: "unsupported",
  NotSupportedError: "unsupported",
};

function start(form) {
  const status = form.querySelector("[data-passkey-status]");
  const answer = form.elements.namedItem("answer");
  const say = (word) => {
    status.textContent = word ? status.getAttribute(`data-word-${word}`) : "";
    status.hidden = !word;
  };
  let isBusy = false;

  async function ask() {
    const options = await optionsOf(form);
    if (options) {
      if (!navigator.credentials) throw new DOMException("", "NotSupportedError");
      say("waiting");
      answer.value = encoded(await navigator.credentials[form.dataset.passkey]({ publicKey: decoded(options) }));
    }
    // A field can have the name of the method. No event follows, so that nothing is asked again.
    HTMLFormElement.prototype.submit.call(form);
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    say("");
    try {
      await ask();
    } catch (fault) {
      say(WORD[fault.name] ?? "failed");
      isBusy = false;
    }
  });
  // A page to which a person goes back.
  window.addEventListener("pageshow", () => {
    answer.value = "";
    isBusy = false;
    say("");
  });
}

document.querySelectorAll("form[data-passkey]").forEach(start);
