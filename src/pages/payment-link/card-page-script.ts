import { CARD_SCRIPT } from "./card-script.ts";
import { TOKENISER_SCRIPT } from "./tokeniser-script.ts";

/**
 * The script of the card's page, the only one there. It sends the card to the company's house and the form with the token
 * alone: the card's inputs have no name, and are empty by then. It asks this service for nothing. In a frame it tells the page
 * around it that it is there.
 */
export const CARD_PAGE_SCRIPT = `"use strict";
(() => {
  const merchant = document.documentElement.dataset.parent;
  const tell = (name) => {
    if (merchant !== undefined && parent !== window) parent.postMessage({ type: "centavo:" + name }, merchant);
  };
  addEventListener("keydown", ({ key }) => {
    if (key === "Escape") tell("close");
  });
  tell("ready");

  const form = document.querySelector("form[data-house]");
  if (form === null) return;
  const house = JSON.parse(form.dataset.house);
  const token = form.elements.namedItem("cardToken");
  const alertBox = form.querySelector("[data-card-alert]");
  const inputs = [...form.querySelectorAll("[data-card-field]")];
  const button = form.querySelector("button[type=submit]");
  let isBusy = false;
${CARD_SCRIPT}
${TOKENISER_SCRIPT}
  // The check digit of ISO/IEC 7812-1.
  function passesLuhn(digits) {
    const sum = [...digits].reverse().reduce((total, digit, at) => {
      const value = Number(digit) * (at % 2 === 0 ? 1 : 2);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
    return sum % 10 === 0;
  }

  function faultsOf({ number, holderName, expirationMonth, expirationYear, cvv }) {
    const today = new Date();
    const month = today.getFullYear() * 12 + today.getMonth() + 1;
    const isPast = expirationYear * 12 + expirationMonth < month || expirationMonth > 12;
    const isOther = house.kind === "efi-cobrancas" && ["diners", "discover", undefined].includes(brandOf(number)?.[0]);
    return [
      ["number", !/^\\d{13,19}$/.test(number) || !passesLuhn(number) || isOther],
      ["holderName", holderName === ""],
      ["expiry", expirationMonth < 1 || isPast],
      ["cvv", !/^\\d{3,4}$/.test(cvv)],
    ].flatMap(([name, isWrong]) => (isWrong ? [name] : []));
  }

  async function send() {
    const typed = card();
    complain([], "");
    const faults = faultsOf(typed);
    if (faults.length > 0) return complain(faults, "");
    try {
      token.value = await tokenOf(house, { ...typed, reuse: false });
    } catch ({ kind = "closed", fields = [] }) {
      return complain(fields, fields.length > 0 ? "" : form.dataset[kind]);
    }
    for (const input of inputs) input.value = "";
    form.submit();
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    button.setAttribute("aria-disabled", "true");
    void send().finally(() => {
      isBusy = false;
      button.removeAttribute("aria-disabled");
    });
  });

  // Who comes back to the page has no token any more.
  addEventListener("pageshow", () => (token.value = ""));
  for (const part of document.querySelectorAll("[data-script]")) part.hidden = false;
  if (alertBox.textContent.trim() !== "") field("number").focus();
})();
`;
