import { callCompany } from "../../../company-client/stub.ts";
import type { Env } from "../../../config.ts";
import type { Company } from "../../../domain/shared/company.ts";
import { suspendedPaymentView } from "./views.ts";

/** A page of a company's suspended payments, by `paymentId`. */
export async function pageOfSuspendedPayments(
  env: Env,
  company: Company,
  { after, limit }: { after: string; limit: number },
) {
  const payments = await callCompany(env, company.id, (account) =>
    account.listSuspendedPayments({ after, limit: limit + 1 }),
  );
  const items = payments.slice(0, limit).map(suspendedPaymentView);
  const hasMore = payments.length > limit;
  return { items, after: hasMore ? items.at(-1)!.paymentId : null, hasMore };
}
