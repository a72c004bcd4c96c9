import { saoPauloDay } from "../../../src/domain/shared/business-day.ts";
import { send, type Client } from "../lib/load.ts";
import type { Merchant } from "../../../tools/lib/merchant.ts";
import type { Intent, Journal, Kind } from "../lib/journal.ts";
import type { Plan } from "../lib/planner.ts";
import { LOAD_MAX_MS } from "../lib/limits.ts";
import { Random } from "../lib/random.ts";
import { assertDefined } from "../lib/required.ts";
import { wait } from "../lib/wait.ts";
import { DECISION_PLANS, propose } from "../lib/plan-decisions.ts";
import { readWaiting, type Waiting } from "../lib/waiting.ts";
import { isSilentAbout, silentAmount, type LiveBank } from "./live-bank.ts";

/** The share of requests that are decisions. */
const DECISIONS = 0.35;
/** The share of withdraws and refunds of which the bank says nothing until the end. */
const SILENT = 0.2;
/** A run without one of these would prove less than its test says. */
export const NEEDED: readonly Kind[] = [
  "create",
  "refund",
  "withdraw",
  "return",
  "refund_approve",
  "proposal_approve",
];
const WORKERS = 6;
const KILL_AFTER_ACKS_MIN = 25;
const KILL_AFTER_ACKS_MAX = 120;
/** The interval of the banks' actions during the load. */
const BANK_ACTION_INTERVAL_MS = 8;
const AMOUNT_MIN = 2_000;
const AMOUNT_MAX = 60_000;
const WITHDRAW_MIN = 1_000;
const WITHDRAW_MAX = 8_000;
/** The probability of a charge with a due date. */
const DUE_DATE = 0.25;
const DAY_MS = 86_400_000;
/** Only recent objects are used, so that requests collide. */
const RECENT = 30;

/**
 * Requests of several workers for live companies while their banks act, until `kill` is called: after enough
 * answers, once each kind of event that a run must have has happened.
 */
export async function loadUntilKilled(
  client: Client,
  banks: LiveBank[],
  options: { seed: number; cycle: number },
  kill: () => Promise<void>,
): Promise<void> {
  const { journal } = client;
  const { merchants } = client.callers;
  const moment = new Random(options.seed, options.cycle, 0);
  const killAfterAcks = moment.int(KILL_AFTER_ACKS_MIN, KILL_AFTER_ACKS_MAX);
  const deadline = Date.now() + LOAD_MAX_MS;
  const killing: { done: Promise<void> | null } = { done: null };
  const base = merchants[0]?.base ?? "";
  let acks = 0;
  const worker = async (name: number) => {
    const random = new Random(options.seed, options.cycle, name + 1);
    let broken = false;
    while (!broken) {
      const isEnough = acks >= killAfterAcks && hasEveryKind(journal, banks);
      if (isEnough || Date.now() > deadline) killing.done ??= kill();
      const merchant = random.pick(merchants)!;
      const bank = assertDefined(banks[merchant.companyId - 1], "a bank");
      const intent =
        journal.nextUnanswered(Date.now()) ??
        (await decision(random, journal, merchant)) ??
        nextIntent(random, journal, bank, merchant.companyId);
      const outcome = await send(client, intent);
      if (outcome === "answered") acks += 1;
      broken = outcome === "broken" && killing.done !== null;
    }
  };
  const happen = async (bank: LiveBank) => {
    while (killing.done === null) {
      bank.doRandomAction();
      await bank.postCallbacks(base);
      await wait(BANK_ACTION_INTERVAL_MS);
    }
  };
  const workers = Array.from({ length: WORKERS }, (_, name) => worker(name));
  await Promise.all([...workers, ...banks.map(happen)]);
  await killing.done;
}

/** Without one of these a run would prove less than its test says. */
function hasEveryKind(journal: Journal, banks: LiveBank[]): boolean {
  const actions = ["pay", "pay with a due date", "callback lost"].map((action) =>
    banks.reduce((sum, { tally }) => sum + (tally.get(action) ?? 0), 0),
  );
  const acknowledged = journal.acknowledged();
  return [...NEEDED.map((kind) => acknowledged[kind]), ...actions].every((count) => count > 0);
}

/** A decision about a payment, refund or withdraw, sometimes; null if there is nothing to decide. */
async function decision(
  random: Random,
  journal: Journal,
  merchant: Merchant,
): Promise<Intent | null> {
  if (!random.chance(DECISIONS)) return null;
  const { companyId } = merchant;
  const waiting = await readWaiting(merchant);
  if (waiting === null) return null;
  const plan = { random, journal, companyId, postbackUrl: "", postbackShare: 0 };
  const planner = random.pick([
    DECISION_PLANS.return,
    DECISION_PLANS.refund_approve,
    DECISION_PLANS.refund_approve,
    DECISION_PLANS.refund_refuse,
    DECISION_PLANS.proposal_approve,
    DECISION_PLANS.proposal_approve,
    proposal,
    proposal,
  ])!;
  return planner(plan, waiting);
}

/** One operator proposes the return of a payment, or what became of what the bank says nothing about. */
function proposal(plan: Plan, { kept }: Waiting): Intent | null {
  const { random, journal, companyId } = plan;
  const outcome = random.chance(0.5) ? "done" : "failed";
  const isSilent = (one: { companyId: number; amount: number }) =>
    one.companyId === companyId && isSilentAbout(one.amount);
  const payout = random.pick(journal.withdraws.filter(isSilent).slice(-RECENT));
  const refund = random.pick(journal.openRefunds.filter(isSilent).slice(-RECENT));
  const payment = random.pick(kept.slice(0, RECENT));
  const choices: Parameters<typeof propose>[1][] = [];
  if (payout !== undefined) {
    choices.push({
      action: "payout.decide",
      target: `withdraw:${payout.id}`,
      request: { outcome },
    });
  }
  if (refund !== undefined) {
    choices.push({
      action: "operation.decide",
      target: `operation:${refund.id}`,
      request: { outcome },
    });
  }
  if (payment !== undefined) {
    choices.push({ action: "payment.decide", target: `payment:${payment}`, request: {} });
  }
  const choice = random.pick(choices);
  return choice === undefined ? null : propose(plan, choice);
}

function nextIntent(
  random: Random,
  journal: Journal,
  { psp }: LiveBank,
  companyId: number,
): Intent {
  const recent = [...journal.transactions.values()]
    .filter((seen) => seen.companyId === companyId)
    .slice(-RECENT);
  const isPaid = (id: string) => psp.book.cobs.get(id.replaceAll("-", ""))?.status === "CONCLUIDA";
  const roll = random.next();
  const paid = roll < 0.25 ? random.pick(recent.filter(({ id }) => isPaid(id))) : undefined;
  if (paid !== undefined) {
    const amount = sometimesSilent(random, random.int(1, Math.ceil(paid.amount / 2)));
    const whole = random.chance(0.3);
    return onTransaction(journal, companyId, "refund", paid.id, whole ? undefined : { amount });
  }
  if (roll >= 0.25 && roll < 0.5) return withdraw(random, journal, companyId);
  const unpaid = roll < 0.55 && roll >= 0.5 ? random.pick(recent) : undefined;
  if (unpaid !== undefined) return onTransaction(journal, companyId, "cancel", unpaid.id);
  return create(random, journal, companyId);
}

function create(random: Random, journal: Journal, companyId: number): Intent {
  const key = journal.newKey("create");
  return journal.addIntent({
    kind: "create",
    companyId,
    method: "POST",
    path: "/api/v1/transactions/create",
    body: {
      amount: random.int(AMOUNT_MIN, AMOUNT_MAX),
      paymentMethod: "PIX",
      ...(random.chance(DUE_DATE) ? { pix: duePix() } : {}),
      // The list shows this field, so that each transaction can be traced to its request.
      customer: {
        name: "Maria da Silva",
        document: { type: "CPF", number: "52998224725" },
        externalRef: key,
      },
    },
    key,
    subject: null,
  });
}

/** A `cobv` at the PSP, with texts for the payer. */
function duePix() {
  return {
    dueDate: saoPauloDay(Date.now() + DAY_MS),
    fine: { type: "FIXED", value: 100 },
    payerMessage: "Seu pedido?",
  };
}

function withdraw(random: Random, journal: Journal, companyId: number): Intent {
  const body = { pixKey: "quem.recebe@example.com", pixKeyType: "EMAIL" };
  return journal.addIntent({
    kind: "withdraw",
    companyId,
    method: "POST",
    path: "/api/Withdraw/request",
    body: { amount: sometimesSilent(random, random.int(WITHDRAW_MIN, WITHDRAW_MAX)), ...body },
    key: journal.newKey("withdraw"),
    subject: null,
  });
}

function sometimesSilent(random: Random, amount: number): number {
  return random.chance(SILENT) ? silentAmount(amount) : amount;
}

function onTransaction(
  journal: Journal,
  companyId: number,
  kind: "refund" | "cancel",
  id: string,
  body?: Record<string, unknown>,
): Intent {
  return journal.addIntent({
    kind,
    companyId,
    method: "POST",
    path: `/api/v1/transactions/${id}/${kind}`,
    body,
    key: journal.newKey(kind),
    subject: id,
  });
}
