import { describe, expect, it } from "vitest";
import { QUOTAS, type Quota } from "../../../src/domain/storage/quotas.ts";
import { settle } from "../../support/builders/charges/charge-commands.ts";
import {
  createTransaction,
  givenPaid,
  givenTransaction,
  pay,
} from "../../support/builders/charges/transaction.ts";
import { givenApplication } from "../../support/builders/companies/application.ts";
import {
  env,
  givenCompany,
  inAccount,
  type TestCompany,
} from "../../support/builders/companies/company.ts";
import { leaveOfChargeQuota, useUpObjectQuota } from "../../support/builders/companies/quotas.ts";
import { cancel, refund, simulate } from "../../support/builders/operations/refund.ts";
import { call } from "../../support/builders/requests/api.ts";
import { NUMBERS } from "../../support/builders/charges/card.ts";
import { requestWithdraw } from "../../support/builders/withdraws/withdraw.ts";
import { TestClock } from "../../support/fakes/clock.ts";
import { anyTime } from "../../support/probes/http/matchers.ts";
import { expectProblem } from "../../support/probes/http/problem.ts";

/** The problem of a quota that is used up until the day ends. */
function overQuota(quota: Quota) {
  const limit = QUOTAS[quota];
  return {
    status: 429,
    code: "QUOTA_EXCEEDED",
    extensions: { quota, limit, used: expect.any(Number), until: anyTime },
    retryAfter: true,
  };
}

const DAY_MS = 24 * 3_600_000;

function chargeRow(company: TestCompany) {
  return env.DB.prepare(
    `SELECT count(*) AS charges, max(day_charges) AS dayCharges, max(day_bytes) AS dayBytes
     FROM transactions WHERE company_id = ?`,
  )
    .bind(company.id)
    .first<{ charges: number; dayCharges: number; dayBytes: number }>();
}

describe.each(["chargesPerDay", "chargeBytesPerDay"] as const)("%s", (quota) => {
  it("refuses the next charge until the day ends, and names what is used", async () => {
    const company = await givenCompany();
    const clock = new TestClock();
    const first = await createTransaction(
      company,
      {},
      { key: "tx_first", deps: { platformClock: clock } },
    );
    await leaveOfChargeQuota(company, quota, 1);
    expect((await createTransaction(company, {}, { deps: { platformClock: clock } })).status).toBe(
      200,
    );

    const refused = await createTransaction(
      company,
      {},
      { key: "tx_3", deps: { platformClock: clock } },
    );

    await expectProblem(refused, overQuota(quota));
    expect(refused.body.used).toBeGreaterThanOrEqual(QUOTAS[quota]);
    const waitMs = Number(refused.headers.get("Retry-After")) * 1_000;
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(DAY_MS);
    expect(Date.parse(refused.body.until) - clock.now()).toBeLessThanOrEqual(waitMs);
    expect((await chargeRow(company))?.charges).toBe(2);
    const replayed = await createTransaction(
      company,
      {},
      { key: "tx_first", deps: { platformClock: clock } },
    );
    expect(replayed.body).toEqual(first.body);

    clock.advance(waitMs);
    const next = await createTransaction(
      company,
      {},
      { key: "tx_3", deps: { platformClock: clock } },
    );
    expect(next.status).toBe(200);
    expect(await chargeRow(company)).toMatchObject({ charges: 3 });
  });

  it("leaves other companies theirs, and is more for a company with a larger part", async () => {
    const [company, other] = [await givenCompany(), await givenCompany()];
    await givenTransaction(company);
    await leaveOfChargeQuota(company, quota, 0);
    expect((await createTransaction(company)).status).toBe(429);
    expect((await createTransaction(other)).status).toBe(200);
    await env.DB.prepare("UPDATE companies SET quota_percent = 200 WHERE id = ?")
      .bind(company.id)
      .run();
    expect((await createTransaction(company)).status).toBe(200);
  });
});

describe("openCharges", () => {
  it("counts charges that are neither paid nor ended, and refuses more", async () => {
    const company = await givenCompany();
    const charges = [];
    for (let each = 0; each < 4; each++) charges.push(await givenTransaction(company));
    await pay(company, charges[0].id);
    await cancel(company, charges[1].id);
    await simulate(company, charges[2].id, "expire");
    await refund(company, charges[0].id);
    const newest = `company_id = ?1 AND company_sequence =
      (SELECT max(company_sequence) FROM events WHERE company_id = ?1)`;
    expect(
      await env.DB.prepare(`SELECT ended_charges AS ended FROM events WHERE ${newest}`)
        .bind(company.id)
        .first("ended"),
    ).toBe(3);
    await env.DB.prepare(`UPDATE events SET ended_charges = 5 - ?2 WHERE ${newest}`)
      .bind(company.id, QUOTAS.openCharges)
      .run();
    expect((await createTransaction(company)).status).toBe(200);

    const refused = await createTransaction(company);

    const limit = QUOTAS.openCharges;
    await expectProblem(refused, {
      status: 429,
      code: "QUOTA_EXCEEDED",
      extensions: { quota: "openCharges", limit, used: limit },
    });
    expect(refused.headers.has("Retry-After")).toBe(false);
    await simulate(company, charges[3].id, "expire");
    const counted = await env.DB.prepare(
      `SELECT ended_charges AS ended FROM events WHERE ${newest}`,
    )
      .bind(company.id)
      .first("ended");
    expect(counted).toBe(4);
  });

  it("does not count what an object from before the count has ended", async () => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company);
    await pay(company, id);
    await env.DB.prepare("UPDATE events SET ended_charges = NULL WHERE company_id = ?")
      .bind(company.id)
      .run();
    await env.DB.prepare("UPDATE companies SET quota_percent = 1 WHERE id = ?")
      .bind(company.id)
      .run();
    expect((await createTransaction(company)).status).toBe(200);
  });
});

/** Requests that store something beside a charge, in a company with 50.00, a paid and an open charge. */
const WRITES: [what: string, send: (company: TestCompany, ids: Ids) => ReturnType<typeof call>][] =
  [
    ["a withdraw", (company) => requestWithdraw(company)],
    ["a refund", (company, { paid }) => refund(company, paid, 100)],
    ["a cancel", (company, { open }) => cancel(company, open)],
    ["a simulated payment", (company, { open }) => pay(company, open)],
    ["a simulated dispute", (company, { paid }) => simulate(company, paid, "dispute")],
    [
      "a payment without charge",
      (company) => post("/api/v1/sandbox/payments", company, { amount: 1 }),
    ],
    ["a card token", (company) => post("/api/v1/cards/tokens", company, CARD)],
    [
      "settings",
      (company) => put("/api/v1/company/settings", company, { duplicateWithdrawGuard: true }),
    ],
    ["sandbox settings", (company) => put("/api/v1/sandbox/settings", company, { frozen: false })],
    ["webhook chaos", (company) => put("/api/v1/sandbox/webhooks/chaos", company, { drop: 0.1 })],
    ["an endpoint", (company) => put("/api/v1/webhooks/endpoint", company, { url: "" })],
    ["a secret's rotation", (company) => post("/api/v1/webhooks/secret/rotate", company)],
    [
      "an application",
      (company) => post("/api/v1/applications", company, { name: "ERP", scopes: ["keys:write"] }),
    ],
    ["a key", (company) => post(`/api/v1/applications/${company.clientId}/keys`, company)],
    [
      "an allowed key",
      (company) => post("/api/v1/company/pix-keys", company, { pixKey: "maria@example.com" }),
    ],
    ["an export", (company) => post("/api/v1/payers/export", company, { document: "52998224725" })],
    [
      "a test event",
      (company) => post("/api/v1/webhooks/test", company, { url: "https://loja.example.com/" }),
    ],
    ["a resend", (company) => post("/api/v1/webhooks/deliveries/dlv_1_1_endpoint/resend", company)],
    [
      "a resend of a range",
      (company) =>
        post("/api/v1/webhooks/deliveries/resend", company, {
          from: "2026-11-01",
          to: "2026-11-02",
        }),
    ],
  ];

interface Ids {
  paid: string;
  open: string;
}

const CARD = {
  number: Object.values(NUMBERS)[0],
  holderName: "MARIA DA SILVA",
  expirationMonth: 12,
  expirationYear: 2_040,
  cvv: "123",
};

function post(path: string, company: TestCompany, body?: object) {
  return call(path, { method: "POST", company, ...(body === undefined ? {} : { body }) });
}

function put(path: string, company: TestCompany, body: object) {
  return call(path, { method: "PUT", company, body });
}

describe.each(["eventsPerDay", "eventBytesPerDay", "objectBytesPerDay"] as const)("%s", (quota) => {
  it.each(WRITES)("refuses %s", async (_what, send) => {
    const company = await givenCompany();
    const paid = (await givenPaid(company, 5_000)).id;
    const open = (await givenTransaction(company)).id;
    await useUpObjectQuota(company, quota);

    const refused = await send(company, { paid, open });

    await expectProblem(refused, overQuota(quota));
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
  });

  it("never refuses money, nor the replay of a withdraw", async () => {
    const company = await givenCompany({ balance: 5_000 });
    const withdraw = { headers: { "Idempotency-Key": "wd_1" } };
    const body = { amount: 1_000 };
    const send = () => call("/api/Withdraw/request", { company, body, ...withdraw });
    const first = await send();
    const open = await givenTransaction(company);
    await useUpObjectQuota(company, quota);
    expect((await settle(company, open)).kind).toBe("credited");
    const shown = await call(`/api/Transaction/transactionByTransactionId/${open.id}`, { company });
    expect(shown.body.enStatusTransaction).toBe("Paid");
    const replayed = await send();
    expect(replayed.status).toBe(201);
    expect(replayed.body).toEqual(first.body);
  });
});

async function databaseSize(): Promise<number> {
  return (await env.DB.prepare("SELECT 1").run()).meta.size_after;
}

it("counts at least what the largest charges take in the database", async () => {
  const company = await givenCompany();
  const wide = "\u{1F600}".repeat(127);
  const body = {
    externalRef: wide,
    metadata: "é".repeat(4_096),
    customer: { id: wide, name: "M".repeat(120), externalRef: wide, phone: wide },
    items: Array.from({ length: 4 }, () => ({ title: wide, unitPrice: 1, quantity: 1 })),
  };
  const before = await databaseSize();
  for (let each = 0; each < 40; each++) {
    await givenTransaction(company, body, {
      headers: { "Idempotency-Key": `tx_${each}`.padEnd(255, "x") },
    });
  }
  const row = await chargeRow(company);
  expect(row?.dayCharges).toBe(40);
  expect((await databaseSize()) - before).toBeLessThanOrEqual(row?.dayBytes ?? 0);
});

it("leaves a reserve, so that a stolen key can be revoked, and no more than that", async () => {
  const company = await givenCompany();
  const [stolen, other] = [await givenApplication(company), await givenApplication(company)];
  const revoke = ({ clientId }: TestCompany) =>
    call(`/api/v1/applications/${clientId}`, { method: "DELETE", company });
  await useUpObjectQuota(company, "eventBytesPerDay");
  expect((await revoke(stolen)).status).toBe(200);
  expect((await call("/api/v1/company/settings", { company: stolen })).status).toBe(401);

  await inAccount(company.id, (_, { storage }) => {
    storage.sql.exec("UPDATE company SET usage_bytes = ?", QUOTAS.eventBytesPerDay * 1.2);
  });
  const refused = await revoke(other);
  expect([refused.status, refused.body.code]).toEqual([429, "QUOTA_EXCEEDED"]);
});
