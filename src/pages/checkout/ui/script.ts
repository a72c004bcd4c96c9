import { leftInWords } from "../time-left.ts";

/**
 * The script of the payer's pages. It asks the status as the answer says, more rarely while the page is hidden and
 * after errors, and shows the page anew when the status changes. Without it a reload does the same. In a frame it
 * tells the status to the one page whose origin the server has written into this page, and hears only that page.
 */
export const SCRIPT = `"use strict";
(() => {
  const MAX_WAIT_MS = 60000;
  const MAX_ASKED_MS = 3600000;
  const live = document.getElementById("live");
  const main = () => document.querySelector("main");
  const merchant = document.documentElement.dataset.parent;
  let isShut = false;
  let etag = null;
  let after = 0;
  let slowed = 1;
  let timer = 0;
  let asking = false;

  function plan(wait) {
    clearTimeout(timer);
    timer = setTimeout(ask, wait);
  }

  async function ask() {
    const path = main()?.dataset.poll;
    if (path === undefined || asking) return;
    asking = true;
    if (after === 0) after = Number(main().dataset.after);
    let wait = 0;
    try {
      const headers = etag === null ? {} : { "If-None-Match": etag };
      const answer = await fetch(path, { headers, cache: "no-store", credentials: "omit" });
      if (answer.status === 200) {
        const { status, pollAfterMs } = await answer.json();
        const isNews = etag !== null || status !== main().dataset.status;
        if (isNews || isUnfinished()) await renew();
        etag = answer.headers.get("ETag");
        after = pollAfterMs;
      } else if (answer.status === 304) {
        if (isUnfinished()) await renew();
      } else {
        // A date is no number, and a timer of weeks fires at once.
        wait = Math.min(Number(answer.headers.get("Retry-After")) * 1000 || 0, MAX_ASKED_MS);
        throw new Error(String(answer.status));
      }
      slowed = document.hidden || isShut ? slowed * 2 : 1;
    } catch {
      slowed *= 2;
    }
    asking = false;
    plan(Math.max(wait, Math.min(after * slowed, Math.max(after, MAX_WAIT_MS))));
  }

  // The status does not say when the bank has made the code.
  const isUnfinished = () => main().dataset.state === "preparing";

  async function renew() {
    const answer = await fetch(location.pathname + location.search, { cache: "no-store", credentials: "omit" });
    if (!answer.ok) throw new Error(String(answer.status));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const old = main();
    const fresh = page.querySelector("main");
    for (const kept of fresh.querySelectorAll("[data-kept]")) kept.checked = document.getElementById(kept.id)?.checked ?? false;
    const focused = old.contains(document.activeElement) ? document.activeElement : null;
    old.replaceWith(fresh);
    document.title = page.title;
    prepare();
    if (focused !== null) (document.getElementById(focused.id) ?? fresh).focus();
    live.textContent = fresh.querySelector("[data-news]")?.textContent ?? "";
  }

  function prepare() {
    for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
    tick();
    const status = main()?.dataset.status;
    if (status !== undefined) tell("status", status);
  }

  function tell(name, status) {
    if (merchant === undefined || parent === window) return;
    parent.postMessage({ type: "centavo:" + name, status }, merchant);
  }

  function resume() {
    if (document.hidden || isShut) return;
    slowed = 1;
    plan(0);
  }
  document.addEventListener("visibilitychange", resume);
  addEventListener("message", ({ origin, source, data }) => {
    if (origin !== merchant || source !== parent || data?.type !== "centavo:shown") return;
    isShut = data.isShown === false;
    resume();
  });
  // The page around it hears no key that is pressed in here.
  addEventListener("keydown", ({ key }) => {
    if (key === "Escape") tell("close");
  });

  async function copy(button) {
    const code = document.getElementById(button.dataset.copy);
    const text = code.dataset.value ?? code.textContent;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      getSelection().selectAllChildren(code);
      if (!document.execCommand("copy")) return;
    }
    const label = button.dataset.label ?? button.textContent;
    button.dataset.label = label;
    button.textContent = button.dataset.copied;
    live.textContent = "";
    live.textContent = button.dataset.copied;
    setTimeout(() => (button.textContent = label), 4000);
  }
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-copy]") : null;
    if (button !== null) void copy(button);
  });

  // An open page keeps its reservation of the link, as often as the server lets it.
  async function askForTime(path) {
    try {
      const answer = await fetch(path, { method: "POST", credentials: "omit" });
      if (answer.ok) await renew();
    } catch {}
  }

  const leftInWords = ${leftInWords.toString()};
  // The server's clock, so that a wrong one of the payer's changes nothing.
  function tick() {
    const clock = document.querySelector("[data-until]");
    if (clock === null) return;
    const page = main();
    if (page.seenAt === undefined) page.seenAt = performance.now();
    const now = Number(page.dataset.now) + performance.now() - page.seenAt;
    const left = Math.max(0, Math.ceil((Number(clock.dataset.until) - now) / 1000));
    const words = leftInWords(left, document.documentElement.lang);
    if (clock.textContent !== words) clock.textContent = words;
    const { renew: path, renewAt } = page.dataset;
    if (path !== undefined && left > 0 && left <= Number(renewAt) && page.asked === undefined) {
      page.asked = true;
      void askForTime(path);
    }
    if (left === 0 && clock.dataset.done === undefined) {
      clock.dataset.done = "";
      plan(0);
    }
  }

  tell("ready");
  prepare();
  setInterval(tick, 1000);
  plan(Number(main()?.dataset.after ?? MAX_WAIT_MS));
})();
`;
