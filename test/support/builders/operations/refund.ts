import { call, type Answer, type Call } from "../requests/api.ts";
import type { TestCompany } from "../companies/env.ts";

/** Asks for a refund of `amount` centavos, or of all that is left; by default under a fresh key. */
export function refund(
  company: TestCompany,
  transactionId: string,
  amount?: number,
  options: Call & { key?: string } = {},
): Promise<Answer> {
  return postAction(company, transactionId, "refund", {
    ...options,
    body: amount === undefined ? undefined : { amount },
  });
}

export function cancel(
  company: TestCompany,
  transactionId: string,
  options: Call & { key?: string } = {},
): Promise<Answer> {
  return postAction(company, transactionId, "cancel", options);
}

/** Asks for another due date of a boleto. */
export function changeDueDate(
  company: TestCompany,
  transactionId: string,
  dueDate: string,
  options: Call & { key?: string } = {},
): Promise<Answer> {
  return postAction(company, transactionId, "due-date", { ...options, body: { dueDate } });
}

/** Asks for `amount` centavos of an authorized card, or for all of it. */
export function capture(
  company: TestCompany,
  transactionId: string,
  amount?: number,
  options: Call & { key?: string } = {},
): Promise<Answer> {
  return postAction(company, transactionId, "capture", {
    ...options,
    body: amount === undefined ? undefined : { amount },
  });
}

function postAction(
  company: TestCompany,
  transactionId: string,
  action: string,
  { key = crypto.randomUUID(), body, ...options }: Call & { key?: string },
): Promise<Answer> {
  return call(`/api/v1/transactions/${transactionId}/${action}`, {
    ...options,
    method: "POST",
    company,
    ...(body === undefined ? {} : { body }),
    headers: { "Idempotency-Key": key, ...options.headers },
  });
}

/** Simulates an action of the payer's bank or an expiry. */
export function simulate(
  company: TestCompany,
  transactionId: string,
  action: "dispute" | "chargeback" | "expire" | "fail",
  body?: object,
): Promise<Answer> {
  return call(`/api/v1/sandbox/transactions/${transactionId}/${action}`, {
    method: "POST",
    company,
    ...(body === undefined ? {} : { body }),
  });
}

export function resolveDispute(
  company: TestCompany,
  transactionId: string,
  outcome: "won" | "lost",
): Promise<Answer> {
  return call(`/api/v1/sandbox/transactions/${transactionId}/dispute/resolve`, {
    method: "POST",
    company,
    body: { outcome },
  });
}

/** Changes the settings of a sandbox company. */
export function updateSettings(company: TestCompany, newSettings: object): Promise<Answer> {
  return call("/api/v1/sandbox/settings", { method: "PUT", company, body: newSettings });
}
