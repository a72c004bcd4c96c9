import { frozenByService } from "../../domain/access/freeze.ts";
import { isSamePayout, type PayoutDetails } from "../../domain/ledger/movement-details.ts";
import { log } from "../../lib/log.ts";
import type { LedgerStore } from "../ledger/ledger-store.ts";
import type { Freezes } from "../operators/freezes.ts";
import { detailsOf, type BookedMovement } from "../ledger/movement-row.ts";

/** The fields of a withdraw's row that its movement must confirm. */
interface AcceptedPayout extends PayoutDetails {
  id: number;
}

/**
 * Whether a movement accepted exactly this payout: payee, amount and fee. A movement older than
 * details confirms only amount and fee, by its postings.
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
 * Whether a payout may be sent: a movement with a valid hash accepted it as its row has it. If not, the
 * row was tampered with, and the company's withdraws are frozen. Runs inside the commit that claims it.
 */
export function verifyOrFreeze(
  { ledger, freezes }: { ledger: LedgerStore; freezes: Freezes },
  payout: AcceptedPayout & { companyId: number; movements: number[] },
  nowMs: number,
): boolean {
  const [number] = payout.movements;
  const movement = number === undefined ? null : ledger.findVerified(number);
  if (movement !== null && isAcceptedBy(payout, movement)) return true;
  freezes.freeze(frozenByService(`withdraw ${payout.id} is not as it was accepted`), nowMs);
  const { companyId, id: withdrawId } = payout;
  log("error", "payout_mismatch_found", { companyId, withdrawId, movement: number ?? null });
  return false;
}
