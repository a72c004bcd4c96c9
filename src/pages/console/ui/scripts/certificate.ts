/**
 * Makes a request for a certificate (PKCS #10, RFC 2986) of a key pair, in DER. `names` are the subject's parts in their
 * order: the last byte of the attribute's type (2.5.4.x) and its text. RSA with SHA-256.
 */
export const REQUEST_MAKER = `async function makeRequest(keys, names) {
    const der = (tag, ...parts) => {
      const content = parts.flatMap((part) => [...part]);
      const length = [];
      for (let rest = content.length; rest > 0; rest >>= 8) length.unshift(rest & 255);
      const head =
        content.length < 128 ? [content.length] : [128 + length.length, ...length];
      return Uint8Array.from([tag, ...head, ...content]);
    };
    const utf8 = new TextEncoder();
    // A country is a PrintableString (RFC 5280, A.1), other names are UTF-8.
    const subject = names.map(([type, text]) =>
      der(49, der(48, der(6, [85, 4, type]), der(type === 6 ? 19 : 12, utf8.encode(text)))));
    const spki = new Uint8Array(await crypto.subtle.exportKey("spki", keys.publicKey));
    const info = der(48, der(2, [0]), der(48, ...subject), spki, der(160));
    const sign = { name: "RSASSA-PKCS1-v1_5" };
    const signature = new Uint8Array(await crypto.subtle.sign(sign, keys.privateKey, info));
    // sha256WithRSAEncryption.
    const algorithm = der(48, der(6, [42, 134, 72, 134, 247, 13, 1, 1, 11]), der(5));
    return der(48, info, algorithm, der(3, [0], signature));
  }`;

/**
 * The certificate's wizard: it makes key and request in the browser and offers both as files. The key is never sent: it
 * is in the page's memory until that is left. Without the script the page's command does the same.
 */
export const CERTIFICATE_SCRIPT = `"use strict";
(() => {
  const form = document.getElementById("certificate-request");
  if (form === null || window.crypto?.subtle === undefined) return;
  form.hidden = false;
  const ALGORITHM = {
    name: "RSASSA-PKCS1-v1_5",
    hash: "SHA-256",
    publicExponent: new Uint8Array([1, 0, 1]),
    modulusLength: 2048,
  };
  // The last byte of each attribute's type: C, ST, L, O, OU, CN.
  const TYPES = [["state", 8], ["city", 7], ["organization", 10], ["unit", 11], ["commonName", 3]];

  ${REQUEST_MAKER}

  function pemOf(label, bytes) {
    const text = btoa(String.fromCharCode(...bytes)).match(/.{1,64}/g).join("\\n");
    return "-----BEGIN " + label + "-----\\n" + text + "\\n-----END " + label + "-----\\n";
  }

  function offer(link, name, text) {
    link.href = URL.createObjectURL(new Blob([text], { type: "application/x-pem-file" }));
    link.download = name;
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const typed = new FormData(form);
    const names = TYPES.map(([name, type]) => [type, String(typed.get(name)).trim()]);
    const filled = names.filter(([, text]) => text !== "");
    const keys = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
    const key = new Uint8Array(await crypto.subtle.exportKey("pkcs8", keys.privateKey));
    const request = await makeRequest(keys, [[6, "BR"], ...filled]);
    const file = form.dataset.file;
    offer(document.getElementById("key-file"), file + ".key.pem", pemOf("PRIVATE KEY", key));
    const text = pemOf("CERTIFICATE REQUEST", request);
    offer(document.getElementById("request-file"), file + ".csr.pem", text);
    const asked = document.getElementById("request");
    if (asked !== null) asked.value = text;
    const made = document.getElementById("certificate-made");
    made.hidden = false;
    made.querySelector("a").focus();
  });
})();
`;
