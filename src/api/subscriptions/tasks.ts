import { callCompany } from "../../company-client/stub.ts";
import type { StepResult } from "../../company/subscriptions/command-types.ts";
import type { Env } from "../../config.ts";
import { findCompany } from "../../db/companies/companies.ts";
import { leftToPayerUntil } from "../../domain/subscriptions/dunning.ts";
import { isLongOver, isSkipped } from "../../domain/subscriptions/next-step.ts";
import { depsOfCompany, type Dependencies } from "../../http/context.ts";
import { newTraceId } from "../../http/tracing.ts";
import { assert } from "../../lib/assert.ts";
import { errorFields, log } from "../../lib/log.ts";
import type { BookingContext } from "../payments/provider-order.ts";
import { performOwnStep, performStep, type ClaimedStep } from "./steps.ts";

type Deps = Pick<Dependencies, "platformClock" | "providers" | "random">;

/** Steps of one subscription that a message does in a row; the next message does the rest. */
const STEPS_MAX = 12;

/**
 * Does what a subscription needs now, step by step: each is claimed in the company's object, done at the provider and
 * reported. Idempotent, also when it runs concurrently: one Worker has a step at a time.
 */
export async function runSubscription(
  env: Env,
  deps: Deps,
  companyId: number,
  number: number,
): Promise<void> {
  const company = await findCompany(env, companyId);
  assert(company !== null, `company ${companyId} is in D1`);
  const context = { env, deps: depsOfCompany(deps, company), company };
  for (let done = 0; done < STEPS_MAX; done++) {
    const claimed = await callCompany(env, companyId, (account) =>
      account.claimSubscriptionStep({ companyId, number }),
    );
    if (claimed.kind !== "do") return;
    const result = await resultOf(context, claimed);
    const { lease } = claimed;
    const { kind, cycle } = claimed.step;
    const isDue = await callCompany(env, companyId, (account) =>
      account.reportSubscriptionStep({ companyId, number, step: { kind, cycle }, lease, result }),
    );
    if (!isDue) return;
  }
}

async function resultOf(context: BookingContext, claimed: ClaimedStep): Promise<StepResult> {
  const { company, deps, env } = context;
  const about = { companyId: company.id, step: claimed.step.kind };
  const { account } = claimed.subscription;
  try {
    const own = { ...context, traceId: newTraceId(deps.random) };
    const result = performOwnStep(own, claimed);
    if (result !== null) return await result;
    const provider = await deps.providers(env).ofAccount(company, account, "PIX");
    const mandates = provider?.mandates ?? null;
    if (provider === null || mandates === null) {
      log("warn", "subscription_provider_missing", about);
      return withoutAccount(claimed, deps.clock.now());
    }
    return await performStep({ ...own, provider, mandates }, claimed);
  } catch (error) {
    // The step's lease must not outlast a failure of ours: it is tried again at growing waits.
    log("warn", "subscription_step_failed", { ...errorFields(error), ...about });
    return { kind: "unknown" };
  }
}

/** Nobody can look for a debit at an account that is gone: one that nobody knows to be ordered is none; in time, any. */
function withoutAccount({ subscription, cycle, step }: ClaimedStep, nowMs: number): StepResult {
  if (cycle === null) return { kind: "unknown" };
  const isPassed = step.kind === "order_debit" && isSkipped(subscription, cycle);
  if (isPassed && nowMs < leftToPayerUntil(subscription, cycle)) return { kind: "checked" };
  const isUnheard = cycle.debit.orderedAt === null || isLongOver(cycle.dueDate, nowMs);
  const isUnordered = step.kind === "end_debit" && isUnheard;
  return { kind: isPassed || isUnordered ? "unmade" : "unknown" };
}
