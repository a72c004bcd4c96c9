import { saoPauloDay } from "../../../src/domain/shared/business-day.ts";
import { send, type Client } from "../lib/load.ts";
import type { Intent, Journal } from "../lib/journal.ts";
import { Random } from "../lib/random.ts";
import { assertDefined } from "../lib/required.ts";
import { wait } from "../lib/wait.ts";
import type { LiveBank } from "./live-bank.ts";

const WORKERS = 6;
const LOAD_MAX_MS = 45_000;
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
  const { journal, merchants } = client;
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
      const { companyId } = random.pick(merchants)!;
      const intent =
        journal.nextUnanswered(Date.now()) ??
        nextIntent(random, journal, assertDefined(banks[companyId - 1], "a bank"), companyId);
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
  const { create: creates, refund: refunds, withdraw: withdraws } = journal.acknowledged();
  return [creates, refunds, withdraws, ...actions].every((count) => count > 0);
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
    const amount = random.int(1, Math.ceil(paid.amount / 2));
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
    body: { amount: random.int(WITHDRAW_MIN, WITHDRAW_MAX), ...body },
    key: journal.newKey("withdraw"),
    subject: null,
  });
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
