import type { ChargeStatus } from "../domain/charge-status.ts";
import { transactionEventType } from "../domain/event-types.ts";
import type { Cause, TrailEntry } from "../domain/trail.ts";
import type { ChargeState } from "../domain/transaction.ts";
import { unusual } from "./unusual.ts";

/** What the row that holds a trail says already. */
export interface TrailRow extends Pick<
  ChargeState,
  "status" | "updatedAt" | "paidAt" | "paidAmount" | "endToEndId"
> {
  /** The payment it was credited with, where that is not its end-to-end id. */
  paymentId: string | null;
}

type Change = Omit<TrailEntry, "movement" | "event"> &
  Partial<Pick<NonNullable<TrailEntry["event"]>, "type" | "sequence">>;

/** The ledger's newest movement, the company's number of the event or 0, and what is not as usual. */
type Packed = [movement: number, event: number, change?: Partial<Change>];

/** How the entries so far leave a charge: its status, and how many events it had. */
interface SoFar {
  status: ChargeStatus;
  events: number;
}

const NOTHING_SO_FAR: SoFar = { status: "waiting_payment", events: 0 };

/**
 * A trail as JSON, without what its charge's row says already and without what is as on any charge
 * that changed once: `[[41,41]]` is one that was paid, which is event 41. A row and its trail are
 * always written together.
 */
export function packTrail(trail: TrailEntry[], row: TrailRow): string {
  let soFar = NOTHING_SO_FAR;
  const packed = trail.map((entry): Packed => {
    const { movement, event, ...plain } = entry;
    const change: Change =
      event === null ? plain : { ...plain, type: event.type, sequence: event.sequence };
    const rest = unusual(change, usualChange(row, soFar, entry.to));
    soFar = after(soFar, entry);
    const number = event?.companySequence ?? 0;
    return Object.keys(rest).length === 0 ? [movement, number] : [movement, number, rest];
  });
  return JSON.stringify(packed);
}

/** The trail again. An entry in full, as older rows hold them, reads as itself. */
export function unpackTrail(text: string, row: TrailRow): TrailEntry[] {
  let soFar = NOTHING_SO_FAR;
  return (JSON.parse(text) as (Packed | TrailEntry)[]).map((packed) => {
    const entry = Array.isArray(packed) ? unpackEntry(packed, row, soFar) : packed;
    soFar = after(soFar, entry);
    return entry;
  });
}

function unpackEntry([movement, number, rest]: Packed, row: TrailRow, soFar: SoFar): TrailEntry {
  const usual = usualChange(row, soFar, rest?.to ?? row.status);
  const { type, sequence, ...change } = { ...usual, ...rest };
  const event = number === 0 ? null : { type, companySequence: number, sequence };
  return { ...change, movement, event } as TrailEntry;
}

/** A change to `to` by what its row says: its newest one, by the payment that it was credited with. */
function usualChange(row: TrailRow, soFar: SoFar, to: ChargeStatus) {
  return {
    at: row.updatedAt,
    from: soFar.status,
    to: row.status,
    cause: creditCause(row),
    type: transactionEventType(to),
    sequence: soFar.events + 1,
  };
}

function creditCause({ paidAt, paidAmount, paymentId, endToEndId }: TrailRow): Cause | null {
  const id = paymentId ?? endToEndId;
  if (paidAt === null || id === null) return null;
  return { kind: "payment", id, amount: paidAmount, paidAt, expected: true };
}

function after({ events }: SoFar, { to, event }: TrailEntry): SoFar {
  return { status: to, events: event?.sequence ?? events };
}
