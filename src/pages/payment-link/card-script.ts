/**
 * What the scripts of both card forms share: the card that is typed, its brand, and what is wrong with it. It goes into a
 * script that has `inputs`, the card's inputs, and `alertBox`.
 */
export const CARD_SCRIPT = `
  // By the issuers' ranges (BIN), the narrower one first.
  const BRANDS = [
    ["elo", "Elo", /^(4011(78|79)|43(1274|8935)|45(1416|7393|763[12])|50(4175|6699|67[0-7]|9)|627780|63(6297|6368)|650(03[1-3]|04|05[0-1]|05[7-9]|4|5|6|7[0-2]|9)|6516|6550)/],
    ["hipercard", "Hipercard", /^(606282|3841)/],
    ["amex", "American Express", /^3[47]/],
    ["diners", "Diners Club", /^3(0[0-5]|[689])/],
    ["discover", "Discover", /^6(011|5)/],
    ["mastercard", "Mastercard", /^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/],
    ["visa", "Visa", /^4/],
  ];
  const brandOf = (digits) => BRANDS.find(([, , begin]) => begin.test(digits));
  const field = (name) => inputs.find((input) => input.dataset.cardField === name);

  function mark(name, isWrong) {
    const input = field(name);
    if (isWrong) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    document.getElementById("card-" + name + "-wrong").hidden = !isWrong;
  }

  function complain(names, text) {
    for (const input of inputs) mark(input.dataset.cardField, names.includes(input.dataset.cardField));
    alertBox.textContent = text;
    if (names.length > 0) field(names[0]).focus();
  }

  function card() {
    const expiry = /^(\\d{1,2})\\s*[/-]?\\s*(\\d{2}|\\d{4})$/.exec(field("expiry").value.trim());
    const year = expiry === null ? 0 : Number(expiry[2]);
    return {
      number: field("number").value.trim().replace(/[^\\d]+/g, ""),
      holderName: field("holderName").value.trim(),
      expirationMonth: expiry === null ? 0 : Number(expiry[1]),
      expirationYear: year < 100 ? 2000 + year : year,
      cvv: field("cvv").value.trim(),
    };
  }

  field("number").addEventListener("input", () => {
    const brand = brandOf(field("number").value.replace(/[^\\d]+/g, ""));
    document.querySelector("[data-card-brand]").textContent = brand === undefined ? "" : brand[1];
  });
`;
