import type {
  UnexpectedPaymentRules,
  UnexpectedReason,
} from "../../../../src/domain/charges/unexpected-payment.ts";
import { call, type Answer, type Call } from "../requests/api.ts";
import type { TestCompany } from "../companies/env.ts";
import { givenPaid, givenTransaction, pay } from "./transaction.ts";

const PATH = "/api/v1/payments/unexpected";

/** Sets the company's rules for unexpected payments. */
export function setRules(
  company: TestCompany,
  unexpectedPayments: UnexpectedPaymentRules,
): Promise<Answer> {
  return call("/api/v1/company/settings", {
    method: "PUT",
    company,
    body: { unexpectedPayments },
  });
}

export async function listUnexpected(company: TestCompany, query = ""): Promise<any[]> {
  return (await call(`${PATH}${query}`, { company })).body.items;
}

/** The company's newest unexpected payment. */
export async function newestUnexpected(company: TestCompany): Promise<any> {
  return (await listUnexpected(company))[0];
}

/** Returns or credits an unexpected payment as the merchant. */
export function decide(
  company: TestCompany,
  id: string,
  action: "return" | "credit",
  { key = crypto.randomUUID(), ...options }: Call & { key?: string } = {},
): Promise<Answer> {
  return call(`${PATH}/${id}/${action}`, {
    ...options,
    method: "POST",
    company,
    headers: { "Idempotency-Key": key, ...options.headers },
  });
}

/** How a payer makes each kind of unexpected payment of 9.00, in the sandbox. */
export const UNEXPECTED: Record<
  UnexpectedReason,
  (company: TestCompany, options?: Call) => Promise<Answer>
> = {
  SECOND_PAYMENT: async (company, options) =>
    pay(company, (await givenPaid(company, 2_500)).id, 900, options),
  LATE: async (company, options) => {
    const { id } = await givenTransaction(company, { amount: 900 });
    await call(`/api/v1/sandbox/transactions/${id}/expire`, { method: "POST", company });
    return pay(company, id, 900, options);
  },
  NO_CHARGE: (company, options) =>
    call("/api/v1/sandbox/payments", { ...options, company, body: { amount: 900 } }),
  WRONG_AMOUNT: async (company, options) =>
    pay(company, (await givenTransaction(company, { amount: 2_500 })).id, 900, options),
};
