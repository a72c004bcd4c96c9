import type { Intent, Journal, Kind, KnownTransaction } from "../lib/journal.ts";
import { send, type Client } from "../lib/load.ts";
import { LOAD_MAX_MS } from "../lib/limits.ts";
import { Random } from "../lib/random.ts";
import { wait } from "../lib/wait.ts";
import { EFI_AMOUNT_TO, type LiveHouses } from "./live-houses.ts";

/** The company that sells at the houses. */
export const COMPANY_ID = 1;
/** A run without one of these would prove less than its test says. */
export const NEEDED: readonly Kind[] = ["create", "refund", "capture", "cancel"];
/** The same of what happens at the houses. */
export const NEEDED_ACTS = [
  "pay",
  "credit",
  "endRefund",
  "contest",
  "payPix",
  "endPixRefund",
  "notice lost",
];
const WORKERS = 5;
const KILL_AFTER_ACKS_MIN = 25;
const KILL_AFTER_ACKS_MAX = 100;
/** Far less than a request takes, so that the houses' people and the merchant meet. */
const ACT_INTERVAL_MS = 15;
/** Refunds of cards that their house has not credited yet: they wait for it. */
const EARLY_REFUNDS = 0.2;
const AMOUNT_MIN = 1_000;
const AMOUNT_MAX = 2 * EFI_AMOUNT_TO;
const METHODS = ["CREDIT_CARD", "CREDIT_CARD", "CREDIT_CARD", "BOLETO", "BOLETO", "PIX"] as const;
const CAPTURE_LATER = 0.3;
/** Only recent charges are used, so that requests collide. */
const RECENT = 30;
/** With all that both houses ask of a payer. */
const CUSTOMER = {
  name: "Maria da Silva",
  email: "maria@example.com",
  phone: "+55 11 98765-4321",
  document: { type: "CPF", number: "52998224725" },
};
const ADDRESS = {
  street: "Rua Augusta",
  streetNumber: "1500",
  neighborhood: "Consolação",
  zipCode: "01305-100",
  city: "São Paulo",
  state: "SP",
};

/** Requests of several workers while the houses act, until `kill` is called: once a run has all that it needs. */
export async function loadUntilKilled(
  client: Client,
  houses: LiveHouses,
  options: { seed: number; cycle: number },
  kill: () => Promise<void>,
): Promise<void> {
  const { journal } = client;
  const moment = new Random(options.seed, options.cycle, 0);
  const killAfterAcks = moment.int(KILL_AFTER_ACKS_MIN, KILL_AFTER_ACKS_MAX);
  const deadline = Date.now() + LOAD_MAX_MS;
  const killing: { done: Promise<void> | null } = { done: null };
  let acks = 0;
  const worker = async (name: number) => {
    const random = new Random(options.seed, options.cycle, name + 1);
    let broken = false;
    while (!broken) {
      const isEnough = acks >= killAfterAcks && hasEveryKind(journal, houses);
      if (isEnough || Date.now() > deadline) killing.done ??= kill();
      const intent = journal.nextUnanswered(Date.now()) ?? nextIntent(random, journal, houses);
      const outcome = await send(client, intent);
      if (outcome === "answered") acks += 1;
      broken = outcome === "broken" && killing.done !== null;
    }
  };
  const repeat = async (act: () => void | Promise<void>) => {
    while (killing.done === null) {
      await act();
      await wait(ACT_INTERVAL_MS);
    }
  };
  const workers = Array.from({ length: WORKERS }, (_, name) => worker(name));
  const happen = repeat(() => houses.doRandomAct());
  await Promise.all([...workers, happen, repeat(() => houses.postNotices())]);
  await killing.done;
}

function hasEveryKind(journal: Journal, { tally }: LiveHouses): boolean {
  const acknowledged = journal.acknowledged();
  const counts = [
    ...NEEDED.map((kind) => acknowledged[kind]),
    ...NEEDED_ACTS.map((act) => tally.get(act) ?? 0),
  ];
  return counts.every((count) => count > 0);
}

function nextIntent(random: Random, journal: Journal, houses: LiveHouses): Intent {
  const recent = [...journal.transactions.values()].slice(-RECENT);
  const oneOf = (isIt: (charge: KnownTransaction) => boolean) => random.pick(recent.filter(isIt));
  const roll = random.next();
  if (roll < 0.3) {
    const isEarly = random.chance(EARLY_REFUNDS);
    const paid = oneOf(
      (charge) => isRefundable(journal, charge) && (isEarly || houses.hasCredited(charge.id)),
    );
    const amount = paid === undefined ? 0 : random.int(1, Math.ceil(paid.amount / 2));
    if (paid !== undefined) return onCharge(journal, "refund", paid.id, { amount });
  }
  if (roll >= 0.3 && roll < 0.45) {
    const held = oneOf(({ status }) => status === "AUTHORIZED");
    if (held !== undefined) return onCharge(journal, "capture", held.id);
  }
  if (roll >= 0.45 && roll < 0.55) {
    const open = oneOf(({ status }) => status === "AUTHORIZED" || status === "WAITING_PAYMENT");
    if (open !== undefined) return onCharge(journal, "cancel", open.id);
  }
  return create(random, journal, houses);
}

/** A boleto is never refunded. Efí gives back once a day: a second refund would outlast the test. */
function isRefundable(
  journal: Journal,
  { id, paymentMethod, status, amount }: KnownTransaction,
): boolean {
  if (paymentMethod === "PIX") return true;
  if (paymentMethod !== "CREDIT_CARD" || status !== "PAID") return false;
  const isAtEfi = amount <= EFI_AMOUNT_TO;
  const asked = journal.of(COMPANY_ID, "refund").filter(({ subject }) => subject === id);
  return !isAtEfi || asked.length === 0;
}

function create(random: Random, journal: Journal, houses: LiveHouses): Intent {
  const key = journal.newKey("create");
  const amount = random.int(AMOUNT_MIN, AMOUNT_MAX);
  const isAtEfi = amount <= EFI_AMOUNT_TO;
  const paymentMethod = random.pick(METHODS) ?? "CREDIT_CARD";
  // Efí takes the money of a card at once.
  const capture = isAtEfi || !random.chance(CAPTURE_LATER);
  const account = isAtEfi ? "efi" : "pagarme";
  return journal.addIntent({
    kind: "create",
    companyId: COMPANY_ID,
    method: "POST",
    path: "/api/v1/transactions/create",
    body: {
      amount,
      paymentMethod,
      // The list shows this field, so that each charge can be traced to its request.
      customer: { ...CUSTOMER, externalRef: key },
      shipping: { address: ADDRESS },
      ...(paymentMethod === "CREDIT_CARD"
        ? { card: { token: houses.tokenFor(amount), account, capture } }
        : {}),
    },
    key,
    subject: null,
  });
}

function onCharge(
  journal: Journal,
  kind: "refund" | "capture" | "cancel",
  id: string,
  body?: Record<string, unknown>,
): Intent {
  return journal.addIntent({
    kind,
    companyId: COMPANY_ID,
    method: "POST",
    path: `/api/v1/transactions/${id}/${kind}`,
    body,
    key: journal.newKey(kind),
    subject: id,
  });
}
