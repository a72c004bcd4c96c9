import { inDueOrder, type DueItem, type DueKind } from "../../domain/time/due-item.ts";
import type { Reservations } from "../links/reservations.ts";
import type { ReleaseStore } from "../releases/release-store.ts";
import type { DueIndex } from "../storage/due-index.ts";
import type { MetaStore } from "../storage/meta-store.ts";
import type { WaitingApprovalStore } from "../exits/waiting-approval-store.ts";
import type { StepKind } from "../../domain/subscriptions/next-step.ts";
import type { SubscriptionStore } from "../subscriptions/subscription-store.ts";
import type { OperationStore } from "../operations/operation-store.ts";
import type { RecheckStore } from "./recheck-store.ts";

/** What is asked for what is due. */
export interface DueServices {
  reservations: Pick<Reservations, "dueBy">;
  stores: {
    meta: Pick<MetaStore, "get">;
    releases: Pick<ReleaseStore, "due">;
    approvals: Pick<WaitingApprovalStore, "dueBy">;
    waiting: Pick<WaitingApprovalStore, "dueBy">;
    withdraws: { processing: DueIndex; dueIndexes: (frozen: boolean) => DueIndex[] };
    operations: Pick<OperationStore, "pending" | "find">;
    rechecks: Pick<RecheckStore, "open" | "subjectOf">;
    subscriptions: Pick<SubscriptionStore, "dueBy">;
  };
}

/** The first `limit` things that the object has due by a time, in order. */
export function dueItems(
  { stores, reservations }: DueServices,
  { until, limit }: { until: number; limit: number },
): DueItem[] {
  const { operations, rechecks } = stores;
  const operationId = (id: number) => operations.find(id)?.operationId ?? String(id);
  const payouts = stores.withdraws.dueIndexes(stores.meta.get("frozen") === 1);
  return [
    ...stores.releases.due(until, limit).map(({ transactionId, dueAt }) => ({
      at: dueAt,
      kind: "release" as const,
      id: transactionId,
    })),
    ...itemsOf("approval_expiry", stores.approvals.dueBy(until, limit)),
    ...itemsOf("approval_expiry", stores.waiting.dueBy(until, limit), operationId),
    ...reservations
      .dueBy(until, limit)
      .map(({ at, id }) => ({ at, kind: "reservation_expiry" as const, id })),
    ...payouts.flatMap((index) => itemsOf("payout", index.dueBy(until, limit))),
    ...itemsOf("operation", operations.pending.dueBy(until, limit), operationId),
    ...itemsOf("recheck", rechecks.open.dueBy(until, limit), (id) => rechecks.subjectOf(id)),
    ...stores.subscriptions.dueBy(until, limit).map(({ step, at, id, number }) => ({
      at,
      kind: STEP_KINDS[step ?? ""] ?? ("subscription" as const),
      id,
      number,
    })),
  ]
    .toSorted(inDueOrder)
    .slice(0, limit);
}

/** What a subscription's steps are to its merchant; any other is about the subscription itself. */
const STEP_KINDS: Record<string, "debit" | "retry"> = {
  plan_retry: "retry",
  order_retry: "retry",
  check_retry: "retry",
  open_cycle: "debit",
  order_debit: "debit",
  check_debit: "debit",
  give_up: "debit",
  end_debit: "debit",
  close_cycle: "debit",
} satisfies Partial<Record<StepKind, "debit" | "retry">>;

function itemsOf(
  kind: DueKind,
  rows: { at: number; id: number }[],
  idOf: (number: number) => string = String,
): DueItem[] {
  return rows.map(({ at, id }) => ({ at, kind, id: idOf(id), number: id }));
}
