import { callCompany } from "../../company-client/stub.ts";
import type { SubmitEvidenceAnswer } from "../../company/disputes/command-types.ts";
import type { Env } from "../../config.ts";
import { visibleDispute } from "../../domain/access/payer-masks.ts";
import type { DisputeRecord, DisputeStatusWord } from "../../domain/disputes/dispute.ts";
import {
  EVIDENCE_FILES_MAX,
  EVIDENCE_FILES_MAX_BYTES,
} from "../../domain/disputes/evidence-file.ts";
import { EVIDENCE_MAX_BYTES, type EvidenceChange } from "../../domain/disputes/evidence.ts";
import { isoTime } from "../../domain/shared/clock.ts";
import { Problem } from "../../domain/shared/problem.ts";
import { StaleVersionError } from "../../http/auth/optimistic-auth.ts";
import type { Caller } from "../../http/context.ts";
import { keyReused } from "../../http/idempotency.ts";
import { invalidState, notFound } from "../../http/problems.ts";
import { quotaExceeded } from "../../http/quota.ts";
import { canonicalJson, sha256Hex } from "../../lib/hash.ts";
import { disputesBefore, findDispute } from "./repository.ts";
import { newestResponse, newestResponses } from "./response/repository.ts";
import { answeredDisputeView } from "./views.ts";

/** A page of the company's disputes, newest first. */
export async function pageOfDisputes(
  env: Env,
  { company, scopes }: Caller,
  query: { status?: DisputeStatusWord | undefined; after?: number | undefined; limit: number },
) {
  const { limit, after = Number.MAX_SAFE_INTEGER } = query;
  const status = query.status?.toUpperCase() as DisputeRecord["status"] | undefined;
  const found = await disputesBefore(env, company.id, { status, before: after, limit: limit + 1 });
  const items = found.slice(0, limit);
  const hasMore = found.length > limit;
  const responses = await newestResponses(
    env,
    company.id,
    items.map(({ id }) => id),
  );
  return {
    items: items.map((dispute) =>
      answeredDisputeView(visibleDispute(scopes, dispute), responses.get(dispute.id) ?? null),
    ),
    after: hasMore ? String(items.at(-1)?.number) : null,
    hasMore,
  };
}

/** The company's dispute by the provider's id. Throws 404. */
export async function requireDispute(
  env: Env,
  companyId: number,
  id: string,
): Promise<DisputeRecord> {
  const dispute = await findDispute(env, companyId, id);
  if (dispute === null) throw notFound("dispute");
  return dispute;
}

/** A dispute as a caller sees it, with the newest of what was sent to its bank. */
export async function shownDispute(
  env: Env,
  { company, scopes }: Pick<Caller, "company" | "scopes">,
  dispute: DisputeRecord,
) {
  const response = await newestResponse(env, company.id, dispute.id);
  return answeredDisputeView(visibleDispute(scopes, dispute), response);
}

/** Throws 404 for a dispute that the company's object does not know, which no audit entry repeats. */
export async function requireKnownDispute(env: Env, companyId: number, id: string): Promise<void> {
  const found = await callCompany(env, companyId, (account) => account.findDispute(id));
  if (found === null) throw notFound("dispute");
}

export interface EvidenceRequest {
  disputeId: string;
  change: EvidenceChange;
  idempotencyKey: string | null;
}

/**
 * Adds evidence to an open dispute. Throws 404, 409 once it has ended or for a reused key, 422 after its
 * deadline or for too much.
 */
export async function submitEvidence(
  env: Env,
  { company }: Caller,
  { disputeId, change, idempotencyKey: key }: EvidenceRequest,
  nowMs: number,
): Promise<{ dispute: DisputeRecord; replayed: boolean }> {
  const { id: companyId, credentialsVersion, quotaPercent } = company;
  const requestHash = await sha256Hex(canonicalJson({ disputeId, ...change }));
  const command = {
    companyId,
    credentialsVersion,
    quotaPercent,
    disputeId,
    change,
    key,
    requestHash,
  };
  const answer = await callCompany(env, companyId, (account) => account.submitEvidence(command));
  if (answer.kind === "accepted") return answer;
  throw refusalOf(answer, companyId, nowMs);
}

function refusalOf(
  answer: Exclude<SubmitEvidenceAnswer, { kind: "accepted" }>,
  companyId: number,
  nowMs: number,
): Error {
  switch (answer.kind) {
    case "version_conflict":
      return new StaleVersionError(answer.newest);
    case "quota_exceeded":
      return quotaExceeded(companyId, answer, nowMs);
    case "key_reused":
      return keyReused();
    case "not_found":
      return notFound("dispute");
    case "not_open":
      return invalidState(
        `The dispute is ${answer.status.toLowerCase()}; only an open one takes evidence`,
        "dispute_closed",
      );
    case "deadline_passed":
      return new Problem({
        code: "EVIDENCE_DEADLINE_PASSED",
        detail: `The deadline for evidence was ${isoTime(answer.deadline)}.`,
      });
    case "too_many_files":
      return new Problem({
        code: "EVIDENCE_TOO_LARGE",
        detail: `A dispute has at most ${EVIDENCE_FILES_MAX} files and ${EVIDENCE_FILES_MAX_BYTES} bytes of them in all.`,
      });
    case "too_large":
      return new Problem({
        code: "EVIDENCE_TOO_LARGE",
        detail: `The evidence has ${answer.bytes} bytes in all, more than ${EVIDENCE_MAX_BYTES}.`,
      });
  }
}
