import { isSamePayout, type PayoutDetails } from "../../domain/ledger/movement-details.ts";
import { log } from "../../lib/log.ts";
import type { LedgerStore } from "../ledger/ledger-store.ts";
import type { MetaStore } from "../storage/meta-store.ts";
import { detailsOf, type BookedMovement } from "../ledger/movement-row.ts";

/** What of a withdraw's row is compared with the movement that took its money. */
interface AcceptedPayout extends PayoutDetails {
  id: number;
}

/**
 * Whether a movement accepted exactly this payout: to this payee, of this amount and fee. One that was
 * booked before movements carried details confirms the amount and the fee by its postings.
 */
export function isAcceptedBy(payout: AcceptedPayout, movement: BookedMovement): boolean {
  const { type, withdrawId, postings } = movement;
  if (type !== "withdraw_requested" || withdrawId !== payout.id) return false;
  const posted = (account: string) =>
    postings.find((posting) => posting.account === account)?.amount ?? 0;
  if (posted("payout") !== payout.amount || posted("fees") !== payout.fee) return false;
  const details = detailsOf(movement);
  return details === null || ("payoutId" in details && isSamePayout(details, payout));
}

/**
 * Whether a payout may be sent: its movement, whose hash holds, accepted it as its row says. Where it
 * did not, somebody wrote the row, and the company's withdraws are frozen at once. Runs inside the
 * commit that would send it.
 */
export function verifyOrFreeze(
  { ledger, meta }: { ledger: LedgerStore; meta: MetaStore },
  payout: AcceptedPayout & { companyId: number; movements: number[] },
): boolean {
  const [number] = payout.movements;
  const movement = number === undefined ? null : ledger.findVerified(number);
  if (movement !== null && isAcceptedBy(payout, movement)) return true;
  meta.set("frozen", 1);
  const { companyId, id: withdrawId } = payout;
  log("error", "payout_mismatch_found", { companyId, withdrawId, movement: number ?? null });
  return false;
}
