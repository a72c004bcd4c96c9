import { call, type Answer, type Call } from "../requests/api.ts";
import type { TestCompany } from "../companies/env.ts";
import { givenPaid } from "../charges/transaction.ts";
import { simulate } from "./refund.ts";

/** A paid transaction of 25.00 whose payer's bank asks the money back. */
export async function givenDisputed(company: TestCompany, claim?: object) {
  const { id: transactionId } = await givenPaid(company, 2_500);
  const { status, body } = await simulate(company, transactionId, "dispute", claim);
  if (status !== 200) throw new Error(`the dispute was answered with ${status}`);
  return { transactionId: transactionId as string, id: body.data.dispute.id as string };
}

/** A dispute's path. */
export const disputePath = (id: string) => `/api/v1/disputes/${encodeURIComponent(id)}`;

/** Sends evidence against a dispute. */
export function submitEvidence(
  company: TestCompany,
  id: string,
  body: unknown,
  { key, ...options }: Call & { key?: string } = {},
): Promise<Answer> {
  return call(`${disputePath(id)}/evidence`, {
    ...options,
    method: "POST",
    company,
    body,
    ...(key === undefined ? {} : { headers: { "Idempotency-Key": key } }),
  });
}
