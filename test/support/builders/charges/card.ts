import { call, type Answer, type Call } from "../requests/api.ts";
import type { TestCompany } from "../companies/env.ts";
import { CARD_REQUEST } from "../requests/full-request.ts";
import { createTransaction } from "./transaction.ts";

type Fields = Record<string, unknown>;
type Keyed = Call & { key?: string };

/** Card numbers by the sandbox acquirer's reaction. */
export const NUMBERS = {
  approved: "4242424242424242",
  declined: "4000000000000002",
  withoutFunds: "4000000000009995",
  expired: "4000000000000069",
  wrongCvv: "4000000000000127",
  unanswered: "4000000000000119",
} as const;

/** Creates a card charge, with changes of the card's fields and of the request. */
export function createCard(
  company: TestCompany,
  card: Fields = {},
  overrides: Fields = {},
  options: Keyed = {},
): Promise<Answer> {
  const body = { ...CARD_REQUEST, card: { ...CARD_REQUEST.card, ...card }, ...overrides };
  return createTransaction(company, body, options);
}

/** Creates a card charge and returns its `data`; throws if that fails. */
export async function givenCard(
  company: TestCompany,
  card: Fields = {},
  overrides: Fields = {},
  options: Keyed = {},
): Promise<any> {
  const answer = await createCard(company, card, overrides, options);
  if (answer.status !== 200) throw new Error(`create answered ${answer.status}: ${answer.text}`);
  return answer.body.data;
}

/** An authorized card charge of 50.00; returns its `data`. */
export function givenAuthorized(company: TestCompany, options: Keyed = {}): Promise<any> {
  return givenCard(company, { capture: false }, {}, options);
}

export function tokenize(
  company: TestCompany,
  card: Fields = {},
  options: Call = {},
): Promise<Answer> {
  const body = { ...CARD_REQUEST.card, ...card };
  return call("/api/v1/cards/tokens", { ...options, company, body });
}

/** The token of a card. */
export async function givenToken(company: TestCompany, number?: string): Promise<string> {
  const answer = await tokenize(company, number === undefined ? {} : { number });
  if (answer.status !== 201) throw new Error(`tokens answered ${answer.status}: ${answer.text}`);
  return answer.body.token;
}
