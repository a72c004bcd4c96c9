import { centsToReais, parseReais } from "../../domain/shared/money.ts";
import { CARD_SCRIPT } from "./card-script.ts";

/**
 * The script of a link's form. It asks for what the chosen method needs. It sends a card straight to `POST /api/v1/cards/tokens` under the
 * page's one-use session, and then the form with the token alone. A session that was used or has expired is replaced
 * by that of a fresh page, once.
 */
export const FORM_SCRIPT = `"use strict";
(() => {
  const form = document.querySelector("main form");
  if (form === null) return;
  const method = () => form.elements.namedItem("method").value;
  function askFields() {
    for (const input of form.querySelectorAll("[data-required-by]")) {
      input.required = input.dataset.requiredBy.split(" ").includes(method());
      const optional = input.parentElement.querySelector("[data-optional]");
      if (optional !== null) optional.hidden = input.required;
      if (input.dataset.ofMethod !== undefined) input.parentElement.hidden = !input.required;
    }
  }
  form.addEventListener("change", askFields);
  askFields();

  const part = form.querySelector("[data-card]");
  if (part === null) return;
  const token = form.elements.namedItem("cardToken");
  const alertBox = part.querySelector("[data-card-alert]");
  const fields = part.querySelector("[data-card-fields]");
  const inputs = [...part.querySelectorAll("[data-card-field]")];
  const button = form.querySelector("button[type=submit]");
  const payText = button.textContent;
  const byCard = part.dataset.card.split(" ");
  let isBusy = false;

  const isByCard = () => byCard.includes(method());
  const isTyping = () => isByCard() && token.value === "";

  function show() {
    part.hidden = !isByCard();
    fields.hidden = token.value !== "";
    for (const input of inputs) input.required = isTyping();
    button.textContent = isByCard() ? part.dataset.pay : payText;
  }

${CARD_SCRIPT}
  const INPUT_OF = { expirationMonth: "expiry", expirationYear: "expiry" };

  async function askToken() {
    return fetch("/api/v1/cards/tokens", {
      method: "POST",
      credentials: "omit",
      headers: { "Content-Type": "application/json", "X-Checkout-Session": part.dataset.session },
      body: JSON.stringify(card()),
    });
  }

  async function takeNewSession() {
    const address = new URL(form.action);
    address.searchParams.set("checkout", form.elements.namedItem("checkout").value);
    const answer = await fetch(address, { credentials: "omit", cache: "no-store" });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const session = page.querySelector("[data-card]")?.dataset.session;
    if (session === undefined) return false;
    part.dataset.session = session;
    return true;
  }

  async function send() {
    complain([], "");
    let answer;
    let body;
    try {
      answer = await askToken();
      if (answer.status === 401 && (await takeNewSession())) answer = await askToken();
      body = await answer.json();
    } catch {
      return complain([], part.dataset.offline);
    }
    if (answer.status === 400) {
      const names = Object.keys(body.errors ?? {}).map((name) => INPUT_OF[name] ?? name);
      const known = inputs.map((input) => input.dataset.cardField).filter((name) => names.includes(name));
      return complain(known, known.length > 0 ? "" : part.dataset.offline);
    }
    if (answer.status === 401) return complain([], part.dataset.ended);
    if (answer.status === 429) return complain([], part.dataset.busy);
    if (!answer.ok) return complain([], part.dataset.offline);
    token.value = body.token;
    for (const input of inputs) {
      input.value = "";
      input.required = false;
    }
    form.requestSubmit();
  }

  form.addEventListener("submit", (event) => {
    if (!isTyping()) return;
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    button.setAttribute("aria-disabled", "true");
    void send().finally(() => {
      isBusy = false;
      button.removeAttribute("aria-disabled");
    });
  });

  part.querySelector("[data-card-chosen] button")?.addEventListener("click", () => {
    token.value = "";
    part.querySelector("[data-card-chosen]").hidden = true;
    show();
    field("number").focus();
  });

  const centsToReais = ${centsToReais.toString()};
  const parseReais = ${parseReais.toString()};
  const select = part.querySelector("select");
  function centavos() {
    const fixed = select.dataset.amount;
    const typed = fixed === "" ? String(new FormData(form).get("amount") ?? "") : "";
    const each = fixed === "" ? parseReais(typed) : Number(fixed);
    return each * Number(new FormData(form).get("quantity") ?? "1");
  }
  function price() {
    if (select === null) return;
    const total = centavos();
    const format = new Intl.NumberFormat(document.documentElement.lang, { style: "currency", currency: "BRL" });
    const money = (value) => format.format(centsToReais(value));
    for (const option of select.options) {
      const count = Number(option.value);
      const share = Math.floor(total / count);
      const first = total - share * (count - 1);
      const { once, parts, partsFirst } = select.dataset;
      const whole = count === 1 ? once : parts;
      const values = { count: String(count), value: money(count === 1 ? total : share), total: money(total) };
      const text = whole.replace(/\\{(\\w+)\\}/g, (place, name) => values[name] ?? place);
      const rest = first === share ? "" : " " + partsFirst.replace("{first}", money(first));
      option.disabled = share < 1;
      option.textContent = total > 0 ? text + (count === 1 ? "" : rest) : count + "x";
    }
  }

  form.addEventListener("change", show);
  form.addEventListener("input", price);
  show();
  price();
  if (token.value === "" && alertBox.textContent.trim() !== "" && isByCard()) field("number").focus();
})();
`;
