/**
 * The script that keeps open pages current: it takes the newest balance and says what happened. Without it the page
 * is as old as its load. An older figure never replaces a newer one: each balance has its posting's number.
 */
export const LIVE_SCRIPT = `"use strict";
(() => {
  const region = document.getElementById("live");
  if (region === null) return;
  const RETRY_MS = 1000;
  const RETRY_MAX_MS = 60000;
  // Before the server stops telling, after five minutes.
  const RENEW_MS = 240000;
  const NOTES_MAX = 3;
  const money = new Intl.NumberFormat(document.documentElement.lang, {
    style: "currency",
    currency: "BRL",
  });
  const textOf = (cents) => money.format(cents / 100);
  let failures = 0;

  function show({ available, sequence }) {
    for (const place of document.querySelectorAll("[data-balance]")) {
      if (sequence <= Number(place.dataset.balance)) continue;
      place.dataset.balance = String(sequence);
      place.textContent = textOf(available);
    }
    for (const place of document.querySelectorAll("[data-sequence]")) {
      if (sequence > Number(place.textContent)) place.textContent = String(sequence);
    }
  }

  function say({ kind, amount }) {
    const note = document.createElement("p");
    note.textContent = region.dataset[kind] + " " + textOf(amount);
    region.append(note);
    while (region.childElementCount > NOTES_MAX) region.firstElementChild.remove();
  }

  function connect() {
    const socket = new WebSocket(region.dataset.path);
    const renewal = setTimeout(() => socket.close(), RENEW_MS);
    socket.addEventListener("message", (event) => {
      failures = 0;
      const { balance, news } = JSON.parse(event.data);
      if (balance !== undefined) show(balance);
      for (const each of news) say(each);
      // The first message of a socket says so too: what happened while there was none is fetched.
      document.dispatchEvent(new Event("change-announced"));
    });
    socket.addEventListener("close", () => {
      clearTimeout(renewal);
      // Many pages that lost the server together do not come back together.
      const wait = Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** failures) * (0.5 + Math.random() / 2);
      failures += 1;
      setTimeout(connect, wait);
    });
  }
  connect();
})();
`;
