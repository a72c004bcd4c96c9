import { findCashierCharge } from "../../../../db/people/cashier-shifts.ts";
import type { ConsoleContext } from "../../context.ts";
import { cashierInMetadata, type ChargeCashier } from "./charge-cashier.ts";

/**
 * Who made a charge at the counter; null for any other charge. An application may write a cashier into its metadata, so
 * a shift of the one it names must have the charge.
 */
export async function cashierOfCharge(
  c: ConsoleContext,
  { id, metadata }: { id: string; metadata: string | null },
): Promise<ChargeCashier | null> {
  const named = cashierInMetadata(metadata);
  if (named === null) return null;
  const of = { companyId: c.get("person").companyId, cashier: named.id };
  return (await findCashierCharge(c.env.outer.env, of, id)) === null ? null : named;
}
