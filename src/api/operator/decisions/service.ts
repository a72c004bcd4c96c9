import { callCompany } from "../../../company-client/stub.ts";
import type { Env } from "../../../config.ts";
import type { Company } from "../../../domain/shared/company.ts";
import { paymentInSuspenseView } from "./views.ts";

/** A page of a company's unexpected payments, by `paymentId`. */
export async function pageOfPaymentsInSuspense(
  env: Env,
  company: Company,
  { after, limit }: { after: string; limit: number },
) {
  const payments = await callCompany(env, company.id, (account) =>
    account.listPaymentsInSuspense({ after, limit: limit + 1 }),
  );
  const items = payments.slice(0, limit).map(paymentInSuspenseView);
  const hasMore = payments.length > limit;
  return { items, after: hasMore ? items.at(-1)!.paymentId : null, hasMore };
}
