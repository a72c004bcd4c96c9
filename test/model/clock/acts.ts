import * as fc from "fast-check";
import { BOLETO_REQUEST, CARD_REQUEST } from "../../support/builders/requests/full-request.ts";
import type { Answer } from "../../support/builders/requests/api.ts";
import { CREATE, WITHDRAW, type Shop } from "../../support/builders/companies/clocked-shop.ts";

const SECOND = 1_000;

/** Something that a shop, its payers or its banks do; what they do it to is picked by a number. */
type Act =
  | { kind: "pix"; amount: number; expiresInSeconds: number }
  | { kind: "boleto"; amount: number; expiresInDays: number }
  | { kind: "card"; amount: number; installments: number }
  | { kind: "payer"; amount: number }
  | { kind: ChargeAct; charge: number }
  | { kind: "withdraw"; amount: number }
  | { kind: WithdrawAct; withdraw: number }
  | { kind: "settings"; body: object }
  | { kind: "terms"; body: object }
  | { kind: "receiver"; status: number };

type ChargeAct = keyof typeof OF_CHARGE;
type WithdrawAct = keyof typeof OF_WITHDRAW;

const sandbox = (id: string, action: string) => `/api/v1/sandbox/transactions/${id}/${action}`;

/** What is done to a charge, be it allowed or not. */
const OF_CHARGE = {
  pay: (shop: Shop, id: string) => shop.send(sandbox(id, "pay")),
  refund: (shop: Shop, id: string) => shop.send(`/api/v1/transactions/${id}/refund`),
  "refund a part": (shop: Shop, id: string) =>
    shop.send(`/api/v1/transactions/${id}/refund`, { body: { amount: 700 } }),
  cancel: (shop: Shop, id: string) => shop.send(`/api/v1/transactions/${id}/cancel`),
  dispute: (shop: Shop, id: string) => shop.send(sandbox(id, "dispute")),
  win: (shop: Shop, id: string) =>
    shop.send(sandbox(id, "dispute/resolve"), { body: { outcome: "won" } }),
  lose: (shop: Shop, id: string) =>
    shop.send(sandbox(id, "dispute/resolve"), { body: { outcome: "lost" } }),
  "charge back": (shop: Shop, id: string) => shop.send(sandbox(id, "chargeback")),
};

const OF_WITHDRAW = {
  approve: (shop: Shop, id: number) =>
    shop.send(`/api/Withdraw/${id}/approve`, { as: shop.approver }),
  "take back": (shop: Shop, id: number) => shop.send(`/api/Withdraw/${id}/cancel`),
  "send back": (shop: Shop, id: number) => shop.send(`/api/v1/sandbox/withdraws/${id}/return`),
};

const amount = fc.integer({ min: 1_000, max: 60_000 });
const some = fc.nat(30);

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("pix" as const),
      amount,
      expiresInSeconds: fc.constantFrom(60, 3_600, 86_400, 30 * 86_400),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("boleto" as const),
      amount,
      expiresInDays: fc.constantFrom(1, 3, 30),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("card" as const),
      amount,
      installments: fc.constantFrom(1, 1, 3, 12),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("payer" as const), amount }) },
  {
    weight: 9,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        "pay" as const,
        "pay",
        "pay",
        ...(Object.keys(OF_CHARGE) as ChargeAct[]),
      ),
      charge: some,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("withdraw" as const), amount }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom(...(Object.keys(OF_WITHDRAW) as WithdrawAct[])),
      withdraw: some,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("settings" as const),
      body: fc.constantFrom(
        { withdrawApprovalAbove: 2_000 },
        { withdrawApprovalAbove: null },
        { withdrawDailyLimit: 30_000 },
        { withdrawDailyLimit: null },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("terms" as const),
      body: fc.constantFrom(
        { releaseDays: { PIX: 1 } },
        { releaseDays: { BOLETO: 2, CREDIT_CARD: 30 } },
        { frozen: true },
        { frozen: false },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("receiver" as const),
      status: fc.constantFrom(204, 204, 500, 410),
    }),
  },
);

/** A wait and how finely it is lived. */
const wait = fc.record({
  seconds: fc.oneof(
    fc.constantFrom(1, 40, 3_600, 86_400, 3 * 86_400, 31 * 86_400),
    fc.integer({ min: 1, max: 40 * 86_400 }),
  ),
  steps: fc.integer({ min: 2, max: 6 }),
});

/** Acts and the waits after them. */
export const lives = fc.array(
  fc.record({ acts: fc.array(act, { minLength: 1, maxLength: 6 }), wait }),
  {
    minLength: 2,
    maxLength: 8,
    size: "max",
  },
);
export type Life = typeof lives extends fc.Arbitrary<infer Value> ? Value : never;

/** Does what an act says. Returns the status of the answer; 0 where there is nothing to do it to. */
export async function perform(shop: Shop, each: Act): Promise<number> {
  return (await answerTo(shop, each))?.status ?? 0;
}

function answerTo(shop: Shop, each: Act): Promise<Answer> | null {
  if ("charge" in each)
    return ofPicked(shop.charges, each.charge, (id) => OF_CHARGE[each.kind](shop, id));
  if ("withdraw" in each)
    return ofPicked(shop.withdraws, each.withdraw, (id) => OF_WITHDRAW[each.kind](shop, id));
  switch (each.kind) {
    case "pix": {
      const { amount: asked, expiresInSeconds } = each;
      return shop.send(CREATE, {
        body: { paymentMethod: "PIX", amount: asked, pix: { expiresInSeconds } },
      });
    }
    case "boleto": {
      const { amount: asked, expiresInDays } = each;
      return shop.send(CREATE, {
        body: { ...BOLETO_REQUEST, amount: asked, boleto: { expiresInDays } },
      });
    }
    case "card": {
      const { amount: asked, installments } = each;
      return shop.send(CREATE, { body: { ...CARD_REQUEST, amount: asked, installments } });
    }
    case "payer":
      return shop.send("/api/v1/sandbox/payments", { body: { amount: each.amount } });
    case "withdraw":
      return shop.send(WITHDRAW, { body: { amount: each.amount } });
    case "settings":
      return shop.send("/api/v1/company/settings", { method: "PUT", body: each.body });
    case "terms":
      return shop.send("/api/v1/sandbox/settings", { method: "PUT", body: each.body });
    case "receiver":
      shop.sink.respondWith(each.status);
      return null;
  }
}

function ofPicked<Id>(ids: Id[], number: number, run: (id: Id) => Promise<Answer>) {
  const id = ids[number % Math.max(ids.length, 1)];
  return id === undefined ? null : run(id);
}

/** The parts of a wait, in milliseconds: unequal, so that they end anywhere. */
export function stepsOf({ seconds, steps }: Life[number]["wait"]): number[] {
  const ends = Array.from({ length: steps }, (_, index) =>
    Math.floor(seconds * ((index + 1) / steps) ** 2),
  );
  return ends.map((end, index) => (end - (ends[index - 1] ?? 0)) * SECOND).filter((ms) => ms > 0);
}
