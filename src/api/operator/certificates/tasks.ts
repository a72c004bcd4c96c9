import { appendAuditEntry, hasEntrySince } from "../../../db/audit-entries.ts";
import { saveAccountSettings } from "../../../db/companies/accounts/account-changes.ts";
import { findCompany } from "../../../db/companies/companies.ts";
import {
  changeTrial,
  dueTrials,
  removeTrial,
  type CertificateTrial,
} from "../../../db/watch/certificate-trials.ts";
import { findProviderAccount } from "../../../db/watch/providers.ts";
import type { Env } from "../../../config.ts";
import { GATEWAY_TRAIL } from "../../../domain/access/audit-entry.ts";
import { afterTrial, nextTrialAt } from "../../../domain/psp/certificate-trial.ts";
import { isPixApi, type ConnectionOf, type PspAccount } from "../../../domain/psp/psp-account.ts";
import { pagesOf } from "../../../domain/shared/cron-step.ts";
import type { Company } from "../../../domain/shared/company.ts";
import type { Dependencies } from "../../../http/context.ts";
import { errorFields, log } from "../../../lib/log.ts";
import { currentTrace } from "../../../lib/trace/trace.ts";
import { tryCertificate } from "../../../providers/certificate-trial.ts";
import { openSecrets, sealSecrets } from "../../../providers/registry.ts";
import { updateCredentials } from "../../settings/update-credentials.ts";
import { saveCertificateEnd } from "./service.ts";

/** Trials of one run; others are due a minute later. */
const TRIALS_MAX = 12;
/** Side by side: each has two connections, and an invocation six. */
const SIDE_BY_SIDE = 3;
/** A run that dies is repeated after this. */
const LEASE_MS = 5 * 60_000;
const ACTOR = {
  kind: "task",
  id: "try_certificates",
  name: "try_certificates",
  keyPrefix: null,
} as const;

type PixAccount = PspAccount & ConnectionOf<"PixApi">;

/** A trial, and the account that it is for as it is now. */
interface Subject {
  trial: CertificateTrial;
  company: Company;
  account: PixAccount;
}

/**
 * Cron task: tries the next certificates of accounts beside those in use, swaps in those that work, and goes back from
 * one that fails afterwards.
 */
export async function tryCertificates(
  env: Env,
  deps: Pick<Dependencies, "platformClock">,
): Promise<void> {
  const due = await dueTrials(env, deps.platformClock.now(), TRIALS_MAX);
  for (const page of pagesOf(due, SIDE_BY_SIDE)) {
    await Promise.all(page.map((trial) => runTrial(env, deps, trial)));
  }
}

async function runTrial(
  env: Env,
  deps: Pick<Dependencies, "platformClock">,
  due: CertificateTrial,
): Promise<void> {
  const { companyId, account: name } = due;
  try {
    const nextRunAt = deps.platformClock.now() + LEASE_MS;
    const trial = await changeTrial(env, due, { nextRunAt });
    if (trial === null) return;
    const company = await findCompany(env, companyId);
    const account = company?.accounts.find((each) => each.account === name);
    if (company === null || account === undefined || !isPixApi(account)) {
      return await removeTrial(env, trial);
    }
    const subject = { trial, company, account };
    // An operator has connected the account with another certificate meanwhile.
    if (!isExpected(subject)) return await removeTrial(env, trial);
    const decided = await tryBoth(env, deps, subject);
    if (decided !== null) await writeDecided(env, deps, { ...subject, trial: decided });
  } catch (error) {
    log("error", "certificate_trial_failed", { ...errorFields(error), companyId, account: name });
  }
}

/** Whether the account's certificate is one that the trial left it with. */
function isExpected({ trial, account }: Subject): boolean {
  const { certificate } = account.settings;
  switch (trial.state) {
    case "trying":
      return certificate !== trial.binding;
    case "swapped":
      return certificate === trial.binding;
    case "fell_back":
      return certificate === trial.previous;
    case "swapping":
    case "falling_back":
    case "done":
      return certificate === trial.binding || certificate === trial.previous;
  }
}

/** Tries both certificates, where nothing is decided yet. Answers the trial if its swap or its way back is to be written. */
async function tryBoth(
  env: Env,
  { platformClock: clock }: Pick<Dependencies, "platformClock">,
  { trial, company, account }: Subject,
): Promise<CertificateTrial | null> {
  if (trial.state === "swapping" || trial.state === "falling_back") return trial;
  const { certificate } = account.settings;
  const other = trial.state === "swapped" ? trial.previous : certificate;
  const [result, beside, known] = await Promise.all([
    tryCertificate({ env, clock }, company, account, trial.binding),
    tryCertificate({ env, clock }, company, account, other),
    findProviderAccount(env, company.id, account.account),
  ]);
  const now = clock.now();
  const next = afterTrial(trial, { result, beside }, now);
  const replaced =
    next.state === "swapping"
      ? { previous: certificate, previousEndsAt: known?.certificateExpiresAt ?? null }
      : {};
  const nextRunAt = nextTrialAt(next.state, now);
  const change = { ...next, ...replaced, result, beside, triedAt: now, nextRunAt };
  const after = await changeTrial(env, trial, change);
  if (result !== "works") {
    log("warn", "certificate_refused", { companyId: company.id, result, binding: trial.binding });
  }
  const isDecided = after?.state === "swapping" || after?.state === "falling_back";
  return isDecided ? after : null;
}

/**
 * Writes a decided swap, or the way back: the audit trail first, then the settings, then the trial. An interrupted one is
 * repeated a minute later.
 */
async function writeDecided(
  env: Env,
  deps: Pick<Dependencies, "platformClock">,
  subject: Subject,
): Promise<void> {
  const { trial, company, account } = subject;
  const isBack = trial.state === "falling_back";
  const certificate = isBack ? trial.previous : trial.binding;
  if (account.settings.certificate !== certificate) {
    const isSaved = await useCertificate(env, deps, subject, certificate);
    // The company has changed since it was read.
    if (!isSaved) return;
  }
  const owner = { companyId: company.id, account: account.account, settings: account.settings };
  await saveCertificateEnd(env, owner, isBack ? trial.previousEndsAt : trial.endsAt);
  const now = deps.platformClock.now();
  const state = isBack ? ("fell_back" as const) : ("swapped" as const);
  const swappedAt = isBack ? trial.swappedAt : now;
  await changeTrial(env, trial, { state, swappedAt, nextRunAt: nextTrialAt(state, now) });
  const fields = { companyId: company.id, account: account.account, certificate };
  if (isBack) log("error", "certificate_swap_undone", fields);
  else log("info", "certificate_swapped", fields);
}

/** Makes an account use a certificate from now on. False if the company has changed since it was read. */
async function useCertificate(
  env: Env,
  deps: Pick<Dependencies, "platformClock">,
  { trial, company, account }: Subject,
  certificate: string | null,
): Promise<boolean> {
  const settings = { ...account.settings, certificate };
  const { account: name, provider } = account;
  const secrets = await openSecrets<"PixApi">(env, company, account);
  const connection = { provider, account: name, settings };
  const sealed = await sealSecrets<"PixApi">(env, company, connection, secrets);
  const now = deps.platformClock.now();
  await tell(env, { trial, company, account }, certificate, now);
  const row = { companyId: company.id, account: name, settings, sealed };
  const { credentialsVersion } = company;
  return updateCredentials(env, company.id, () =>
    saveAccountSettings(env, row, { credentialsVersion, nowMs: now }),
  );
}

/** Enters the change of a certificate into the company's trail and the gateway's, where an interrupted run has not. */
async function tell(
  env: Env,
  { trial, company, account }: Subject,
  certificate: string | null,
  nowMs: number,
): Promise<void> {
  const isBack = trial.state === "falling_back";
  const target = `provider:${account.account}`;
  const entry = {
    actor: ACTOR,
    action: isBack ? "certificate.fall_back" : "certificate.swap",
    before: { certificate: account.settings.certificate },
    after: { certificate, successes: trial.successes, result: trial.result, beside: trial.beside },
    reason: isBack
      ? "The new certificate fails, and the one before works."
      : "The next certificate works.",
    address: null,
    traceId: currentTrace() ?? null,
  };
  // Each trial is decided at a time of its own.
  const decidedAt = trial.triedAt ?? trial.namedAt;
  const whole = `company:${company.id} ${target}`;
  for (const [trail, told] of [
    [GATEWAY_TRAIL, { ...entry, target: whole }],
    [company.id, { ...entry, target }],
  ] as const) {
    const about = { target: told.target, actions: [entry.action], by: ACTOR.id };
    if (await hasEntrySince(env, trail, decidedAt, about)) continue;
    await appendAuditEntry(env, trail, told, nowMs);
  }
}
