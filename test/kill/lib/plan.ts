import type { Intent, Journal, Kind, KnownTransaction } from "./journal.ts";
import { methodFields } from "./methods.ts";
import { DECISION_PLANS, READS_WAITING } from "./plan-decisions.ts";
import type { Plan, Planner } from "./planner.ts";
import type { Random } from "./random.ts";
import type { Waiting } from "./waiting.ts";

/** Weights of the kinds of request. */
const WEIGHTS: Record<Kind, number> = {
  create: 26,
  pay: 26,
  refund: 13,
  cancel: 5,
  capture: 6,
  dispute: 5,
  resolve: 5,
  chargeback: 2,
  withdraw: 13,
  withdraw_cancel: 4,
  transfer: 5,
  return: 5,
  credit: 3,
  withdraw_approve: 9,
  withdraw_refuse: 1,
  refund_approve: 9,
  refund_refuse: 2,
  proposal: 8,
  proposal_approve: 9,
  proposal_refuse: 1,
  settings: 1,
  freeze: 0,
};
/**
 * A payout is claimed within milliseconds; only a freeze during the request leaves a withdraw
 * that can be cancelled. The company thaws after a few requests.
 */
const FREEZE = 0.3;
const THAW = 0.2;
const CANCEL_WHILE_FROZEN = 0.5;

const AMOUNT_MIN = 2_000;
const AMOUNT_MAX = 60_000;
const WITHDRAW_MIN = 1_000;
const WITHDRAW_MAX = 6_000;
/** Only recent objects are used, so that requests collide. */
const RECENT = 40;

/** Kinds that a worker considers before it creates. */
const CHOICES = 3;

const NOTHING_WAITS: Waiting = { exits: [], kept: [] };

/**
 * A worker's next request; a create if no other is found. `read` tells what waits for a decision. Null if the
 * service does not tell.
 */
export async function nextIntent(
  plan: Plan,
  read: () => Promise<Waiting | null>,
): Promise<Intent | null> {
  for (let choice = 0; choice < CHOICES; choice++) {
    const kind = kindFor(plan);
    const waiting = READS_WAITING.has(kind) ? await read() : NOTHING_WAITS;
    if (waiting === null) return null;
    const planned = PLANS[kind](plan, waiting);
    if (planned !== null) return planned;
  }
  return create(plan);
}

const PLANS: Record<Kind, Planner> = {
  ...DECISION_PLANS,
  create,
  pay: (plan) => {
    const { random } = plan;
    // Mostly a first payment; sometimes a second or a late one.
    const wanted = random.chance(0.8)
      ? ["WAITING_PAYMENT"]
      : ["PAID", "CANCELLED", "REFUNDED", "WAITING_PAYMENT"];
    return sandbox(
      plan,
      "pay",
      recent(plan, (seen) => seen.paymentMethod !== "CREDIT_CARD" && wanted.includes(seen.status)),
    );
  },
  refund: (plan) => {
    const seen = recent(plan, (one) => one.status === "PAID" && one.requestedAmount < one.amount);
    if (seen === undefined) return null;
    const whole = seen.requestedAmount === 0 && plan.random.chance(0.4);
    const amount = plan.random.int(1, Math.ceil((seen.amount - seen.requestedAmount) / 2));
    seen.requestedAmount += whole ? seen.amount : amount;
    return onTransaction(plan, "refund", seen, whole ? undefined : { amount });
  },
  cancel: (plan) => {
    const seen = recent(
      plan,
      ({ status }) => status === "WAITING_PAYMENT" || status === "AUTHORIZED",
    );
    return seen === undefined ? null : onTransaction(plan, "cancel", seen, undefined);
  },
  capture: (plan) => {
    const seen = recent(plan, (one) => one.status === "AUTHORIZED");
    if (seen === undefined) return null;
    const whole = plan.random.chance(0.5);
    const amount = plan.random.int(1, seen.amount);
    return onTransaction(plan, "capture", seen, whole ? undefined : { amount });
  },
  dispute: (plan) => {
    const seen = recent(plan, (one) => one.status === "PAID" && !one.disputed);
    return sandbox(plan, "dispute", seen);
  },
  resolve: (plan) => {
    const seen = recent(plan, (one) => one.disputed && !one.resolveRequested);
    if (seen === undefined) return null;
    // One decision per transaction: two banks never decide the same dispute.
    seen.resolveRequested = true;
    const outcome = plan.random.chance(0.5) ? "won" : "lost";
    return sandboxIntent(plan, "resolve", seen, "dispute/resolve", { outcome });
  },
  chargeback: (plan) => {
    const seen = recent(
      plan,
      (one) => one.status === "PAID" && !one.disputed && !one.chargebackRequested,
    );
    if (seen === undefined) return null;
    // One per transaction: of two at once each would see the money that the other has taken.
    seen.chargebackRequested = true;
    return sandbox(plan, "chargeback", seen);
  },
  withdraw: ({ random, journal, companyId }) => {
    const amount = random.int(WITHDRAW_MIN, WITHDRAW_MAX);
    // The receiving bank rejects amounts that end in .99 and never decides .98: operators do.
    const ending = random.chance(0.1) ? 99 : random.chance(0.1) ? 98 : amount % 100;
    const steered = amount - (amount % 100) + ending;
    return journal.addIntent({
      kind: "withdraw",
      companyId,
      method: "POST",
      path: "/api/Withdraw/request",
      body: { amount: steered, pixKey: "quem.recebe@example.com", pixKeyType: "EMAIL" },
      key: journal.newKey("withdraw"),
      subject: null,
    });
  },
  withdraw_cancel: ({ random, journal, companyId }) => {
    const own = journal.withdraws.filter((one) => one.companyId === companyId).slice(-3);
    const seen = random.pick(own);
    if (seen === undefined) return null;
    return journal.addIntent({
      kind: "withdraw_cancel",
      companyId,
      method: "POST",
      path: `/api/Withdraw/${seen.id}/cancel`,
      body: undefined,
      key: journal.newKey("withdraw_cancel"),
      subject: seen.id,
    });
  },
  settings: ({ random, journal, companyId }) => {
    // One change at a time, so that the client knows the possible terms at any time.
    const busy = journal.of(companyId, "settings").some((intent) => intent.answeredAt === null);
    return busy ? null : settingsIntent(journal, companyId, random);
  },
  freeze: ({ journal, companyId }) => {
    const frozen = journal.isFrozen(companyId);
    return frozen === null ? null : freezeIntent(journal, companyId, !frozen);
  },
};

function kindFor({ random, journal, companyId }: Plan): Kind {
  const frozen = journal.isFrozen(companyId);
  if (frozen === true) {
    if (random.chance(THAW)) return "freeze";
    if (random.chance(CANCEL_WHILE_FROZEN)) return "withdraw_cancel";
  }
  const requested = journal.of(companyId, "withdraw").at(-1);
  if (frozen === false && requested?.sending === true && random.chance(FREEZE)) return "freeze";
  return weighted(random);
}

export function freezeIntent(journal: Journal, companyId: number, frozen: boolean): Intent {
  return journal.addIntent({
    kind: "freeze",
    companyId,
    method: "PUT",
    path: "/api/v1/sandbox/settings",
    body: { frozen },
    key: null,
    subject: null,
  });
}

export function settingsIntent(journal: Journal, companyId: number, random: Random): Intent {
  return journal.addIntent({
    kind: "settings",
    companyId,
    method: "PUT",
    path: "/api/v1/sandbox/settings",
    body: {
      fees: {
        PIX: { basisPoints: random.int(0, 300), fixed: random.int(0, 99) },
        BOLETO: { basisPoints: random.int(0, 100), fixed: random.int(0, 349) },
        CREDIT_CARD: { basisPoints: random.int(0, 499), fixed: random.int(0, 99) },
        WITHDRAW: { basisPoints: random.int(0, 100), fixed: random.int(0, 199) },
      },
      releaseDays: { PIX: 0 },
    },
    key: null,
    subject: null,
  });
}

function create({ random, journal, companyId, postbackUrl, postbackShare }: Plan): Intent {
  const key = journal.newKey("create");
  return journal.addIntent({
    kind: "create",
    companyId,
    method: "POST",
    path: "/api/v1/transactions/create",
    body: {
      amount: random.int(AMOUNT_MIN, AMOUNT_MAX),
      ...methodFields(random),
      // The list shows this field, so that each transaction can be traced to its request.
      customer: {
        name: "Maria da Silva",
        document: { type: "CPF", number: "52998224725" },
        externalRef: key,
      },
      ...(random.chance(postbackShare) ? { postbackUrl } : {}),
    },
    key,
    subject: null,
  });
}

function onTransaction(
  { journal, companyId }: Plan,
  kind: "refund" | "cancel" | "capture",
  seen: KnownTransaction,
  body: Record<string, unknown> | undefined,
): Intent {
  return journal.addIntent({
    kind,
    companyId,
    method: "POST",
    path: `/api/v1/transactions/${seen.id}/${kind}`,
    body,
    key: journal.newKey(kind),
    subject: seen.id,
  });
}

function sandbox(
  plan: Plan,
  kind: "pay" | "dispute" | "chargeback",
  seen: KnownTransaction | undefined,
): Intent | null {
  return seen === undefined ? null : sandboxIntent(plan, kind, seen, kind);
}

function sandboxIntent(
  { journal, companyId }: Plan,
  kind: Kind,
  seen: KnownTransaction,
  action: string,
  body?: Record<string, unknown>,
): Intent {
  return journal.addIntent({
    kind,
    companyId,
    method: "POST",
    path: `/api/v1/sandbox/transactions/${seen.id}/${action}`,
    body,
    key: null,
    subject: seen.id,
  });
}

function recent(
  { random, journal, companyId }: Plan,
  matches: (seen: KnownTransaction) => boolean,
): KnownTransaction | undefined {
  const fitting = [...journal.transactions.values()].filter(
    (seen) => seen.companyId === companyId && matches(seen),
  );
  return random.pick(fitting.slice(-RECENT));
}

function weighted(random: Random): Kind {
  const kinds = Object.entries(WEIGHTS) as [Kind, number][];
  let left = random.next() * kinds.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [kind, weight] of kinds) {
    left -= weight;
    if (left < 0) return kind;
  }
  return "create";
}
