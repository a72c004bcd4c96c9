import type { Freeze } from "../domain/access/freeze.ts";
import type { ChargeState } from "../domain/charges/transaction.ts";
import type { ChangedBoleto } from "../domain/charges/payment-details.ts";
import type { Cents } from "../domain/shared/money.ts";
import type { DailyTotals } from "../domain/ledger/daily-totals.ts";
import type { OpenOperations } from "../domain/reconciliation/ledger-position.ts";
import {
  noKeys,
  type NumberedKind,
  type NumberedRecords,
  type RecordCursor,
  type RecordKeys,
} from "../domain/shared/numbered-records.ts";
import type { WithdrawRecord } from "../domain/withdraws/withdraw.ts";
import type { Services } from "./compose.ts";
import { changedBoletoOf } from "./operations/due-dates.ts";
import { toLink } from "./links/link-store.ts";
import { toCycle } from "./subscriptions/cycle-store.ts";
import { toSubscription } from "./subscriptions/subscription-store.ts";
import type { Backlog } from "./outbox/outbox-store.ts";
import { toRecord } from "./withdraws/withdraw-store.ts";

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
  charges: {
    transactionId: string;
    amount: Cents;
    state: ChargeState;
    /** Since the last change of its due date; null where it had none. Absent of an object of an earlier version. */
    boleto?: ChangedBoleto | null;
  }[];
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

/** Received payments read for each other record: most of them are no unexpected ones, which are copied. */
const PAYMENTS_FACTOR = 5;

/** What the object has of charges, withdraws, numbered records and daily totals, to compare with D1's projection. */
export function snapshotOf(services: Services, query: SnapshotQuery): Snapshot {
  const { stores, chargeTransitions, freezes } = services;
  const { charges, withdraws, dailyTotals } = selected(services, query);
  return {
    charges: charges.map((charge) => ({
      transactionId: charge.transactionId,
      amount: charge.amount,
      state: chargeTransitions.stateOf(charge),
      boleto: changedBoletoOf(stores.operations, charge.transactionId),
    })),
    withdraws: withdraws.map(toRecord),
    dailyTotals,
    unknownCharges: "transactionIds" in query ? [] : stores.charges.unknown(query.movedInD1 ?? []),
    ...numberedRecords(services, query),
    companySequence: stores.meta.newestEvent(),
    withdrawCount: stores.withdraws.count(),
    newest: {
      dispute: stores.meta.get("newest_dispute") ?? 0,
      payment: stores.meta.get("newest_unexpected_payment") ?? 0,
      link: stores.links.newest(),
      subscription: stores.subscriptions.newest(),
      cycle: stores.cycles.newest(),
      contradiction: stores.contradictions.newest(),
    },
    backlog: stores.outbox.backlog(),
    freeze: freezes.find(),
    openOperations: stores.operations.unanswered(),
  };
}

function selected({ stores }: Services, query: SnapshotQuery) {
  if ("transactionIds" in query) {
    return {
      charges: query.transactionIds.flatMap((id) => stores.charges.findStored(id) ?? []),
      withdraws: query.withdrawIds.flatMap((id) => stores.withdraws.find(id) ?? []),
      dailyTotals: (query.days ?? []).flatMap((day) => stores.dailyTotals.between(day, day)),
    };
  }
  const { afterTransaction, afterWithdraw, afterDay, limit } = query;
  return {
    charges: stores.charges.after(afterTransaction, limit),
    withdraws: stores.withdraws.range(afterWithdraw + 1, afterWithdraw + limit),
    dailyTotals: afterDay === undefined ? [] : stores.dailyTotals.after(afterDay, limit),
  };
}

function numberedRecords(
  services: Services,
  query: SnapshotQuery,
): Pick<Snapshot, "numbered" | "walkedRecords"> {
  if ("transactionIds" in query) {
    return { numbered: recordsOf(services, query.records ?? noKeys()), walkedRecords: null };
  }
  const { afterRecords, limit } = query;
  if (afterRecords === undefined) {
    return { numbered: recordsOf(services, noKeys()), walkedRecords: null };
  }
  return recordsAfter(services, afterRecords, limit);
}

function recordsOf({ stores, disputeTransitions }: Services, keys: RecordKeys): NumberedRecords {
  return {
    dispute: disputeTransitions.records(keys.dispute),
    payment: keys.payment.flatMap((id) => stores.unexpected.find(id) ?? []),
    link: keys.link.flatMap((number) => {
      const [link] = stores.links.after(number - 1, 1);
      return link?.number === number ? [toLink(link)] : [];
    }),
    subscription: keys.subscription.flatMap((number) => {
      const found = stores.subscriptions.findNumber(number);
      return found === null ? [] : [toSubscription(found)];
    }),
    cycle: keys.cycle.flatMap((number) => {
      const [cycle] = stores.cycles.after(number - 1, 1);
      return cycle?.number === number ? [toCycle(cycle)] : [];
    }),
    contradiction: keys.contradiction.flatMap((number) => stores.contradictions.find(number) ?? []),
  };
}

function recordsAfter(
  { stores, disputeTransitions }: Services,
  after: RecordCursor,
  limit: number,
): Pick<Snapshot, "numbered" | "walkedRecords"> {
  const disputeIds = disputeTransitions.idsAfter(after.dispute, limit);
  const { payments, last, isDone } = stores.unexpected.after(
    after.payment,
    limit * PAYMENTS_FACTOR,
  );
  const links = stores.links.after(after.link, limit);
  const subscriptions = stores.subscriptions.after(after.subscription, limit);
  const cycles = stores.cycles.after(after.cycle, limit);
  const contradictions = stores.contradictions.after(after.contradiction, limit);
  return {
    numbered: {
      dispute: disputeTransitions.records(disputeIds),
      payment: payments,
      link: links.map(toLink),
      subscription: subscriptions.map(toSubscription),
      cycle: cycles.map(toCycle),
      contradiction: contradictions,
    },
    walkedRecords: {
      after: {
        dispute: disputeIds.at(-1) ?? after.dispute,
        payment: last,
        link: links.at(-1)?.number ?? after.link,
        subscription: subscriptions.at(-1)?.number ?? after.subscription,
        cycle: cycles.at(-1)?.number ?? after.cycle,
        contradiction: contradictions.at(-1)?.number ?? after.contradiction,
      },
      isDone:
        isDone &&
        [disputeIds, links, subscriptions, cycles, contradictions].every(
          ({ length }) => length < limit,
        ),
    },
  };
}
