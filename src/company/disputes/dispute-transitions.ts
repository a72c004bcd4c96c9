import { disputeEventType, type DisputeEvent } from "../../domain/events/event-types.ts";
import type { DisputeRecord } from "../../domain/disputes/dispute.ts";
import type { Evidence } from "../../domain/disputes/evidence.ts";
import type { OperatorEvent } from "../../domain/reconciliation/contradiction.ts";
import { jsonBytes } from "../../domain/storage/quotas.ts";
import type { MetaStore } from "../storage/meta-store.ts";
import type { OutboxStore } from "../outbox/outbox-store.ts";
import type { DisputeStore, StoredDispute } from "./dispute-store.ts";
import type { SuspenseDispute, SuspenseDisputeStore } from "./suspense-dispute-store.ts";

/** What `DisputeTransitions` keeps itself. */
type Kept = "number" | "evidence" | "updatedAt" | "version" | "eventSequence";
/** A dispute of a credited payment as its command decided it. */
export type DisputeChange = Omit<StoredDispute, Kept>;
/** A dispute of an unexpected payment as its command decided it. */
export type SuspenseDisputeChange = Omit<SuspenseDispute, Kept>;

/** A dispute of either table. */
type AnyDispute = StoredDispute | SuspenseDispute;

/**
 * The only way to change a dispute. Stores its row with the next version, and adds its state to the
 * outbox, with an event where its status changed. Runs inside one `transactionSync`.
 */
export class DisputeTransitions {
  readonly #disputes: DisputeStore;
  readonly #suspenseDisputes: SuspenseDisputeStore;
  readonly #meta: MetaStore;
  readonly #outbox: OutboxStore;

  constructor(deps: {
    disputes: DisputeStore;
    suspenseDisputes: SuspenseDisputeStore;
    meta: MetaStore;
    outbox: OutboxStore;
  }) {
    this.#disputes = deps.disputes;
    this.#suspenseDisputes = deps.suspenseDisputes;
    this.#meta = deps.meta;
    this.#outbox = deps.outbox;
  }

  /** A dispute by the provider's id. One whose payment was credited since is the charge's. */
  find(id: string): AnyDispute | null {
    return this.#disputes.find(id) ?? this.#suspenseDisputes.find(id);
  }

  /** The ids of the next disputes of both tables after an id, ascending. */
  idsAfter(id: string, limit: number): string[] {
    const both = [this.#disputes, this.#suspenseDisputes].flatMap((store) =>
      store.idsAfter(id, limit),
    );
    return [...new Set(both)].toSorted().slice(0, limit);
  }

  /** The disputes with these ids as they are announced. One from before disputes were numbered is left out. */
  records(ids: string[]): DisputeRecord[] {
    return ids.flatMap((id) => {
      const found = this.find(id);
      return found === null || found.number === null ? [] : [toRecord(found, found.number)];
    });
  }

  /** Changes a dispute, or opens it. */
  apply(change: DisputeChange | SuspenseDisputeChange, nowMs: number): void {
    const known = this.find(change.id);
    const createdAt = known?.createdAt ?? change.createdAt;
    this.#store({ ...change, createdAt }, known, known?.evidence ?? null, null, nowMs);
  }

  /** Stores evidence and tells operators, who forward it. Returns the dispute with it. */
  submitEvidence(known: AnyDispute, evidence: Evidence, nowMs: number): DisputeRecord {
    const number = this.#meta.next("newest_operator_event");
    const event = { number, type: "dispute.evidence_submitted", at: nowMs } as const;
    return this.#store(known, known, evidence, event, nowMs);
  }

  #store(
    change: DisputeChange | SuspenseDisputeChange,
    known: AnyDispute | null,
    evidence: Evidence | null,
    operatorEvent: OperatorEvent | null,
    nowMs: number,
  ): DisputeRecord {
    const isNewStatus = known?.status !== change.status;
    const number = known?.number ?? this.#meta.next("newest_dispute");
    const details = {
      number,
      reason: change.reason,
      deadline: change.deadline,
      evidence,
      updatedAt: nowMs,
      version: (known?.version ?? 0) + 1,
      eventSequence: (known?.eventSequence ?? 0) + (isNewStatus ? 1 : 0),
    };
    const stored = { ...change, ...details };
    if (isOfCharge(stored)) this.#disputes.save(stored);
    else this.#suspenseDisputes.save(stored);
    const dispute = toRecord(stored, number);
    const event = isNewStatus ? this.#event(dispute, known, details.eventSequence) : null;
    this.#outbox.add({ kind: "dispute", dispute, event, operatorEvent }, nowMs);
    return dispute;
  }

  #event(dispute: DisputeRecord, known: AnyDispute | null, sequence: number): DisputeEvent {
    const { status, updatedAt: nowMs } = dispute;
    const bytes = jsonBytes({ ...dispute, evidence: null });
    return {
      type: disputeEventType(status),
      ...this.#meta.nextEvent({ nowMs, bytes }),
      sequence,
      previousStatus: known?.status ?? null,
      timestamp: nowMs,
    };
  }
}

/** A stored dispute as it is announced and shown. */
export function toRecord(dispute: AnyDispute, number: number): DisputeRecord {
  const { id, reason, amount, status, deadline, createdAt, updatedAt, version, evidence } = dispute;
  const about = isOfCharge(dispute)
    ? {
        kind: dispute.kind,
        transactionId: dispute.transactionId,
        paymentId: null,
        held: dispute.held,
      }
    : { kind: "DISPUTE" as const, transactionId: null, paymentId: dispute.paymentId, held: 0 };
  return {
    number,
    id,
    reason,
    ...about,
    amount,
    status,
    deadline,
    openedAt: createdAt,
    updatedAt,
    version,
    evidence,
  };
}

function isOfCharge<OfPayment extends object>(
  dispute: StoredDispute | OfPayment,
): dispute is StoredDispute {
  return "transactionId" in dispute;
}
