import { call, type Answer, type Call } from "../requests/api.ts";
import type { TestCompany } from "../companies/env.ts";

/** Sends the smallest valid PIX create request with the test's changes. */
function pixRequest(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return { amount: 2_500, paymentMethod: "PIX", ...overrides };
}

export function createTransaction(
  company: TestCompany,
  overrides: Record<string, unknown> = {},
  options: Call & { key?: string } = {},
): Promise<Answer> {
  const { key, ...rest } = options;
  return call("/api/v1/transactions/create", {
    ...rest,
    company,
    body: pixRequest(overrides),
    headers: { ...(key === undefined ? {} : { "Idempotency-Key": key }), ...rest.headers },
  });
}

/** Creates a transaction and returns its `data`; throws if that fails. */
export async function givenTransaction(
  company: TestCompany,
  overrides: Record<string, unknown> = {},
  options: Call = {},
): Promise<any> {
  const answer = await createTransaction(company, overrides, options);
  if (answer.status !== 200) throw new Error(`create answered ${answer.status}: ${answer.text}`);
  return answer.body.data;
}

/** Pays as the payer. */
export function pay(
  company: TestCompany,
  transactionId: string,
  amount?: number,
  options: Call = {},
): Promise<Answer> {
  return call(`/api/v1/sandbox/transactions/${transactionId}/pay`, {
    ...options,
    method: "POST",
    company,
    ...(amount === undefined ? {} : { body: { amount } }),
  });
}

/** A paid transaction of `amount` centavos; returns its `data`. */
export async function givenPaid(company: TestCompany, amount: number): Promise<any> {
  const { id } = await givenTransaction(company, { amount });
  const answer = await pay(company, id);
  if (answer.status !== 200) throw new Error(`pay answered ${answer.status}: ${answer.text}`);
  return answer.body.data;
}
