import { dueOfAll } from "../../../db/sharding/fan-out.ts";
import { CompanyMovingError } from "../../../db/sharding/routed-database.ts";
import type { TransactionRow } from "../../../db/projection/transaction-mapper.ts";
import { SINGLE_STEP, type TaskStep } from "../../../domain/shared/cron-step.ts";
import { providerChargeId } from "../../../domain/charges/transaction.ts";
import type { Company } from "../../../domain/shared/company.ts";
import type { Env } from "../../../config.ts";
import { depsOfCompany, type Dependencies } from "../../../http/context.ts";
import { errorFields, log } from "../../../lib/log.ts";
import { callProvider } from "../../../providers/provider.ts";
import type { BookingContext } from "../../payments/follow-up.ts";
import { findTransaction } from "../repository.ts";
import { applyReport } from "../sync.ts";
import {
  dueShadows,
  postponeShadow,
  removeShadow,
  shadowsOf,
  type ShadowCharge,
} from "./repository.ts";

/** The cron's first look at a shadow charge: its create's lease is over by then, with a margin. */
export const FIRST_LOOK_MS = 60_000;
/** The cron looks again after this. */
const AGAIN_MS = 2 * 60_000;
/** An account's "not found" is final after this: the order may still arrive until then. */
const LOST_AFTER_MS = 5 * 60_000;
/** Shadow charges of one run: each takes up to eight calls to D1, the object and the provider. */
const SHADOWS_MAX = 50;

/** What became of a shadow charge. `silent`: its account did not answer. */
type Look = "ended" | "open" | "silent";

/** Ends at once what earlier attempts of an answered create may have made. The cron does what this could not. */
export async function endShadowsOf(context: BookingContext, row: TransactionRow): Promise<void> {
  try {
    for (const shadow of await shadowsOf(context.env, row)) await endShadow(context, row, shadow);
  } catch (error) {
    log("warn", "shadow_not_ended", { ...errorFields(error), transactionId: row.id });
  }
}

/** Cron task: ends shadow charges until their accounts say that nobody can pay them any more. */
export async function endShadowCharges(
  env: Env,
  deps: Dependencies,
  step: TaskStep = SINGLE_STEP,
): Promise<void> {
  const { fanOut, nowMs } = dueOfAll(env, deps);
  const due = await dueShadows(fanOut, nowMs, SHADOWS_MAX);
  const silent = new Set<string>();
  for (const { shadow, company, database } of due) {
    try {
      // First, so that one that always fails does not hold up the others.
      await postponeShadow(env, shadow, nowMs + AGAIN_MS);
    } catch (error) {
      if (!(error instanceof CompanyMovingError)) fanOut.exclude(database, error);
      continue;
    }
    const account = JSON.stringify([company.id, shadow.account]);
    if (silent.has(account)) continue;
    if ((await lookAt(env, deps, company, shadow)) === "silent") silent.add(account);
  }
  // Each was put off first, so that the next step finds others.
  if (due.length === SHADOWS_MAX) await step.continue(null);
}

async function lookAt(
  env: Env,
  deps: Dependencies,
  company: Company,
  shadow: ShadowCharge,
): Promise<Look> {
  try {
    if ((await deps.pauses.of(env, company.id)) !== null) return "open";
    const row = await findTransaction(env, company.id, shadow.transactionId);
    // One that is not answered may still be the one that is shown.
    if (row === null || row.answeredAt === null) return "open";
    return await endShadow({ env, deps: depsOfCompany(deps, company), company }, row, shadow);
  } catch (error) {
    log("error", "shadow_not_ended", { ...errorFields(error), companyId: company.id });
    return "open";
  }
}

/** Books what came for a shadow charge, cancels it while it can be paid, and forgets it once it cannot. */
async function endShadow(
  context: BookingContext,
  row: TransactionRow,
  shadow: ShadowCharge,
): Promise<Look> {
  const { env, deps, company } = context;
  const provider = await deps.providers(env).ofAccount(company, shadow.account, row.paymentMethod);
  // An account without secrets tells of no payment either.
  if (provider === null) return remove(env, shadow);
  const about = { provider: provider.name, companyId: company.id };
  const chargeId = providerChargeId(row.id, shadow.attempt);
  // Before the question: the order may arrive while its answer is on its way.
  const askedAt = deps.clock.now();
  const report = await callProvider(provider.findCharge(chargeId), about);
  if (report.kind === "unknown") return "silent";
  if (report.kind === "not_found") {
    const isFinal = shadow.createdAt + LOST_AFTER_MS <= askedAt;
    return isFinal ? remove(env, shadow) : "open";
  }
  await applyReport(context, row, { report, provider, attempt: shadow.attempt });
  if (report.payments.length > 0 || report.status !== "open") return remove(env, shadow);
  const outcome = await callProvider(provider.cancelCharge(chargeId), about);
  if (outcome.kind === "unknown") return "silent";
  return outcome.kind === "cancelled" ? remove(env, shadow) : "open";
}

async function remove(env: Env, shadow: ShadowCharge): Promise<"ended"> {
  await removeShadow(env, shadow);
  return "ended";
}
