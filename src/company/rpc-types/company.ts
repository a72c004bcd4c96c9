import type { Freeze } from "../../domain/access/freeze.ts";
import type { Requester } from "../../domain/access/requester.ts";
import type { SettingChange } from "../../domain/events/outbox-entry.ts";
import type { ChargeState } from "../../domain/charges/transaction.ts";
import type { DeliveryTarget } from "../../domain/events/delivery.ts";
import type { LedgerAnchor } from "../../domain/ledger/anchor.ts";
import type { Balances, LedgerHead } from "../../domain/ledger/balance.ts";
import type { DailyTotals } from "../../domain/ledger/daily-totals.ts";
import type { OpenOperations } from "../../domain/reconciliation/ledger-position.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type {
  NumberedKind,
  NumberedRecords,
  RecordCursor,
  RecordKeys,
} from "../../domain/shared/numbered-records.ts";
import type { QuotaExceeded } from "../../domain/storage/quotas.ts";
import type { WithdrawRecord } from "../../domain/withdraws/withdraw.ts";

export type { ArchivedChange } from "../../domain/events/archived-change.ts";
export type { AnnounceAnchorAnswer } from "../ledger/anchor-store.ts";
export type { AuditPass, AuditStep } from "../ledger/audit.ts";
export type { InspectQuery } from "../storage/inspect.ts";
export type { NumberFloors } from "../storage/raise-numbers.ts";

/** The balances, the ledger's newest movement, and its newest anchor (null before the first). */
export interface BalancesAnswer {
  balances: Balances;
  head: LedgerHead;
  anchor: LedgerAnchor | null;
  /** `available` after the last movement up to the time that was asked for; null without one. */
  availableAt: Cents | null;
}

/** Selects charges, withdraws, numbered records and days with totals by their ids, or the next `limit` of each. */
export type SnapshotQuery =
  | { transactionIds: string[]; withdrawIds: number[]; days?: string[]; records?: RecordKeys }
  | {
      afterTransaction: string;
      afterWithdraw: number;
      afterDay?: string;
      /** Numbered records; none if it is absent. */
      afterRecords?: RecordCursor;
      /** Charges of which D1 has a change. */
      movedInD1?: string[];
      limit: number;
    };

/** The object's charges, withdraws, numbered records and daily totals, to compare with D1's projection. */
export interface Snapshot {
  charges: { transactionId: string; amount: Cents; state: ChargeState }[];
  withdraws: WithdrawRecord[];
  numbered: NumberedRecords;
  /** Where a walk over numbered records goes on, and whether it is at its end; null without a walk. */
  walkedRecords: { after: RecordCursor; isDone: boolean } | null;
  dailyTotals: DailyTotals[];
  /** Those of `movedInD1` that are no charge here. */
  unknownCharges: string[];
  /** How many events the company has announced. */
  companySequence: number;
  withdrawCount: number;
  /** The highest number of each kind. */
  newest: Record<NumberedKind, number>;
  backlog: Backlog;
  freeze: Freeze | null;
  /** Operations whose provider owes an answer; null if there are none. */
  openOperations: OpenOperations | null;
}

/** Outbox entries that D1 does not have yet; its projection of their subjects may be stale. */
export interface Backlog {
  entries: number;
  /** Of these, entries that D1 refuses and those behind them. */
  setAside: number;
  /** Failed attempts of the oldest entry. */
  attempts: number;
  /** When the oldest of them was made, Unix milliseconds; null if none says. */
  oldestAt: number | null;
  transactionIds: string[];
  withdrawIds: number[];
  records: RecordKeys;
  /** Days whose totals they change. */
  days: string[];
  /** `companySequence` of the events set aside: D1 has later ones, but not these. */
  setAsideEvents: number[];
}

/** A request that stores something beside charges and withdraws. */
export interface TakeQuota {
  companyId: number;
  quotaPercent: number;
  /** Counted if they are within the quota. */
  bytes: number;
}

/** A quota that a request would exceed. Nothing was done. */
export interface QuotaRefusal extends QuotaExceeded {
  kind: "quota_exceeded";
}

/** Settings that were loosened and wait. A repeated call announces them once. */
export interface AnnounceSettingsChange {
  companyId: number;
  /** The application whose limits they are; null for settings of the company. */
  applicationId: string | null;
  changes: SettingChange[];
  requestedBy: Requester;
}

/** A test event for a webhook URL. A repeated call with the same `testId` announces it once. */
export interface AnnounceTestEvent {
  companyId: number;
  testId: string;
  target: DeliveryTarget;
  url: string;
}
