import { callCompany } from "../../../company-client/stub.ts";
import type { Env } from "../../../config.ts";
import {
  afterWord,
  isFinalResponse,
  type ResponseStatus,
} from "../../../domain/disputes/dispute-response.ts";
import { isoTime } from "../../../domain/shared/clock.ts";
import { SCOPES, type Company } from "../../../domain/shared/company.ts";
import { newUuid } from "../../../domain/shared/ids.ts";
import { Problem } from "../../../domain/shared/problem.ts";
import { requesterOf, type Caller, type CompanyDependencies } from "../../../http/context.ts";
import { disconnected, invalidState, notFound } from "../../../http/problems.ts";
import { exponentialBackoffMs } from "../../../lib/backoff.ts";
import { sha256Hex } from "../../../lib/hash.ts";
import { log } from "../../../lib/log.ts";
import type { DefenceOutcome, DisputeDesk } from "../../../providers/dispute-desk.ts";
import { callProvider, type Provider } from "../../../providers/provider.ts";
import { dossierText } from "../dossier/sections.ts";
import { dossierOf } from "../dossier/service.ts";
import { findDispute } from "../repository.ts";
import { requireDispute } from "../service.ts";
import {
  addResponse,
  claimResponse,
  responsesTo,
  saveResponse,
  type ResponseRow,
} from "./repository.ts";

/** Longer than a call to the bank and what is read for it: who asks has ended by then. */
const CLAIM_MS = 60_000;
/** A bank analyses for days: from this wait ... */
const WAIT_MIN_MS = 60_000;
/** ... up to this one. */
const WAIT_MAX_MS = 6 * 60 * 60_000;
/** A bank that is silent for so long about a dispute that is over is asked no more. */
const SILENT_MAX_MS = 30 * 24 * 60 * 60_000;
/** Of these the bank has no dossier: another may be sent, as long as it takes any. */
const NOT_TAKEN: ReadonlySet<ResponseStatus> = new Set(["refused", "not_sent"]);
/** The bank gets the dossier whole, whatever the caller sees of it: it knows the payer. */
const ALL_SCOPES = new Set(SCOPES);

export interface ResponseContext {
  env: Env;
  deps: CompanyDependencies;
  company: Company;
}

/**
 * Sends the dossier of an open dispute to its bank, once: a repeat answers the one that is on its way, and a further one
 * goes only where the bank takes it. It is stored before the call; what the bank did not answer is asked again by the
 * cron. Throws 404, 409 for one that has ended or was answered, 422 after the deadline and where the bank takes none.
 */
export async function sendResponse(
  context: ResponseContext & { caller: Pick<Caller, "application" | "person"> },
  { disputeId, idempotencyKey }: { disputeId: string; idempotencyKey: string | null },
): Promise<{ response: ResponseRow; replayed: boolean }> {
  const { env, deps, company, caller } = context;
  const found = await callCompany(env, company.id, (account) => account.findDispute(disputeId));
  if (found === null) throw notFound("dispute");
  const sent = await responsesTo(env, company.id, disputeId);
  const ofKey = sent.find((each) => each.idempotencyKey === idempotencyKey);
  if (ofKey !== undefined && idempotencyKey !== null) return { response: ofKey, replayed: true };
  const [known = null] = sent;
  const nowMs = deps.clock.now();
  await requireOpen(context, disputeId, found.status, nowMs);
  const { provider, desk } = await requireDesk(context, found.account);
  if (known?.status === "sending") return { response: known, replayed: false };
  if (known !== null && !desk.takesFurther && !NOT_TAKEN.has(known.status)) {
    throw invalidState(
      "The bank has an answer to this dispute, and takes no further one",
      "dispute_answered",
    );
  }
  const id = newUuid(deps.random);
  const stored = await addResponse(env, {
    companyId: company.id,
    disputeId,
    version: (known?.version ?? 0) + 1,
    id,
    account: found.account,
    status: "sending",
    answer: null,
    dossierSha256: null,
    requestedBy: requesterOf(caller),
    idempotencyKey,
    sentAt: nowMs,
    answeredAt: null,
    checks: 0,
    nextCheckAt: nowMs + CLAIM_MS,
  });
  // Another request was first.
  if (stored.id !== id) return { response: stored, replayed: false };
  const about = { provider: provider.name, companyId: company.id };
  return { response: await submit(context, stored, desk, about), replayed: false };
}

/**
 * Asks the bank of a response what it says, and sends the dossier again only where the bank itself says that it does
 * not have it, while the dispute is open and before its deadline. A bank that says nothing is asked until the dispute is
 * over: then a month, or no more where it takes none any more.
 */
export async function askAboutResponse(context: ResponseContext, due: ResponseRow): Promise<void> {
  const { env, deps, company } = context;
  const { disputeId, account } = due;
  const nowMs = deps.clock.now();
  // One that always fails waits as long as one whose bank is silent.
  const row = await claimResponse(env, due, nowMs + Math.max(CLAIM_MS, waitMs(due.checks + 1)));
  if (row === null) return;
  const provider = await providerOf(context, account);
  const desk = provider?.disputeDesk ?? null;
  const about = provider === null ? null : { provider: provider.name, companyId: company.id };
  const found = await callCompany(env, company.id, (object) => object.findDispute(disputeId));
  const isOpen = found?.status === "OPEN";
  const isAsked = desk !== null && about !== null;
  const said = isAsked
    ? await callProvider(desk.find({ responseId: row.id, disputeId }), about)
    : ({ kind: "unknown" } as const);
  if (said.kind === "known") return save(env, afterWord(row, said, nowMs), isOpen, nowMs);
  if (row.status !== "sending") return postpone(env, row, isOpen, nowMs);
  const deadline = (await findDispute(env, company.id, disputeId))?.deadline ?? null;
  const isOver = !isOpen || (deadline !== null && nowMs > deadline);
  if (isAsked && said.kind === "not_found") {
    if (isOver) return end(env, row, "not_sent", nowMs);
    await submit(context, row, desk, about);
    return;
  }
  const isGivenUp = isOver && (!isAsked || nowMs - row.sentAt > SILENT_MAX_MS);
  if (!isGivenUp) return postpone(env, row, isOpen, nowMs);
  log("warn", "dispute_response_unanswered", { companyId: company.id, disputeId, account });
  return end(env, row, "no_answer", nowMs);
}

function end(
  env: Env,
  row: ResponseRow,
  status: "not_sent" | "no_answer",
  nowMs: number,
): Promise<void> {
  return saveResponse(env, { ...row, status, answeredAt: nowMs, nextCheckAt: null });
}

/** Sends the dossier as it is now, under the response's id. */
async function submit(
  { env, deps, company }: ResponseContext,
  row: ResponseRow,
  desk: DisputeDesk,
  about: Parameters<typeof callProvider>[1],
): Promise<ResponseRow> {
  const { disputeId, id: responseId } = row;
  const nowMs = deps.clock.now();
  const signed = await dossierOf(env, { company, scopes: ALL_SCOPES }, disputeId, nowMs);
  const dossier = JSON.stringify(signed);
  const dossierSha256 = await sha256Hex(dossier);
  const text = dossierText(signed);
  const defence = { responseId, disputeId, dossier, dossierSha256, text };
  const said = await callProvider<DefenceOutcome>(desk.submit(defence), about);
  const after = { ...afterOutcome(row, said, deps.clock.now()), dossierSha256 };
  const saved = { ...after, nextCheckAt: nextCheckOf(after, true, deps.clock.now()) };
  await saveResponse(env, saved);
  return saved;
}

function afterOutcome(row: ResponseRow, said: DefenceOutcome, nowMs: number): ResponseRow {
  switch (said.kind) {
    case "unknown":
      return row;
    case "known":
      return afterWord(row, said, nowMs);
    case "refused":
      return afterWord(row, { status: "refused", answer: said.reason }, nowMs);
  }
}

function save(env: Env, row: ResponseRow, isOpen: boolean, nowMs: number): Promise<void> {
  return saveResponse(env, { ...row, nextCheckAt: nextCheckOf(row, isOpen, nowMs) });
}

const postpone = save;

/** When the bank is asked again: not after its final word, and not about what it has once the dispute has ended. */
function nextCheckOf(
  { status, checks }: { status: ResponseStatus; checks: number },
  isOpen: boolean,
  nowMs: number,
): number | null {
  if (isFinalResponse(status) || (!isOpen && status !== "sending")) return null;
  return nowMs + waitMs(checks);
}

function waitMs(checks: number): number {
  return exponentialBackoffMs(checks, WAIT_MIN_MS, WAIT_MAX_MS);
}

async function requireOpen(
  { env, company }: ResponseContext,
  disputeId: string,
  status: string,
  nowMs: number,
): Promise<void> {
  if (status !== "OPEN") {
    throw invalidState(
      `The dispute is ${status.toLowerCase()}; only an open one is answered`,
      "dispute_closed",
    );
  }
  const { deadline } = await requireDispute(env, company.id, disputeId);
  if (deadline === null || nowMs <= deadline) return;
  throw new Problem({
    code: "EVIDENCE_DEADLINE_PASSED",
    detail: `The deadline for evidence was ${isoTime(deadline)}.`,
  });
}

async function requireDesk(
  context: ResponseContext,
  account: string,
): Promise<{ provider: Provider; desk: DisputeDesk }> {
  const provider = await providerOf(context, account);
  if (provider === null) throw disconnected("took this payment");
  const { disputeDesk: desk = null } = provider;
  if (desk !== null) return { provider, desk };
  throw new Problem({
    code: "NOT_SUPPORTED_BY_PROVIDER",
    detail:
      "The account that took this payment takes no answers to disputes by API. Send its bank the dossier.",
  });
}

function providerOf({ env, deps, company }: ResponseContext, account: string) {
  return deps.providers(env).ofAccount(company, account);
}
