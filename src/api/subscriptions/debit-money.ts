import type { StepResult } from "../../company/subscriptions/command-types.ts";
import type { SubscriptionCycle } from "../../domain/subscriptions/records.ts";
import { chargeOfDebit, type ReportedDebit } from "../../providers/mandate-provider.ts";
import type { Provider } from "../../providers/provider.ts";
import type { BookingContext } from "../payments/provider-order.ts";
import { findTransaction } from "../transactions/repository.ts";
import { applyReport, recordUnreadable } from "../transactions/sync.ts";
import { toldDebit } from "./told.ts";

/** Books what a debit has brought, then says what it is: the object hears of no paid debit without its money. */
export async function bookDebit(
  context: BookingContext & { provider: Provider },
  { transactionId }: Pick<SubscriptionCycle, "transactionId">,
  { debit, unreadable = [] }: ReportedDebit,
): Promise<StepResult> {
  const { env, company, provider } = context;
  const report = chargeOfDebit({ kind: "known", debit, unreadable });
  if (report.kind === "unknown") {
    await recordUnreadable(env, company.id, provider.account, unreadable);
  } else if (debit.charge.payments.length + unreadable.length > 0) {
    const row = await findTransaction(env, company.id, transactionId);
    // D1 is being restored, or has lost the charge: its money waits.
    if (row === null) return { kind: "unknown" };
    await applyReport(context, row, { report, provider });
  }
  return { kind: "debit", debit: toldDebit(debit) };
}
