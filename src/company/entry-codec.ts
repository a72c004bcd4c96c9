import type { ChargeStatus } from "../domain/charge-status.ts";
import { transactionEventType } from "../domain/event-types.ts";
import type { OutboxEntry, TransactionEntry, WithdrawEntry } from "../domain/outbox.ts";
import { initialChargeState, type ChargeState } from "../domain/transaction.ts";
import type { WithdrawRecord } from "../domain/withdraw.ts";
import { unusual } from "./unusual.ts";

/** What the row that holds an entry says already. */
export interface EntryRow {
  createdAt: number;
  transactionId: string | null;
  withdrawId: number | null;
  /** The number of the company's newest event. */
  events: number;
}

/** What a charge keeps from its credit on, whatever else changes. */
export type Credit = Pick<ChargeState, "paidAt" | "paidAmount" | "endToEndId">;

/** What entries leave out, for it stands elsewhere in the object. */
export interface Elsewhere {
  withdrawOf(id: number): WithdrawRecord;
  /** Of a charge that was credited. */
  creditOf(transactionId: string): Credit;
}

interface Packed {
  kind?: OutboxEntry["kind"];
  transactionId?: string;
  state?: Partial<ChargeState>;
  withdraw?: Partial<WithdrawRecord>;
  event?: Partial<NonNullable<OutboxEntry["event"]>> | null;
}

/**
 * An entry as JSON, without what its row, its charge's credit or its withdraw says already and without
 * what is as on any first payment, of which `{}` is left. An entry in full reads as itself.
 */
export function packEntry(entry: OutboxEntry, row: EntryRow): string {
  switch (entry.kind) {
    case "transaction": {
      const { transactionId, state, event } = entry;
      const packed: Packed = {
        ...(transactionId === row.transactionId ? {} : { transactionId }),
        ...some("state", unusual(state, usualState(row, isCredited(state.status) ? state : null))),
        ...(event === null
          ? { event }
          : some("event", unusual(event, usualEvent(row, typeOf(state))))),
      };
      return JSON.stringify(packed);
    }
    case "withdraw": {
      const { id, status, version, endToEndId, failureReason, updatedAt } = entry.withdraw;
      const changing = { id, status, version, endToEndId, failureReason, updatedAt };
      const { event } = entry;
      const packed: Packed = {
        kind: "withdraw",
        withdraw: unusual(changing, usualWithdraw(row)),
        event: event === null ? null : unusual(event, usualEvent(row, null)),
      };
      return JSON.stringify(packed);
    }
    case "balance":
    case "test":
      return JSON.stringify(entry);
  }
}

/** The ids that a packed entry is about. */
export function aboutOf(
  text: string,
  row: EntryRow,
): { transactionId: string | null; withdrawId: number | null } {
  const packed = JSON.parse(text) as Packed;
  const kind = packed.kind ?? "transaction";
  return {
    transactionId:
      kind === "transaction" ? (packed.transactionId ?? row.transactionId ?? null) : null,
    withdrawId: kind === "withdraw" ? (packed.withdraw?.id ?? row.withdrawId) : null,
  };
}

/** The entry again; what never changes of a withdraw or a credited charge is read from it. */
export function unpackEntry(text: string, row: EntryRow, elsewhere: Elsewhere): OutboxEntry {
  const packed = JSON.parse(text) as Packed;
  const kind = packed.kind ?? "transaction";
  const { event } = packed;
  if (kind === "transaction") {
    const transactionId = packed.transactionId ?? row.transactionId ?? "";
    const isPaid = isCredited(packed.state?.status ?? "paid");
    const credit = isPaid ? elsewhere.creditOf(transactionId) : null;
    const state: ChargeState = { ...usualState(row, credit), ...packed.state };
    return {
      kind,
      transactionId,
      state,
      event: event === null ? null : { ...usualEvent(row, typeOf(state)), ...event },
    } as TransactionEntry;
  }
  if (kind === "withdraw") {
    const changed = { ...usualWithdraw(row), ...packed.withdraw } as WithdrawRecord;
    return {
      kind,
      withdraw: { ...elsewhere.withdrawOf(changed.id), ...changed },
      event: event === null ? null : { ...usualEvent(row, null), ...event },
    } as WithdrawEntry;
  }
  return packed as OutboxEntry;
}

function usualState({ createdAt }: EntryRow, credit: Credit | null): ChargeState {
  const usual = { ...initialChargeState(createdAt), status: "paid", version: 1 } as const;
  if (credit === null) return usual;
  const { paidAt, paidAmount, endToEndId } = credit;
  return { ...usual, paidAt, paidAmount, endToEndId };
}

/** No charge is credited twice, and none that was is anything else again. */
function isCredited(status: ChargeStatus): boolean {
  return status === "paid" || status === "refunded";
}

/** The part under its name; nothing where there is nothing in it. */
function some<Part extends object>(name: "state" | "event", part: Part): Record<string, Part> {
  return Object.keys(part).length === 0 ? {} : { [name]: part };
}

function usualWithdraw({ createdAt, withdrawId }: EntryRow) {
  return { id: withdrawId, endToEndId: null, failureReason: null, updatedAt: createdAt };
}

function usualEvent({ createdAt, events }: EntryRow, type: string | null) {
  const usual = { companySequence: events, sequence: 1, timestamp: createdAt };
  return type === null ? usual : { ...usual, type, previousStatus: "waiting_payment" };
}

function typeOf({ status }: Pick<ChargeState, "status">): string | null {
  return transactionEventType(status);
}
