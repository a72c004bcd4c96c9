import type { Call } from "../../../support/builders/requests/api.ts";
import type { TestCompany } from "../../../support/builders/companies/company.ts";

/** What a beginner has before the first mistake. Ids are of transactions and withdraws. */
export interface Beginner {
  company: TestCompany;
  other: TestCompany;
  open: string;
  paid: string;
  authorized: string;
  /** The transaction's `id` in the list: an integer. */
  listId: number;
  othersTransaction: string;
}

/** A request, of the beginner's company unless the call names none. */
interface Sent extends Call {
  path: string;
  anonymous?: boolean;
}

/** The sentence of the answer: its `detail`, or the messages by field. */
type Sentence = string | Record<string, string>;

export interface Mistake {
  title: string;
  send: (beginner: Beginner) => Sent;
  status: number;
  code: string;
  says: Sentence;
  more: More;
}

/** What else helps: response headers, and members of the problem. */
interface More {
  headers?: Record<string, string>;
  extensions?: Record<string, number>;
}

export const CREATE = "/api/v1/transactions/create";
export const WITHDRAW = "/api/Withdraw/request";
export const CARD = {
  number: "4242424242424242",
  holderName: "MARIA SILVA",
  expirationMonth: 12,
  expirationYear: 2030,
  cvv: "123",
};
export const PAYER = { name: "Maria", document: { number: "52998224725", type: "CPF" } };

type Answer = [status: number, code: string, says: Sentence, more?: More];

/** One mistake of the table. */
export function mistake(
  title: string,
  send: Mistake["send"],
  ...[status, code, says, more = {}]: Answer
): Mistake {
  return { title, send, status, code, says, more };
}

/** A create of a PIX of 25.00 with one thing wrong: 400 `VALIDATION_FAILED`. */
export function wrongCreate(
  title: string,
  fields: Record<string, unknown>,
  says: Record<string, string>,
): Mistake {
  const body = { amount: 2_500, paymentMethod: "PIX", ...fields };
  return mistake(title, () => ({ path: CREATE, body }), 400, "VALIDATION_FAILED", says);
}

/** A withdraw of 10.00 with one thing wrong. */
export function wrongWithdraw(
  title: string,
  fields: Record<string, unknown>,
  ...answer: Answer
): Mistake {
  const body = { amount: 1_000, ...fields };
  const headers = { "Idempotency-Key": "wd_new" };
  return mistake(title, () => ({ path: WITHDRAW, body, headers }), ...answer);
}

/** A GET with a wrong path or query. */
export function wrongGet(
  title: string,
  path: string | ((beginner: Beginner) => string),
  ...answer: Answer
): Mistake {
  const send = (beginner: Beginner) => ({
    path: typeof path === "string" ? path : path(beginner),
  });
  return mistake(title, send, ...answer);
}

/** A POST without a body or with a wrong one. */
export function wrongPost(
  title: string,
  path: string | ((beginner: Beginner) => string),
  body: unknown,
  ...answer: Answer
): Mistake {
  const send = (beginner: Beginner) => ({
    path: typeof path === "string" ? path : path(beginner),
    method: "POST",
    headers: { "Idempotency-Key": crypto.randomUUID() },
    ...(body === undefined ? {} : { body }),
  });
  return mistake(title, send, ...answer);
}
