import { CARD_REQUEST } from "../requests/full-request.ts";
import type { TestCompany } from "../companies/env.ts";
import { call, type Answer, type Call } from "../requests/api.ts";

export const LINKS = "/api/v1/payment-links";
const ORIGIN = "https://localhost";

/** A payment link's `data`: a fixed amount by PIX with the test's changes; throws if that fails. */
export async function givenLink(
  company: TestCompany,
  changes: Record<string, unknown> = {},
  options: Call = {},
): Promise<any> {
  const body = { name: "Curso", amount: 5_000, ...changes };
  const answer = await call(LINKS, { ...options, company, body });
  if (answer.status !== 201) throw new Error(`a link answered ${answer.status}: ${answer.text}`);
  return answer.body.data;
}

/** The link's page as a payer's browser opens it. */
export function openLink(slug: string, options: Call = {}): Promise<Answer> {
  return call(`/l/${slug}`, options);
}

/** A hidden field of the page. */
function hiddenField(html: string, name: string): string {
  return new RegExp(`name="${name}" value="([^"]+)"`).exec(html)?.[1] ?? "";
}

/** The fields that a fresh page sends with the payer's own. */
export function formOf(html: string, fields: Record<string, string> = {}): Record<string, string> {
  return {
    key: hiddenField(html, "key"),
    checkout: hiddenField(html, "checkout"),
    method: "PIX",
    ...fields,
  };
}

/** Sends the form as the page does. */
export function sendForm(
  slug: string,
  fields: Record<string, string>,
  options: Call = {},
): Promise<Answer> {
  return call(`/l/${slug}`, {
    ...options,
    method: "POST",
    rawBody: new URLSearchParams(fields).toString(),
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      Origin: ORIGIN,
      "Sec-Fetch-Site": "same-origin",
      ...options.headers,
    },
  });
}

/** Opens the link and sends its form. */
export async function actOnLink(
  slug: string,
  fields: Record<string, string> = {},
  options: Call = {},
): Promise<Answer> {
  const { text } = await openLink(slug);
  return sendForm(slug, formOf(text, fields), options);
}

/** The one-use session of a page, under which a card's token is made. */
export function sessionOf(html: string): string {
  return /data-session="([^"]+)"/.exec(html)?.[1] ?? "";
}

/** A payer who types a card on a fresh page and pays, as the page's script does it. */
export async function tryCard(
  slug: string,
  card: Record<string, unknown>,
  options: Call = {},
): Promise<Answer> {
  const { text } = await openLink(slug, options);
  const made = await call("/api/v1/cards/tokens", {
    ...options,
    body: { ...CARD_REQUEST.card, ...card },
    headers: { ...options.headers, "X-Checkout-Session": sessionOf(text) },
  });
  if (made.status !== 201) return made;
  const payer = { name: "Maria da Silva", document: "529.982.247-25", method: "CREDIT_CARD" };
  return sendForm(slug, formOf(text, { ...payer, cardToken: made.body.token }), options);
}

/** What a payer's request has of its network address. */
export function fromAddress(address: string): Call {
  return { headers: { "CF-Connecting-IP": address } };
}

/** The transaction that the answer of a form leads to. */
export function transactionOf({ headers }: Answer): string {
  const secureId = /^\/checkout\/([\w-]{43})$/.exec(headers.get("Location") ?? "")?.[1] ?? "";
  const bytes = Uint8Array.from(
    atob(secureId.replaceAll("-", "+").replaceAll("_", "/").slice(0, 24)),
    (character) => character.charCodeAt(0),
  );
  const digits = Array.from(bytes.slice(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
