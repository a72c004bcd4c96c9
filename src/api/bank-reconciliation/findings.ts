import type { Finding } from "../../company/contradictions/contradiction-store.ts";
import type { StoredCallback } from "../../db/reconciliation/callbacks.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { ListName } from "../../domain/reconciliation/reconciliation.ts";
import { canonicalJson, sha256Hex } from "../../lib/hash.ts";
import type { UnreadableRecord } from "../../providers/charge.ts";
import { recordSubject } from "../provider-callbacks/subjects.ts";

/** A payout that a PSP lists and that belongs to no withdraw. `amount` in centavos. */
export interface UnknownPayout {
  id: string;
  payoutId: string | null;
  amount: Cents;
  outcome: { kind: string; endToEndId: string | null };
}

/** A callback that is unreadable, or that the PSP's responses never confirmed or contradict. */
export function unconfirmedCallback(
  { id, objectId, body, report, receivedAt, account }: StoredCallback,
  isContradicted: boolean,
): Finding {
  return {
    finding: `callback:${id}`,
    kind: "record_unreadable",
    object: objectId,
    said: { callback: body, told: report, toldAt: receivedAt, account },
    booked: { fault: callbackFault(report, isContradicted) },
    amount: 0,
    held: 0,
  };
}

function callbackFault(report: StoredCallback["report"], isContradicted: boolean): string {
  if (report?.kind === "unreadable") return "The callback cannot be read.";
  return isContradicted
    ? "The PSP's own answers say the opposite of its callback."
    : "The PSP's own answers never said what its callback did.";
}

/**
 * An unreadable record of a PSP's list or, if `list` is null, of a query by id. Its digest identifies it, so
 * that both report it once.
 */
export async function unreadableRecord(
  account: string,
  { body, fault }: Pick<UnreadableRecord, "body" | "fault">,
  list: ListName | null = null,
): Promise<Finding> {
  const digest = await sha256Hex(canonicalJson([account, body]));
  return {
    finding: `record_unreadable:${digest}`,
    kind: "record_unreadable",
    object: recordSubject(digest),
    said: { account, list, body },
    booked: { fault },
    amount: 0,
    held: 0,
  };
}

/** Characters stored of a record: only one with very many returns is longer. */
const STORED_LENGTH = 4_096;

/** A readable record of a PSP's list whose booking keeps failing. */
export function unbookedRecord(
  digest: string,
  said: { account: string; list: string; record: string; body: string },
): Finding {
  return {
    finding: `record_not_booked:${said.account}:${digest}`,
    kind: "record_unreadable",
    object: recordSubject(digest),
    said: { ...said, body: said.body.slice(0, STORED_LENGTH) },
    booked: { fault: "It can be read, but it could not be booked." },
    amount: 0,
    held: 0,
  };
}

/** Money that left the account without a withdraw. */
export function unknownPayout(
  account: string,
  { id, payoutId, amount, outcome }: UnknownPayout,
): Finding {
  return {
    finding: `payout_unknown:${account}:${id}`,
    kind: "payout_unknown",
    object: `payout:${id}`,
    said: { id, payoutId, account, amount, status: outcome.kind, endToEndId: outcome.endToEndId },
    booked: {},
    amount,
    held: 0,
  };
}
