import { SUBSCRIPTIONS } from "../../support/builders/charges/subscriptions.ts";
import { call } from "../../support/builders/requests/api.ts";
import type { LiveWorld } from "../../support/builders/providers/psp.ts";
import type { SubscriptionJourney } from "../../../src/domain/subscriptions/subscription.ts";
import { timeOf } from "./calendar.ts";
import { requestSubscription, type Asked, type SubscriptionsLife } from "./life.ts";

/** A part of a life: the clock comes to its time, the others act, and each subscription's process does its work. */
export interface Stage {
  name: string;
  /** A time in São Paulo; null where none passes. */
  at: { day: string; hour: number } | null;
  /** What payers and their banks do before. */
  others?: (life: SubscriptionsLife) => void;
  /** What the merchant asks for; the cron's work alone where it is left out. */
  ask?: (world: LiveWorld, asked: Asked) => Promise<void>;
}

/** A subscription's life that every process of it may die in. */
export interface KillLife {
  name: string;
  body: Record<string, unknown>;
  stages: Stage[];
}

const BODY = {
  customer: { name: "Maria da Conceição", document: { number: "12345678909" } },
  description: "Academia",
  amount: 4_990,
  period: "WEEKLY",
  retry: [1, 3],
};
const ACCOUNT = { ispb: "60701190", branch: "1234", account: "567890" };
const at = (day: string) => ({ day, hour: 9 });

const create: Stage = { name: "create", at: null, ask: requestSubscription };
const approve: Stage = { name: "approve", at: null, others: approveAll };
const order: Stage = { name: "order", at: at("2026-12-05") };

/**
 * Every step of a debit: ordered, not paid, tried again in vain, given up; paid; with a charge by hand, cancelled; ended
 * with its mandate.
 */
const DEBITED: Stage[] = [
  create,
  approve,
  order,
  { name: "fail", at: at("2026-12-11"), others: failAll },
  { name: "give up", at: at("2026-12-15") },
  { name: "pay", at: at("2026-12-17") },
  { name: "order the third", at: at("2026-12-19") },
  { name: "ask by hand", at: { day: "2026-12-19", hour: 15 }, ask: makeByHand },
  { name: "cancel the charge", at: at("2026-12-20"), ask: cancelNewestCharge },
  { name: "order the fourth", at: at("2026-12-26") },
  { name: "cancel", at: at("2026-12-27"), ask: cancel },
  { name: "end", at: at("2027-01-20") },
];

export const KILL_LIVES: KillLife[] = [
  debited("REQUEST", "2026-12-10"),
  debited("QR", "2026-12-10"),
  // The first of these is paid by the code.
  debited("QR_AND_PAY", "2026-12-03"),
  debited("QR_ON_DUE", "2026-12-03"),
  {
    name: "a life without an approval",
    body: { ...BODY, firstDueDate: "2026-12-10", journey: "REQUEST", payerAccount: ACCOUNT },
    stages: [
      create,
      { name: "expire", at: at("2026-12-11") },
      { name: "end", at: at("2026-12-20") },
    ],
  },
  {
    name: "a life that is dunned",
    body: {
      ...BODY,
      customer: { ...BODY.customer, email: "maria@example.com" },
      dunning: { link: "email", days: 3, then: "cancel" },
      firstDueDate: "2026-12-10",
      journey: "QR",
    },
    stages: [
      create,
      approve,
      order,
      { name: "fail", at: at("2026-12-11"), others: failAll },
      { name: "offer the link", at: at("2026-12-15") },
      { name: "dun in vain", at: at("2026-12-20") },
      { name: "end", at: at("2027-01-20") },
    ],
  },
  {
    name: "a life to its end",
    body: { ...BODY, firstDueDate: "2026-12-10", endDate: "2026-12-12", journey: "QR" },
    stages: [create, approve, order, { name: "complete", at: at("2026-12-11") }],
  },
];

function debited(journey: SubscriptionJourney, firstDueDate: string): KillLife {
  const account = journey === "REQUEST" ? { payerAccount: ACCOUNT } : {};
  const body = { ...BODY, firstDueDate, journey, ...account };
  return { name: `the life of ${journey}`, body, stages: DEBITED };
}

/** To the time of a stage; its others act first. */
export function comeTo(life: SubscriptionsLife, { at: time, others }: Stage): void {
  others?.(life);
  if (time === null) return;
  life.pass(timeOf(time.day, time.hour) - life.world.clock.now());
}

function approveAll({ psp }: SubscriptionsLife): void {
  for (const { idRec, status } of psp.mandates.mandates.values())
    if (status === "CRIADA") psp.mandates.approve(idRec);
  for (const [txid, { status }] of psp.book.cobs) if (status === "ATIVA") psp.pay(txid);
}

/** The first attempt and its retry. */
function failAll({ psp }: SubscriptionsLife): void {
  for (const { txid } of psp.debits.debits.values())
    psp.debits.decide(txid, "no_balance", "no_balance");
}

function makeByHand(world: LiveWorld, asked: Asked): Promise<void> {
  return askOfNewest(world, asked, "by-hand");
}

function cancelNewestCharge(world: LiveWorld, asked: Asked): Promise<void> {
  return askOfNewest(world, asked, "cancel");
}

async function askOfNewest(world: LiveWorld, { id }: Asked, action: string): Promise<void> {
  const path = `${SUBSCRIPTIONS}/${id}/charges`;
  const { body } = await call(path, world);
  const [{ transactionId }] = body.items;
  await call(`${path}/${transactionId}/${action}`, { ...world, method: "POST" });
}

async function cancel(world: LiveWorld, { id }: Asked): Promise<void> {
  await call(`${SUBSCRIPTIONS}/${id}/cancel`, { ...world, method: "POST" });
}
