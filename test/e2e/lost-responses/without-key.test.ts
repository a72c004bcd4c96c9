import { afterAll, beforeAll, expect, it } from "vitest";
import { LOCAL_APPROVER_KEY, LOCAL_OPERATOR_KEY } from "../../../tools/lib/local-operators.ts";
import { startLossyClient, type LossyClient } from "./lossy-client.ts";

const APPROVER = { "X-Client-Id": "approver", "X-API-Key": LOCAL_APPROVER_KEY };
const OPERATOR = { "X-Client-Id": "operator", "X-API-Key": LOCAL_OPERATOR_KEY };
/** An amount that ends in .98 stays Processing until a test simulates the receiving bank. */
const UNANSWERED_AMOUNT = 1_098;
const CARD = {
  number: "4242424242424242",
  holderName: "MARIA DA SILVA",
  expirationMonth: 12,
  expirationYear: 2035,
  cvv: "123",
};
const PROCESSING_MS = 20_000;
const POLL_MS = 100;

let client: LossyClient;

beforeAll(async () => {
  client = await startLossyClient();
});

afterAll(() => client.close());

it.each([
  ["the webhook URL", "/api/v1/webhooks/endpoint", { url: "http://localhost:9/hook" }],
  [
    "the company's settings",
    "/api/v1/company/settings",
    { duplicateWithdrawGuard: false, withdrawDailyLimit: 1_000_000 },
  ],
  [
    "the sandbox's terms",
    "/api/v1/sandbox/settings",
    { minimumWithdraw: 1_050, releaseDays: { PIX: 0, BOLETO: 2, CREDIT_CARD: 31 } },
  ],
])("%s can be put again after a lost response, with the same result", async (_what, path, body) => {
  const lost = await client.sendLosingResponse({ method: "PUT", path, body });
  expect(lost.status).toBe(200);
  const retried = await client.send({ method: "PUT", path, body });
  expect({ status: retried.status, body: retried.body }).toEqual({ status: 200, body: lost.body });
  const shown = await client.merchant.call("GET", path);
  expect(shown.body).toMatchObject(body);
});

it("a sandbox payment sent again after a lost response is a second payment in suspense", async () => {
  const id = await client.create(2_500);
  const changes = await client.changesBy(async () => {
    const lost = await client.sendLosingResponse(simulate(id, "pay"));
    expect(lost.body.data.status).toBe("PAID");
    const retried = await client.send(simulate(id, "pay"));
    expect(retried.body.data.status).toBe("PAID");
  });
  expect(changes).toMatchObject({
    available: 2_500,
    movements: ["charge_paid", "payment_suspended"],
  });
});

it("a card tokenized again after a lost response gives a second token; both can be charged, and nothing else changes", async () => {
  const path = "/api/v1/cards/tokens";
  const tokens: string[] = [];
  const changes = await client.changesBy(async () => {
    const lost = await client.sendLosingResponse({ method: "POST", path, body: CARD });
    expect(lost.status).toBe(201);
    const retried = await client.send({ method: "POST", path, body: CARD });
    expect(retried.status).toBe(201);
    tokens.push(lost.body.token, retried.body.token);
  });
  expect(changes).toMatchObject({ transactions: 0, credit: 0, movements: [] });
  expect(new Set(tokens).size).toBe(2);
  for (const token of tokens) {
    expect((await createCard({ token })).body.data.status).toBe("PAID");
  }
});

it("an authorized card that is paid again after a lost response is charged once", async () => {
  const created = await createCard({ ...CARD, capture: false });
  const { id } = created.body.data;
  const changes = await client.changesBy(async () => {
    const lost = await client.sendLosingResponse(simulate(id, "pay"));
    expect(lost.body.data.status).toBe("PAID");
    await expectRejected(simulate(id, "pay"));
  });
  expect(changes).toMatchObject({ credit: 2_500, movements: ["charge_paid"] });
});

it("a return of an unexpected payment, approved again after a lost response, is sent once", async () => {
  const id = await client.givenPaid(2_500);
  await client.merchant.pay(id);
  const list = "/api/v1/operator/companies/1/suspense";
  const inSuspense = await client.merchant.call("GET", list, undefined, OPERATOR);
  const payment = inSuspense.body.items.find((item: any) => item.transactionId === id);
  const proposed = await client.merchant.call(
    "POST",
    `${list}/${payment.paymentId}/return`,
    { reason: "The payer asked for it." },
    OPERATOR,
  );
  expect(proposed.status).toBe(202);
  const path = `/api/v1/operator/proposals/${proposed.body.data.id}/approve`;
  const body = { reason: "I have read it too." };
  const changes = await client.changesBy(async () => {
    const lost = await client.sendLosingResponse({
      method: "POST",
      path,
      body,
      headers: APPROVER,
    });
    expect(lost).toMatchObject({ status: 200, body: { data: { status: "approved" } } });
    const retried = await client.merchant.call("POST", path, body, APPROVER);
    expect({ status: retried.status, body: retried.body }).toEqual({
      status: 200,
      body: lost.body,
    });
  });
  expect(changes).toMatchObject({ available: 0, movements: ["suspense_returned"] });
});

it.each([
  ["fail", "FAILED"],
  ["expire", "CANCELLED"],
])("a sandbox charge moved to %s again after a lost response stays %s", async (what, status) => {
  const id = await client.create(2_500);
  const changes = await client.changesBy(async () => {
    const lost = await client.sendLosingResponse(simulate(id, what));
    expect(lost.body.data.status).toBe(status);
    const retried = await client.send(simulate(id, what));
    expect(retried.status).toBe(200);
    expect(retried.body).toEqual(lost.body);
  });
  expect(changes.movements).toEqual([]);
});

it("a dispute opened again after a lost response is rejected, and blocks the money once", async () => {
  const id = await client.givenPaid(2_500);
  const changes = await client.changesBy(async () => {
    const lost = await client.sendLosingResponse(simulate(id, "dispute"));
    expect(lost.body.data.dispute.status).toBe("OPEN");
    await expectRejected(simulate(id, "dispute"));
  });
  expect(changes).toMatchObject({ available: -2_500, credit: 0, movements: ["dispute_opened"] });
});

it.each([
  ["won", 2_500, 0, "dispute_won"],
  ["lost", 0, -2_500, "dispute_lost"],
])(
  "a dispute resolved as %s again after a lost response is rejected, and is decided once",
  async (outcome, available, credit, movement) => {
    const id = await client.givenPaid(2_500);
    await client.send(simulate(id, "dispute"));
    const request = { ...simulate(id, "dispute/resolve"), body: { outcome } };
    const changes = await client.changesBy(async () => {
      const lost = await client.sendLosingResponse(request);
      expect(lost.status).toBe(200);
      await expectRejected(request);
    });
    expect(changes).toMatchObject({ available, credit, movements: [movement] });
  },
);

it("a chargeback sent again after a lost response is rejected, and takes the money once", async () => {
  const id = await client.givenPaid(2_500);
  const changes = await client.changesBy(async () => {
    const lost = await client.sendLosingResponse(simulate(id, "chargeback"));
    expect(lost.body.data.status).toBe("REFUNDED");
    await expectRejected(simulate(id, "chargeback"));
  });
  expect(changes).toMatchObject({ available: -2_500, credit: -2_500, movements: ["chargeback"] });
});

it.each([
  ["pay", "Paid", 0, "withdraw_paid"],
  ["fail", "Failed", UNANSWERED_AMOUNT, "withdraw_failed"],
])(
  "a simulated %s of a withdraw, sent again after a lost response, leaves it %s and is booked once",
  async (what, status, available, movement) => {
    const id = await givenProcessing(`wd_${what}`);
    const request = { method: "POST" as const, path: `/api/v1/sandbox/withdraws/${id}/${what}` };
    const changes = await client.changesBy(async () => {
      const lost = await client.sendLosingResponse(request);
      expect(lost.body.enTransaction).toBe(status);
      const retried = await client.send(request);
      expect({ status: retried.status, body: retried.body }).toEqual({
        status: 200,
        body: lost.body,
      });
    });
    expect(changes).toMatchObject({ available, movements: [movement] });
  },
);

it("a withdraw returned again after a lost response is credited once", async () => {
  const id = await givenProcessing("wd_return");
  await client.send({ method: "POST", path: `/api/v1/sandbox/withdraws/${id}/pay` });
  const request = { method: "POST" as const, path: `/api/v1/sandbox/withdraws/${id}/return` };
  const changes = await client.changesBy(async () => {
    const lost = await client.sendLosingResponse(request);
    expect(lost.body.enTransaction).toBe("Returned");
    expect((await client.send(request)).status).toBe(200);
  });
  expect(changes).toMatchObject({ available: UNANSWERED_AMOUNT, movements: ["withdraw_returned"] });
});

function createCard(card: object) {
  const document = { type: "CPF", number: "52998224725" };
  const customer = { name: "Maria da Silva", document };
  const body = { amount: 2_500, paymentMethod: "CREDIT_CARD", customer, card };
  return client.send({ method: "POST", path: "/api/v1/transactions/create", body });
}

function simulate(transactionId: string, what: string) {
  return { method: "POST" as const, path: `/api/v1/sandbox/transactions/${transactionId}/${what}` };
}

async function expectRejected(request: Parameters<LossyClient["send"]>[0]): Promise<void> {
  const retried = await client.send(request);
  expect({ status: retried.status, code: retried.body.code }).toEqual({
    status: 409,
    code: "INVALID_STATE",
  });
}

/** Creates a withdraw that waits for the receiving bank. */
async function givenProcessing(key: string): Promise<number> {
  await client.givenPaid(5_000);
  const requested = await client.merchant.withdraw({ amount: UNANSWERED_AMOUNT }, key);
  expect(requested.status).toBe(201);
  const { id } = requested.body;
  const deadline = Date.now() + PROCESSING_MS;
  for (;;) {
    const seen = await client.merchant.call("GET", `/api/Withdraw/${id}`);
    if (seen.body.enTransaction === "Processing") return id;
    expect(Date.now(), "the payout was claimed in time").toBeLessThan(deadline);
    await new Promise((wake) => setTimeout(wake, POLL_MS));
  }
}
