import type { CopyQuery, Originals } from "./commands.ts";
import type { partsOf } from "./parts.ts";
import { toRecord } from "./withdraw-flow.ts";

/** What an object says of its charges and withdraws, for whoever compares D1's copy with it. */
export function originalsOf(
  { stores, moves }: ReturnType<typeof partsOf>,
  query: CopyQuery,
): Originals {
  const byId = "transactionIds" in query;
  const charges = byId
    ? query.transactionIds.flatMap((id) => stores.charges.known(id) ?? [])
    : stores.charges.after(query.afterTransaction, query.limit);
  const withdraws = byId
    ? query.withdrawIds.flatMap((id) => stores.withdraws.find(id) ?? [])
    : stores.withdraws.range(query.afterWithdraw + 1, query.afterWithdraw + query.limit);
  return {
    charges: charges.map((charge) => ({
      transactionId: charge.transactionId,
      state: moves.stateOf(charge),
    })),
    withdraws: withdraws.map(toRecord),
    companySequence: stores.meta.get("company_sequence") ?? 0,
    withdrawCount: stores.withdraws.count(),
    owed: stores.outbox.owed(),
  };
}
