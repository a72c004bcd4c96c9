import type { DisputeRecord } from "../../domain/disputes/dispute.ts";
import { areTooManyFiles } from "../../domain/disputes/evidence-file.ts";
import {
  evidenceBytes,
  EVIDENCE_MAX_BYTES,
  mergeEvidence,
  type Evidence,
} from "../../domain/disputes/evidence.ts";
import { canonicalJson } from "../../lib/hash.ts";
import type { SubmitEvidence, SubmitEvidenceAnswer } from "./command-types.ts";
import type { DailyUsage } from "../storage/daily-usage.ts";
import type { IdempotencyStore } from "../storage/idempotency-store.ts";
import { toRecord, type DisputeTransitions } from "./dispute-transitions.ts";

const OPERATION = "evidence";

/** What merchants say against disputes. Every method runs inside one `transactionSync`. */
export class EvidenceCommands {
  readonly #transitions: DisputeTransitions;
  readonly #keys: IdempotencyStore;
  readonly #usage: DailyUsage;

  constructor(deps: {
    transitions: DisputeTransitions;
    keys: IdempotencyStore;
    usage: DailyUsage;
  }) {
    this.#transitions = deps.transitions;
    this.#keys = deps.keys;
    this.#usage = deps.usage;
  }

  /**
   * Adds evidence to an open dispute before its deadline. Each field that is sent replaces the earlier
   * one; what changes nothing writes nothing. A refusal leaves the key free.
   */
  submit(command: SubmitEvidence, nowMs: number): SubmitEvidenceAnswer {
    const replay = this.#replay(command);
    if (replay !== null) return replay;
    const known = this.#transitions.find(command.disputeId);
    if (known === null) return { kind: "not_found" };
    const { status, deadline } = known;
    if (status !== "OPEN") return { kind: "not_open", status };
    if (deadline !== null && nowMs > deadline) return { kind: "deadline_passed", deadline };
    const evidence = mergeEvidence(known.evidence, command.change, nowMs);
    const bytes = evidenceBytes(evidence);
    if (bytes > EVIDENCE_MAX_BYTES) return { kind: "too_large", bytes };
    if (areTooManyFiles(evidence.files ?? [])) return { kind: "too_many_files" };
    if (known.number !== null && isSame(known.evidence, evidence)) {
      return this.#accept(command, toRecord(known, known.number));
    }
    const refusal = this.#usage.take({ ...command, bytes }, nowMs);
    if (refusal !== null) return refusal;
    return this.#accept(command, this.#transitions.submitEvidence(known, evidence, nowMs));
  }

  #replay({ key, requestHash }: SubmitEvidence): SubmitEvidenceAnswer | null {
    const stored = key === null ? null : this.#keys.find(OPERATION, key);
    if (stored === null || stored.answer === null) return null;
    if (stored.requestHash !== requestHash) return { kind: "key_reused" };
    return {
      kind: "accepted",
      dispute: JSON.parse(stored.answer) as DisputeRecord,
      replayed: true,
    };
  }

  #accept({ key, requestHash }: SubmitEvidence, dispute: DisputeRecord): SubmitEvidenceAnswer {
    if (key !== null) {
      this.#keys.add(OPERATION, key, requestHash, dispute.number);
      this.#keys.saveAnswer(OPERATION, key, JSON.stringify(dispute));
    }
    return { kind: "accepted", dispute, replayed: false };
  }
}

/** Whether evidence is the same but for its time. */
function isSame(known: Evidence | null, evidence: Evidence): boolean {
  return (
    known !== null &&
    canonicalJson({ ...known, submittedAt: evidence.submittedAt }) === canonicalJson(evidence)
  );
}
