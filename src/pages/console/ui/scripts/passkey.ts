/**
 * Passkeys need the browser's own dialogue. A button `data-passkey="sign-in"` or `"register"` is hidden until this
 * script finds that the browser has passkeys; `data-next` is where a success leads, unless a form waits for it.
 */
export const PASSKEY_SCRIPT = `"use strict";
(() => {
  if (window.PublicKeyCredential?.parseRequestOptionsFromJSON === undefined) return;

  async function ask(path, body) {
    const answer = await fetch("/console/passkeys/" + path, {
      method: body === undefined ? "GET" : "POST",
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      redirect: "manual",
    });
    // A proof is asked for again first; it leads back to this page.
    if (answer.type === "opaqueredirect") {
      location.assign("/console/confirm?next=" + encodeURIComponent(location.pathname));
      return new Promise(() => {});
    }
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.json();
  }

  async function signIn() {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await ask("sign-in-options"));
    const response = await navigator.credentials.get({ publicKey });
    await ask("sign-in", { response: response.toJSON() });
  }

  async function register() {
    const options = await ask("register-options");
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    const response = await navigator.credentials.create({ publicKey });
    const name = document.getElementById("passkey-name")?.value ?? "";
    await ask("register", { response: response.toJSON(), name });
  }

  for (const button of document.querySelectorAll("[data-passkey]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      button.setAttribute("aria-busy", "true");
      try {
        await (button.dataset.passkey === "register" ? register() : signIn());
        const waiting = document.getElementById("kept-form");
        if (waiting === null) location.assign(button.dataset.next);
        else waiting.submit();
      } catch {
        button.removeAttribute("aria-busy");
        const failure = document.getElementById("passkey-failure");
        if (failure !== null) failure.textContent = button.dataset.failed;
      }
    });
  }
  for (const note of document.querySelectorAll("[data-without-script]")) note.hidden = true;
})();
`;
