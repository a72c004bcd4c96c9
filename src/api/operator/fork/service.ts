import { callCompany } from "../../../company-client/stub.ts";
import { configOf, type Env } from "../../../config.ts";
import { claimCompany } from "../../../db/companies/company-creation.ts";
import {
  addFork,
  findFork,
  lapsedForks,
  leaseFork,
  openFork,
  removeFork,
} from "../../../db/fork/company-forks.ts";
import { COMPANY_COPIES } from "../../../db/fork/database-tables.ts";
import { addForkedCompany, eraseForkedRows, findForFork } from "../../../db/fork/fork-rows.ts";
import { databaseForNewCompany } from "../../../db/sharding/new-company-database.ts";
import { moveReport } from "../../../db/sharding/move/move-company.ts";
import { APPLICATION_PREFIX } from "../../../domain/access/client-id.ts";
import { RESTORE_FREEZE_REASON } from "../../../domain/access/freeze.ts";
import { copyRow } from "../../../domain/fork/columns.ts";
import { Disguise } from "../../../domain/fork/disguise.ts";
import type { ForkHead } from "../../../domain/fork/fork.ts";
import {
  DEFAULT_FIRST_KEY_SCOPES,
  webhookSecretContext,
  type Company,
} from "../../../domain/shared/company.ts";
import { newUuid } from "../../../domain/shared/ids.ts";
import { audited } from "../../../http/audit.ts";
import type { AppContext } from "../../../http/context.ts";
import { keyInProgress, keyReused } from "../../../http/idempotency.ts";
import { NAME_MAX } from "../../../http/fields/fields.ts";
import { invalidState } from "../../../http/problems.ts";
import { sha256Hex } from "../../../lib/hash.ts";
import { errorFields, log } from "../../../lib/log.ts";
import { seal } from "../../../lib/secret-box.ts";
import { newWebhookSecret } from "../../../webhooks/signing/secrets.ts";
import { draftKey, type DraftKey } from "../../applications/keys/service.ts";
import { importPayerKey, sealPayerKey } from "../../transactions/payer-key.ts";
import { copyFreeze, EMPTY_QUERY, fetchSnapshot } from "../audit/service.ts";
import { requireCompany } from "../company-param.ts";
import { completeFork } from "./complete.ts";
import { copyCharges, copyNewCharges } from "./copy-charges.ts";
import { copyObject } from "./copy-object.ts";

const KEY_BYTES = 32;
/** After this a fork that is not finished is erased. */
const LEASE_MS = 10 * 60_000;
/** Forks of before that one request erases. */
const ERASED_MAX = 5;
/** Withdraws that the original may make while it is copied. */
const WITHDRAWS_MARGIN = 10_000;
const NAME_SUFFIX = " (cópia de teste)";

/** A fork as it is answered; `key` is null when the request is repeated. */
interface ForkAnswer {
  companyId: number;
  clientId: string;
  key: string | null;
  replayed: boolean;
}

/** The copy while it is made. */
interface NewFork {
  companyId: number;
  providerCompanyId: string;
  clientId: string;
  draft: DraftKey;
  leaseUntil: number;
}

/**
 * Copies a company as it is now into a new sandbox company, which nobody can use before it is whole: it is closed and
 * has no application. One that a crash or a fault left is erased, at once or by the next fork; a repeated idempotency
 * key then makes another. Throws 404, 409 for a company that is moved, restored or too large.
 */
export async function forkCompany(
  c: AppContext,
  originalId: number,
  reason: string | undefined,
): Promise<ForkAnswer> {
  const { env } = c;
  const { platformClock, random } = c.get("deps");
  const idempotencyKey = c.get("idempotencyKey") ?? newUuid(random);
  const company = await requireCompany(c, originalId);
  const nowMs = platformClock.now();
  for (const lapsed of await lapsedForks(env, nowMs, ERASED_MAX)) {
    if (await leaseFork(env, lapsed, nowMs + LEASE_MS)) await erase(env, lapsed.companyId);
  }
  const known = await findFork(env, idempotencyKey);
  if (known !== null) return repeated(known, originalId);
  await requireForkable(c, originalId);
  const fork = await claim(c, originalId, idempotencyKey);
  const { companyId, clientId, draft } = fork;
  const action = { companyId: originalId, action: "company.fork", target: `company:${originalId}` };
  const after = { companyId, clientId, keyPrefix: draft.prefix };
  await audited(c, { ...action, after, reason: reason ?? null }, async () => {
    try {
      await copy(c, company, fork);
    } catch (error) {
      log("warn", "company_fork_failed", { ...errorFields(error), companyId: originalId });
      await erase(env, companyId);
      throw error;
    }
  });
  return { companyId, clientId, key: draft.key, replayed: false };
}

function repeated(
  {
    companyId,
    originalId,
    clientId,
    finishedAt,
  }: NonNullable<Awaited<ReturnType<typeof findFork>>>,
  requested: number,
): ForkAnswer {
  if (originalId !== requested) throw keyReused();
  if (finishedAt === null) throw keyInProgress();
  return { companyId, clientId, key: null, replayed: true };
}

async function requireForkable(c: AppContext, companyId: number): Promise<void> {
  const { env } = c;
  const [move, pauses, freeze] = await Promise.all([
    moveReport(env, companyId),
    c.get("deps").pauses.ask(env),
    callCompany(env, companyId, (account) => account.findFreeze()),
  ]);
  if (move.target !== null) throw invalidState("The company is being moved", "company_moving");
  const reasons = [pauses.companies[companyId]?.reason, freeze?.cause?.reason];
  if (reasons.includes(RESTORE_FREEZE_REASON)) {
    throw invalidState("The company is being restored", "company_restored");
  }
}

/** Takes a number that no request has had, and notes the fork before its first row. */
async function claim(c: AppContext, originalId: number, idempotencyKey: string): Promise<NewFork> {
  const { env } = c;
  const { platformClock, random } = c.get("deps");
  const now = platformClock.now();
  const claimed = await claimCompany(env, {
    idempotencyKey: newUuid(random),
    requestHash: await sha256Hex(`fork:${originalId}`),
    database: await databaseForNewCompany(env, "sandbox"),
    providerCompanyId: newUuid(random),
    clientId: APPLICATION_PREFIX + newUuid(random).replaceAll("-", ""),
    createdAt: now,
  });
  const { companyId, clientId, providerCompanyId } = claimed;
  const leaseUntil = now + LEASE_MS;
  if (!(await addFork(env, { companyId, originalId, idempotencyKey, clientId, leaseUntil }))) {
    throw keyInProgress();
  }
  const draft = await draftKey(random, { mode: "sandbox" });
  return { companyId, clientId, providerCompanyId, draft, leaseUntil };
}

/** Copies all, compares it, then opens the copy. */
async function copy(c: AppContext, original: Company, fork: NewFork): Promise<void> {
  const { env } = c;
  const { platformClock, providers, random } = c.get("deps");
  const { companyId, clientId, draft } = fork;
  const { withdrawCount } = await fetchSnapshot(env, original.id, EMPTY_QUERY);
  const disguise = new Disguise(random.bytes(KEY_BYTES), {
    from: original.id,
    to: companyId,
    newestWithdraw: withdrawCount + WITHDRAWS_MARGIN,
  });
  const payerKey = random.bytes(KEY_BYTES);
  const company: Company = { ...original, id: companyId, name: nameOf(original), mode: "sandbox" };
  const copying = {
    env,
    disguise,
    company,
    payerKey: await importPayerKey(payerKey),
    providers: providers(env),
  };
  const lastSeq = await copyCharges(copying);
  const copied = await copyObject(env, disguise);
  if (copied === null) {
    throw invalidState(
      "The company's object is too large to be copied at once",
      "company_too_large",
    );
  }
  if (!(await copyNewCharges(copying, lastSeq, copied.charges))) {
    throw invalidState(
      "The company has changed while it was copied. Try again",
      "changed_meanwhile",
    );
  }
  const { head } = copied;
  await addCompany(c, { original, fork, disguise, payerKey, head });
  const { clockOffsetMs } = head;
  await callCompany(env, companyId, (account) => account.finishFork({ companyId, clockOffsetMs }));
  await copyFreeze(env, companyId);
  await completeFork(env, companyId);
  if (!(await leaseFork(env, fork, platformClock.now() + LEASE_MS))) {
    throw invalidState("The copy took too long, and was erased", "company_too_large");
  }
  await openFork(env, companyId, {
    clientId,
    scopes: DEFAULT_FIRST_KEY_SCOPES.join(" "),
    keyHash: draft.hash,
    keyPrefix: draft.prefix,
    origin: head,
    nowMs: platformClock.now(),
  });
}

/** The copy's own row, closed. The object's clock is as far ahead as this says. */
async function addCompany(
  c: AppContext,
  {
    original,
    fork: { companyId, providerCompanyId },
    disguise,
    payerKey,
    head,
  }: {
    original: Company;
    fork: NewFork;
    disguise: Disguise;
    payerKey: Uint8Array;
    head: ForkHead;
  },
): Promise<void> {
  const { env } = c;
  const { platformClock, random } = c.get("deps");
  const { secretsKeys } = configOf(env);
  const now = platformClock.now();
  const found = await findForFork(env, original.id);
  if (found === null) throw new Error("the original of a fork is gone");
  const secret = newWebhookSecret(random);
  await addForkedCompany(
    env,
    {
      ...copyRow(COMPANY_COPIES, found.company, disguise),
      id: companyId,
      name: nameOf(original),
      mode: "sandbox",
      clockOffsetMs: head.clockOffsetMs,
      providerCompanyId,
      createdAt: now,
      closedAt: now,
      webhookSecretSealed: await seal(secretsKeys, secret, webhookSecretContext(providerCompanyId)),
      leadKeySealed: await sealPayerKey(env, providerCompanyId, payerKey),
    },
    // The original's may have gone on since.
    found.clock === null
      ? null
      : {
          ...found.clock,
          companyId,
          leaseUntil: 0,
          reached: Math.min(found.clock.reached, head.at),
        },
  );
}

/** Without what tells a copy from its original. */
function nameOf({ name }: Pick<Company, "name">): string {
  return name.replace(NAME_SUFFIX, "").slice(0, NAME_MAX - NAME_SUFFIX.length) + NAME_SUFFIX;
}

/** Deletes a fork that was never finished; what cannot be deleted now, the next fork deletes. */
async function erase(env: Env, companyId: number): Promise<void> {
  try {
    await eraseForkedRows(env, companyId);
    await callCompany(env, companyId, (account) => account.eraseFork());
    await removeFork(env, companyId);
  } catch (error) {
    log("warn", "company_fork_not_erased", { ...errorFields(error), companyId });
  }
}
