/**
 * The script of every page. Without it all works by reload; it keeps lists current, opens the search by key and
 * stops a second submit.
 */
export const SCRIPT = `"use strict";
(() => {
  const REFRESH_MS = 4000;
  const CHANGES_MS = 1000;

  // On a phone the open tab may stand beside the screen.
  document.querySelector(".section-tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

  // A list keeps itself current while it is seen, without losing the focus inside it.
  const etags = new Map();
  async function refresh(list) {
    if (document.hidden || list.contains(document.activeElement)) return;
    const path = list.dataset.refresh;
    const known = etags.get(path);
    const answer = await fetch(path, {
      headers: known === undefined ? {} : { "If-None-Match": known },
      redirect: "error",
    }).catch(() => null);
    if (answer === null || answer.status !== 200) return;
    etags.set(path, answer.headers.get("ETag") ?? undefined);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector(".list");
    if (fresh !== null) list.replaceChildren(...fresh.childNodes);
  }
  function refreshAll() {
    for (const list of document.querySelectorAll("[data-refresh]")) void refresh(list);
  }
  setInterval(refreshAll, REFRESH_MS);

  // A change is fetched at once, and many changes once a second.
  let next = 0;
  let isDue = false;
  document.addEventListener("change-announced", () => {
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      next = Date.now() + CHANGES_MS;
      refreshAll();
    }, Math.max(0, next - Date.now()));
  });

  // Ctrl K leads to the search from everywhere.
  document.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      document.getElementById("find")?.focus();
    }
  });

  // The search answers while somebody types; the form works without it.
  let waiting = 0;
  let asking = new AbortController();
  async function findNow(field) {
    const results = field.form.querySelector(".find-results");
    asking.abort();
    asking = new AbortController();
    if (field.value.trim() === "") return results.replaceChildren();
    const body = new URLSearchParams({ q: field.value, live: "1" });
    const asked = { method: "POST", body, redirect: "error", signal: asking.signal };
    const answer = await fetch(field.form.action, asked).catch(() => null);
    if (answer === null || answer.status !== 200) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    results.replaceChildren(...page.querySelectorAll(".found"));
  }
  document.addEventListener("input", (event) => {
    if (event.target.dataset?.live === undefined) return;
    clearTimeout(waiting);
    waiting = setTimeout(findNow, 250, event.target);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") document.querySelector(".find-results")?.replaceChildren();
  });

  // The server acts once for each form; the button shows that it is on its way.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || form.dataset.once === undefined) return;
    if (form.dataset.sent !== undefined) return event.preventDefault();
    form.dataset.sent = "";
    form.querySelector("button[type=submit]")?.setAttribute("aria-busy", "true");
  });

  for (const button of document.querySelectorAll("[data-print]")) {
    button.hidden = false;
    button.addEventListener("click", () => print());
  }

  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-copy]") : null;
    if (button === null) return;
    void navigator.clipboard.writeText(button.dataset.copy).then(() => {
      button.textContent = button.dataset.copied;
    });
  });
})();
`;
