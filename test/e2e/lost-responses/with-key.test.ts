import { afterAll, beforeAll, expect, it } from "vitest";
import { startLossyClient, type LossyClient } from "./lossy-client.ts";
import { sendHalf } from "./lossy-proxy.ts";

const LOJA = { "X-Client-Id": "app_local_loja", "X-API-Key": "sk_test_local_loja" };

const CREATE = "/api/v1/transactions/create";
const PAYER = { name: "Maria da Silva", document: { type: "CPF", number: "52998224725" } };
const CARD = {
  number: "4242424242424242",
  holderName: "MARIA DA SILVA",
  expirationMonth: 12,
  expirationYear: 2035,
  cvv: "123",
};
const WITHDRAW = "/api/Withdraw/request";

/** The acquirer of this card never responds. */
const SILENT = "4000000000000119";

let client: LossyClient;

beforeAll(async () => {
  client = await startLossyClient();
});

afterAll(() => client.close());

it("a create whose response was lost is replayed by its key and makes one transaction", async () => {
  const request = {
    method: "POST" as const,
    path: CREATE,
    body: { amount: 2_500, paymentMethod: "PIX" },
    key: "tx_lost",
  };
  const changes = await client.changesBy(async () => {
    const lost = await client.sendLosingResponse(request);
    expect(lost).toMatchObject({ status: 200, replayed: false });
    await expectReplay(request, lost);
  });
  expect(changes).toMatchObject({ transactions: 1, movements: [] });
});

it.each([
  ["a boleto", "WAITING_PAYMENT", [], { paymentMethod: "BOLETO" }],
  ["a card", "PAID", ["charge_paid"], cardFields(CARD)],
  ["a card to be captured", "AUTHORIZED", [], cardFields({ ...CARD, capture: false })],
  ["a declined card", "REFUSED", [], cardFields({ ...CARD, number: "4000000000009995" })],
  ["a silent acquirer", "WAITING_PAYMENT", [], cardFields({ ...CARD, number: SILENT })],
])(
  "a create of %s whose response was lost is done once",
  async (what, status, movements, fields) => {
    const body = { amount: 2_500, customer: PAYER, ...fields };
    const request = { method: "POST" as const, path: CREATE, body, key: what.replaceAll(" ", "_") };
    const changes = await client.changesBy(async () => {
      const lost = await client.sendLosingResponse(request);
      expect(lost).toMatchObject({ status: 200, replayed: false, body: { data: { status } } });
      await expectReplay(request, lost);
    });
    expect(changes).toMatchObject({ transactions: 1, movements });
  },
);

it.each([
  ["part", { amount: 1_000 }, 1_000],
  ["all", undefined, 2_500],
])("a capture of %s whose response was lost takes the money once", async (what, body, amount) => {
  const id = await givenAuthorized();
  const request = capture(id, body, `capture_${what}`);
  const changes = await client.changesBy(async () => {
    const lost = await client.sendLosingResponse(request);
    expect(lost.status).toBe(200);
    expect(lost.body.data).toMatchObject({ status: "PAID", paidAmount: amount });
    await expectReplay(request, lost);
  });
  expect(changes).toMatchObject({ available: 0, credit: amount, movements: ["charge_paid"] });
});

it("a capture sent again under another key after a lost response is rejected", async () => {
  const id = await givenAuthorized();
  const changes = await client.changesBy(async () => {
    await client.sendLosingResponse({ ...capture(id, { amount: 1_000 }), key: "capture_first" });
    const retried = await client.send({ ...capture(id, { amount: 1_000 }), key: "capture_second" });
    expect([retried.status, retried.body.code]).toEqual([409, "INVALID_STATE"]);
  });
  expect(changes).toMatchObject({ credit: 1_000, movements: ["charge_paid"] });
});

it("a replay whose response was lost is replayed again", async () => {
  const request = {
    method: "POST" as const,
    path: CREATE,
    body: { amount: 2_600, paymentMethod: "PIX" },
    key: "tx_lost_twice",
  };
  const changes = await client.changesBy(async () => {
    await client.sendLosingResponse(request);
    const lost = await client.sendLosingResponse(request);
    expect(lost).toMatchObject({ status: 200, replayed: true });
    await expectReplay(request, lost);
  });
  expect(changes.transactions).toBe(1);
});

it.each([
  ["part of a payment", { amount: 1_000 }, 1_000],
  ["a full payment", undefined, 2_500],
])("a refund of %s whose response was lost is done once", async (what, body, amount) => {
  const id = await client.givenPaid(2_500);
  const request = {
    method: "POST" as const,
    path: `/api/v1/transactions/${id}/refund`,
    ...(body === undefined ? {} : { body }),
    key: `refund_${what.replaceAll(" ", "_")}`,
  };
  const changes = await client.changesBy(async () => {
    const lost = await client.sendLosingResponse(request);
    expect(lost.status).toBe(200);
    expect(lost.body.data.refunds).toHaveLength(1);
    await expectReplay(request, lost);
  });
  expect(changes).toMatchObject({
    available: -amount,
    credit: -amount,
    movements: ["refund_requested", "refund_done"],
  });
});

it("a refund without a key is refused: a retry would be a second refund", async () => {
  const id = await client.givenPaid(2_500);
  const request = {
    method: "POST" as const,
    path: `/api/v1/transactions/${id}/refund`,
    body: { amount: 1_000 },
  };
  const changes = await client.changesBy(async () => {
    const { status, body } = await client.send(request);
    expect([status, body.code]).toEqual([400, "IDEMPOTENCY_KEY_REQUIRED"]);
  });
  expect(changes.movements).toEqual([]);
});

it.each([
  ["a PIX", () => client.create(2_500)],
  ["an authorized card", () => givenAuthorized()],
])(
  "a cancel of %s whose response was lost is done once and replayed by its key",
  async (what, given) => {
    const id = await given();
    const request = {
      method: "POST" as const,
      path: `/api/v1/transactions/${id}/cancel`,
      key: `cancel_${what.replaceAll(" ", "_")}`,
    };
    const changes = await client.changesBy(async () => {
      const lost = await client.sendLosingResponse(request);
      expect(lost.status).toBe(200);
      expect(lost.body.data.status).toBe("CANCELLED");
      await expectReplay(request, lost);
    });
    expect(changes).toMatchObject({ transactions: 0, movements: [] });
  },
);

it("a withdraw whose response was lost takes the money once and is replayed by its key", async () => {
  await client.givenPaid(5_000);
  const request = {
    method: "POST" as const,
    path: WITHDRAW,
    body: { amount: 2_000 },
    key: "wd_lost",
  };
  const changes = await client.changesBy(async () => {
    const lost = await client.sendLosingResponse(request);
    expect(lost).toMatchObject({ status: 201, replayed: false });
    await expectReplay(request, lost);
  });
  expect(changes).toMatchObject({ available: -2_000, withdraws: 1 });
  expect(changes.movements[0]).toBe("withdraw_requested");
});

it("a withdraw's cancel whose response was lost returns the money once", async () => {
  const id = await givenHeldWithdraw();
  const request = {
    method: "POST" as const,
    path: `/api/Withdraw/${id}/cancel`,
    key: "wd_cancel_lost",
  };
  const changes = await client.changesBy(async () => {
    const lost = await client.sendLosingResponse(request);
    expect(lost.status).toBe(200);
    expect(lost.body.enTransaction).toBe("Cancelled");
    await expectReplay(request, lost);
  });
  await freeze(false);
  expect(changes).toMatchObject({ available: 1_000, withdraws: 0 });
  expect(changes.movements).toEqual(["withdraw_cancelled"]);
});

it.each([
  ["create", CREATE, { amount: 2_500, paymentMethod: "PIX" }, 200],
  ["withdraw", WITHDRAW, { amount: 1_000 }, 201],
])(
  "a %s that is cut off in the middle of its body does nothing and leaves its key free",
  async (name, path, body, status) => {
    await client.givenPaid(5_000);
    const key = `half_${name}`;
    const cutOff = JSON.stringify({ ...body, amount: 1_234 });
    const changes = await client.changesBy(async () => {
      await sendHalf(
        client.base,
        path,
        { ...LOJA, "Content-Type": "application/json", "Idempotency-Key": key },
        cutOff,
      );
      // Another request under the same key would be a 409 if the first one had counted.
      const whole = await client.send({ method: "POST", path, body, key });
      expect(whole.status).toBe(status);
      expect(whole.headers.get("Idempotent-Replayed")).toBeNull();
    });
    expect(changes.transactions + changes.withdraws).toBe(1);
  },
);

it.each([
  ["refund", () => client.givenPaid(5_000), ["refund_requested", "refund_done"], -1_000],
  ["capture", () => givenAuthorized(), ["charge_paid"], 1_000],
])(
  "a %s that is cut off in the middle of its body does nothing and leaves its key free",
  async (what, given, movements, credit) => {
    const path = `/api/v1/transactions/${await given()}/${what}`;
    const key = `half_${what}`;
    const changes = await client.changesBy(async () => {
      await sendHalf(
        client.base,
        path,
        { ...LOJA, "Content-Type": "application/json", "Idempotency-Key": key },
        JSON.stringify({ amount: 1_234 }),
      );
      const whole = await client.send({ method: "POST", path, body: { amount: 1_000 }, key });
      expect(whole.status).toBe(200);
    });
    expect(changes).toMatchObject({ credit, movements });
  },
);

/** Expects the retry under the same key to equal the lost response and to be marked as a replay. */
async function expectReplay(
  request: Parameters<LossyClient["send"]>[0],
  lost: { status: number; body: unknown },
): Promise<void> {
  const retried = await client.send(request);
  expect({ status: retried.status, body: retried.body }).toEqual({
    status: lost.status,
    body: lost.body,
  });
  expect(retried.headers.get("Idempotent-Replayed")).toBe("true");
}

/** Creates an authorized card charge of 25.00; returns its transaction id. */
async function givenAuthorized(): Promise<string> {
  const body = { amount: 2_500, customer: PAYER, ...cardFields({ ...CARD, capture: false }) };
  const created = await client.send({ method: "POST", path: CREATE, body });
  expect(created.body.data.status).toBe("AUTHORIZED");
  return created.body.data.id;
}

function cardFields(card: object) {
  return { paymentMethod: "CREDIT_CARD", card };
}

function capture(id: string, body?: { amount: number }, key?: string) {
  const path = `/api/v1/transactions/${id}/capture`;
  return {
    method: "POST" as const,
    path,
    ...(body === undefined ? {} : { body }),
    ...(key === undefined ? {} : { key }),
  };
}

/**
 * A withdraw of 10.00 that stays Awaiting, because the company is frozen before the payout is
 * claimed.
 */
async function givenHeldWithdraw(): Promise<number> {
  await client.givenPaid(1_000);
  const { body } = await client.merchant.withdraw({ amount: 1_000 }, "wd_held");
  await freeze(true);
  const seen = await client.merchant.call("GET", `/api/Withdraw/${body.id}`);
  expect(seen.body.enTransaction).toBe("Awaiting");
  return body.id;
}

async function freeze(frozen: boolean): Promise<void> {
  const path = "/api/v1/sandbox/settings";
  const answer = await client.merchant.call("PUT", path, { frozen });
  expect(answer.body.frozen).toBe(frozen);
}
