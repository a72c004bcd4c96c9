import { callCompany } from "../../../company-client/stub.ts";
import { configOf, issuerOf, type Env } from "../../../config.ts";
import { toTransactionRecord } from "../../../db/projection/transaction-mapper.ts";
import { visibleDispute, visibleTransaction } from "../../../domain/access/payer-masks.ts";
import { disputeSubject } from "../../../domain/shared/event-subject.ts";
import type { Caller } from "../../../http/context.ts";
import { signDocument } from "../../../webhooks/signing/signed-document.ts";
import { creationOf } from "../../transactions/timeline/service.ts";
import { TIMELINE_MAX } from "../../transactions/timeline/schemas.ts";
import { requireWholeTransaction } from "../../transactions/service.ts";
import { contentOfFile } from "../files/service.ts";
import { requireDispute } from "../service.ts";
import { dossierDocument, type DisputedCharge } from "./document.ts";
import { eventsOfObjects } from "./repository.ts";

/** Events read of each object. A transaction that was refunded 100 times has some more. */
const EVENTS_MAX = 250;

/**
 * All that is known of a dispute, signed with the company's key. Personal data are masked without
 * `pii:read`, and `webhooks` is null without `webhooks:read`. Throws 404.
 */
export async function dossierOf(
  env: Env,
  caller: Pick<Caller, "company" | "scopes">,
  disputeId: string,
  nowMs: number,
) {
  const { company, scopes } = caller;
  const dispute = await requireDispute(env, company.id, disputeId);
  const { transactionId } = dispute;
  // The object is asked before D1, whose copy of the events may be behind.
  const charge = transactionId === null ? null : await disputedCharge(env, caller, transactionId);
  const subjects = [disputeSubject(dispute.id), ...(charge === null ? [] : [charge.record.id])];
  const log = await eventsOfObjects(env, company.id, subjects, EVENTS_MAX);
  const showsWebhooks = scopes.has("webhooks:read");
  const visible = visibleDispute(scopes, dispute);
  const issued = { ...issuerOf(env, company), id: company.id, name: company.name };
  const parts = { company: issued, dispute: visible, charge, log, showsWebhooks };
  const { secretsKeys } = configOf(env);
  return signDocument(secretsKeys, company.providerCompanyId, dossierDocument(parts, nowMs), nowMs);
}

/** The files of a dispute's evidence with their bytes; none without `pii:read`. Throws 404, or 503 without the bucket. */
export async function filesOfDossier(env: Env, { company, scopes }: Caller, disputeId: string) {
  if (!scopes.has("pii:read")) return [];
  const { id: companyId } = company;
  const dispute = await requireDispute(env, companyId, disputeId);
  const files = dispute.evidence?.files ?? [];
  return Promise.all(
    files.map(({ id: fileId }) => contentOfFile(env, { companyId, fileId }, dispute)),
  );
}

async function disputedCharge(
  env: Env,
  { company, scopes }: Pick<Caller, "company" | "scopes">,
  transactionId: string,
): Promise<DisputedCharge> {
  const row = await requireWholeTransaction(env, company, transactionId);
  const history = await callCompany(env, company.id, (account) =>
    account.history({ transactionId: row.id, limit: TIMELINE_MAX }),
  );
  const record = visibleTransaction(scopes, toTransactionRecord(row));
  return { record, creation: creationOf(row), history };
}
