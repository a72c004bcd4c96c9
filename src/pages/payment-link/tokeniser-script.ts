/**
 * Makes a token of a card in its payer's browser, at the house that will charge it. Defines `tokenOf(house, card)`, whose
 * `house` is a `HouseTokenisation`: it resolves to the token, or throws `{ kind, fields }` with a text's name and the card's
 * fields that the house refused. What is sent is what the houses' own scripts send (a test compares); theirs are left out, for
 * Efí's has its hosts written in and puts scripts of third parties into the page.
 */
export const TOKENISER_SCRIPT = `
  const HOUSE_WAIT_MS = 15000;
  const HOUSE_NAMES = [["number", /number/], ["holderName", /holder/], ["expiry", /exp/], ["cvv", /cvv/]];

  async function ask(url, request = {}) {
    let answer;
    let body;
    try {
      answer = await fetch(url, { credentials: "omit", referrerPolicy: "no-referrer", signal: AbortSignal.timeout(HOUSE_WAIT_MS), ...request });
      body = await answer.json();
    } catch {
      throw { kind: "offline", fields: [] };
    }
    // Efí's sandbox says by \`code\` what HTTP does not.
    const status = answer.ok && typeof body.code === "number" && body.code !== 200 ? 400 : answer.status;
    if (status < 300) return body;
    if (status >= 500 || status === 429) throw { kind: "offline", fields: [] };
    if (status === 401 || status === 403 || status === 404) throw { kind: "closed", fields: [] };
    const said = [...Object.keys(body.errors ?? {}), body.error_description?.property ?? ""].join(" ");
    const fields = HOUSE_NAMES.filter(([, pattern]) => pattern.test(said)).map(([name]) => name);
    throw { kind: "invalid", fields };
  }

  const json = (body, headers = {}) => ({
    method: "POST",
    headers: { "Content-Type": "application/json; charset=UTF-8", ...headers },
    body: JSON.stringify(body),
  });

  function textOf(value) {
    if (typeof value !== "string" || value === "") throw { kind: "offline", fields: [] };
    return value;
  }

  async function pagarMeToken({ tokensUrl, publicKey }, { number, holderName, expirationMonth, expirationYear, cvv }) {
    const card = { number, holder_name: holderName, exp_month: expirationMonth, exp_year: expirationYear, cvv };
    const { id } = await ask(tokensUrl + "?appId=" + encodeURIComponent(publicKey), json({ type: "card", card }));
    return textOf(id);
  }

  async function efiToken({ payeeCode, apiUrl, tokenizerUrl }, card) {
    const account = { "Account-code": payeeCode };
    const [key, salt] = await Promise.all([
      ask(apiUrl + "/v1/pubkey?code=" + payeeCode),
      tokenizerUrl === null ? null : ask(tokenizerUrl + "/salt", { headers: account }),
    ]);
    const content = {
      brand: brandOf(card.number)?.[0] ?? "",
      number: card.number,
      cvv: card.cvv,
      expiration_month: String(card.expirationMonth).padStart(2, "0"),
      expiration_year: String(card.expirationYear),
      reuse: card.reuse,
    };
    const secret = salt === null ? {} : { salt: textOf(salt.data) };
    // The house takes two words of up to 50 letters, or no name; and its key of 2,048 bits takes 245 bytes in all.
    const isName = card.holderName.length <= 50 && /\\S\\s+\\S/.test(card.holderName);
    const named = { ...content, ...(isName ? { holder_name: card.holderName } : {}), ...secret };
    const data = (await encrypt(named, textOf(key.data))) ?? (await encrypt({ ...content, ...secret }, key.data));
    const answer =
      tokenizerUrl === null
        ? await ask(apiUrl + "/v1/card/" + payeeCode + "/jsonp?" + new URLSearchParams({ data }))
        : await ask(tokenizerUrl + "/card", json({ data }, { ...account, "Session-token": crypto.randomUUID() }));
    return textOf(answer.data?.payment_token);
  }

  const bigOf = (bytes) => BigInt("0x" + [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(""));
  const bytesOf = (base64) => Uint8Array.from(atob(base64.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));

  // RSAES-PKCS1-v1_5 (RFC 8017, 7.2.1), which the house demands and WebCrypto lacks; null for too long a text.
  async function encrypt(content, pem) {
    const spki = bytesOf(pem.replace(/-----[^-]+-----|\\s/g, ""));
    const imported = await crypto.subtle.importKey("spki", spki, { name: "RSA-OAEP", hash: "SHA-256" }, true, ["encrypt"]);
    const key = await crypto.subtle.exportKey("jwk", imported);
    const modulus = bytesOf(key.n);
    const message = new TextEncoder().encode(JSON.stringify(content));
    const padding = modulus.length - message.length - 3;
    if (padding < 8) return null;
    const filler = crypto.getRandomValues(new Uint8Array(padding)).map((byte) => byte % 255 + 1);
    const n = bigOf(modulus);
    let power = bigOf([0, 2, ...filler, 0, ...message]);
    let cipher = 1n;
    for (let exponent = bigOf(bytesOf(key.e)); exponent > 0n; exponent >>= 1n) {
      if (exponent & 1n) cipher = (cipher * power) % n;
      power = (power * power) % n;
    }
    const hex = cipher.toString(16).padStart(modulus.length * 2, "0");
    return btoa(hex.replace(/../g, (byte) => String.fromCharCode(parseInt(byte, 16))));
  }

  const tokenOf = (house, card) => (house.kind === "pagarme" ? pagarMeToken(house, card) : efiToken(house, card));
`;
