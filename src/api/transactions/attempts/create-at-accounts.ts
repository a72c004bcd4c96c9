import type { TransactionRow } from "../../../db/projection/transaction-mapper.ts";
import { ATTEMPTS_MAX } from "../../../domain/charges/transaction.ts";
import { mayBeForgotten } from "../../../domain/psp/provider-refs.ts";
import { inBackground } from "../../../lib/in-background.ts";
import { log } from "../../../lib/log.ts";
import { PATIENCE_MS } from "../../../providers/account-health.ts";
import {
  callProvider,
  type BindCharge,
  type ChargeOutcome,
  type Provider,
} from "../../../providers/provider.ts";
import type { ChargeOrder } from "../../../providers/charge.ts";
import type { PushMethod } from "../../../methods/method.ts";
import type { BookingContext } from "../../payments/provider-order.ts";
import { bindToAccount, moveToAttempt, shadowsOf, type Attempt } from "./repository.ts";
import { FIRST_LOOK_MS } from "./shadows.ts";

/** So many accounts one request asks at most: its lease and its caller's patience end. */
const ASKED_MAX = 3;

/** What a charge is made with. */
export interface ChargeContext extends BookingContext {
  traceId: string;
}

/** A create's answer, and the row with the account that gave it. */
interface Created {
  row: TransactionRow;
  provider: Provider;
  outcome: ChargeOutcome;
}

/** A call that was given up for the next account; it goes on. */
interface GivenUp {
  provider: Provider;
  call: Promise<ChargeOutcome>;
}

/** When a silent account may be left for the next one. */
type Leaves = PushMethod<never, never, never>["leaves"] | "never";

/**
 * Orders a push charge at the account of its row and, only where that stays silent, at the next one that may take it.
 * Each attempt is stored before its call, under a charge id of its own. A refusal is an answer: it ends the search. So
 * does the order to make what can be paid, of a charge that is left only until then.
 */
export async function createAtAccounts(
  context: ChargeContext,
  first: Pick<Created, "row" | "provider">,
  leaves: Leaves,
  orderOf: (row: TransactionRow) => ChargeOrder,
): Promise<Created> {
  const others = otherProviders(context, first.row, leaves, orderOf(first.row));
  const givenUp: GivenUp[] = [];
  let { row, provider } = first;
  for (;;) {
    const bind = leaves === "until_bound" ? bindOf(context, row) : undefined;
    const call = provider.createCharge(orderOf(row), bind);
    const next = others.shift();
    const patience = next === undefined ? undefined : PATIENCE_MS;
    const outcome = await answerOf(context, { provider, call }, patience);
    if (outcome.kind !== "unknown") return { row, provider, outcome };
    const moved = next === undefined ? null : await moveTo(context, row, next);
    if (next === undefined || moved === null) {
      // One that cannot be left is waited for like the last one.
      const known = next === undefined ? outcome : await answerOf(context, { provider, call });
      if (known.kind !== "unknown") return { row, provider, outcome: known };
      return (await lateAnswer(context, row, givenUp)) ?? { row, provider, outcome };
    }
    givenUp.push({ provider, call });
    row = moved;
    provider = next;
  }
}

/** Asked by the account of a row before it makes what can be paid. */
function bindOf({ env, deps }: ChargeContext, row: TransactionRow): BindCharge {
  return () => bindToAccount(env, row, deps.clock.now());
}

/** An account that is slow and not dead, where none of those after it answers: its charge is shown after all. */
async function lateAnswer(
  context: ChargeContext,
  row: TransactionRow,
  givenUp: GivenUp[],
): Promise<Created | null> {
  for (const { provider, call } of givenUp) {
    const outcome = await answerOf(context, { provider, call });
    const isShown = outcome.kind === "registered";
    const moved = isShown ? await moveTo(context, row, provider) : null;
    if (moved !== null) return { row: moved, provider, outcome };
  }
  return null;
}

/**
 * The other accounts that may take a charge as it was ordered, in order. Of an old one it may be forgotten that its account
 * is bound.
 */
function otherProviders(
  { env, deps, company }: ChargeContext,
  { account, paymentMethod, amount }: TransactionRow,
  leaves: Leaves,
  order: ChargeOrder,
): Provider[] {
  if (leaves === "never") return [];
  if (leaves === "until_bound" && mayBeForgotten(order.chargeId, deps.clock.now())) return [];
  return deps
    .providers(env)
    .routesFor(company, paymentMethod, amount)
    .filter((each) => each.account !== account && Object.keys(each.orderFaults(order)).length === 0)
    .slice(0, ASKED_MAX - 1);
}

/** Null where no further attempt has an id, or the create is bound to its account or no longer this request's. */
async function moveTo(
  { env, deps, company: { credentialsVersion } }: ChargeContext,
  row: TransactionRow,
  { name, account }: Provider,
): Promise<TransactionRow | null> {
  const shadows = await shadowsOf(env, row);
  const known = shadows.find((shadow) => shadow.account === account)?.attempt;
  const attempt = known ?? 1 + Math.max(row.attempt, ...shadows.map((shadow) => shadow.attempt));
  if (attempt > ATTEMPTS_MAX) return null;
  const nowMs = deps.clock.now();
  const next: Attempt = { provider: name, account, attempt };
  const moved = await moveToAttempt(env, row, next, {
    nowMs,
    nextRunAt: nowMs + FIRST_LOOK_MS,
    credentialsVersion,
  });
  if (moved !== null)
    log("warn", "charge_moved_to_account", {
      companyId: row.companyId,
      transactionId: row.id,
      from: row.account,
      to: account,
    });
  return moved;
}

/** A call that is given up ends in the background: its account may act on it, and how it ended is counted. */
async function answerOf(
  { company, traceId }: ChargeContext,
  { provider, call }: GivenUp,
  patienceMs?: number,
): Promise<ChargeOutcome> {
  const about = { provider: provider.name, companyId: company.id, traceId };
  const outcome = await callProvider(call, about, patienceMs);
  if (outcome.kind === "unknown")
    void inBackground(Promise.allSettled([call]).then(() => undefined));
  return outcome;
}
