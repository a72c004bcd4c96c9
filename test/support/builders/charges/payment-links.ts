import type { TestCompany } from "../companies/env.ts";
import { call, type Answer, type Call } from "../requests/api.ts";

export const LINKS = "/api/v1/payment-links";
const ORIGIN = "https://localhost";

/** A payment link's `data`: a fixed amount by PIX with the test's changes; throws if that fails. */
export async function givenLink(
  company: TestCompany,
  changes: Record<string, unknown> = {},
): Promise<any> {
  const body = { name: "Curso", amount: 5_000, ...changes };
  const answer = await call(LINKS, { company, body });
  if (answer.status !== 201) throw new Error(`a link answered ${answer.status}: ${answer.text}`);
  return answer.body.data;
}

/** The link's page as a payer's browser opens it. */
export function openLink(slug: string, options: Call = {}): Promise<Answer> {
  return call(`/l/${slug}`, options);
}

/** A hidden field of the page. */
export function hiddenField(html: string, name: string): string {
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

/** The transaction that the answer of a form leads to. */
export function transactionOf({ headers }: Answer): string {
  const secureId = /^\/checkout\/([\w-]{43})$/.exec(headers.get("Location") ?? "")?.[1] ?? "";
  const hex = atob(secureId.replaceAll("-", "+").replaceAll("_", "/").slice(0, 24));
  const digits = [...hex]
    .slice(0, 16)
    .map((byte) => byte.charCodeAt(0).toString(16).padStart(2, "0"))
    .join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
