import { transactionEventType } from "../domain/event-types.ts";
import type { OutboxEntry, TransactionEntry, WithdrawEntry } from "../domain/outbox.ts";
import { initialChargeState, type ChargeState } from "../domain/transaction.ts";
import type { WithdrawRecord } from "../domain/withdraw.ts";

/** What the row that holds an entry says already. */
export interface EntryRow {
  createdAt: number;
  transactionId: string | null;
  withdrawId: number | null;
  /** The number of the company's newest event. */
  events: number;
}

interface Packed {
  kind?: OutboxEntry["kind"];
  transactionId?: string;
  state?: Partial<ChargeState>;
  withdraw?: Partial<WithdrawRecord>;
  event?: Partial<NonNullable<OutboxEntry["event"]>> | null;
}

/**
 * An entry as JSON, without what its row or its withdraw says already and without what is as on any
 * first payment. An entry in full reads as itself.
 */
export function packEntry(entry: OutboxEntry, row: EntryRow): string {
  switch (entry.kind) {
    case "transaction": {
      const { transactionId, state, event } = entry;
      const packed: Packed = {
        ...(transactionId === row.transactionId ? {} : { transactionId }),
        state: without(state, usualState(row)),
        event: event === null ? null : without(event, usualEvent(row, typeOf(state))),
      };
      return JSON.stringify(packed);
    }
    case "withdraw": {
      const { id, status, version, endToEndId, failureReason, updatedAt } = entry.withdraw;
      const changing = { id, status, version, endToEndId, failureReason, updatedAt };
      const { event } = entry;
      const packed: Packed = {
        kind: "withdraw",
        withdraw: without(changing, usualWithdraw(row)),
        event: event === null ? null : without(event, usualEvent(row, null)),
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

/** The entry again; what never changes of a withdraw is read from it. */
export function unpackEntry(
  text: string,
  row: EntryRow,
  withdrawOf: (id: number) => WithdrawRecord,
): OutboxEntry {
  const packed = JSON.parse(text) as Packed;
  const kind = packed.kind ?? "transaction";
  const { event } = packed;
  if (kind === "transaction") {
    const state: ChargeState = { ...usualState(row), ...packed.state };
    return {
      kind,
      transactionId: packed.transactionId ?? row.transactionId,
      state,
      event: event === null ? null : { ...usualEvent(row, typeOf(state)), ...event },
    } as TransactionEntry;
  }
  if (kind === "withdraw") {
    const changed = { ...usualWithdraw(row), ...packed.withdraw } as WithdrawRecord;
    return {
      kind,
      withdraw: { ...withdrawOf(changed.id), ...changed },
      event: event === null ? null : { ...usualEvent(row, null), ...event },
    } as WithdrawEntry;
  }
  return packed as OutboxEntry;
}

function usualState({ createdAt }: EntryRow): ChargeState {
  return { ...initialChargeState(createdAt), status: "paid", version: 1 };
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

/** An object without what is as `usual` says. */
function without<Value extends object>(value: Value, usual: object): Partial<Value> {
  const usually = new Map(Object.entries(usual));
  return Object.fromEntries(
    Object.entries(value).filter(
      ([name, each]) => !usually.has(name) || !isSame(each, usually.get(name)),
    ),
  ) as Partial<Value>;
}

function isSame(left: unknown, right: unknown): boolean {
  return left === right || JSON.stringify(left) === JSON.stringify(right);
}
