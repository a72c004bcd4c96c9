import { beforeAll, describe, expect, it, vi } from "vitest";
import { refresh } from "../../../../src/api/provider-callbacks/service.ts";
import { findCompany } from "../../../../src/db/companies/companies.ts";
import { call } from "../../../support/builders/requests/api.ts";
import type { TestCompany } from "../../../support/builders/companies/company.ts";
import { meteredD1 } from "../../../support/probes/database/cost.ts";
import { runCron } from "../../../support/fakes/cron.ts";
import { withBrokenDatabase } from "../../../support/faults/broken-database.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { callAsOperator } from "../../../support/builders/companies/operator.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import {
  postCallback,
  deliverCallbacks,
  givenPsp,
  type PspSetup,
} from "../../../support/builders/providers/psp.ts";
import { storedCallbacks } from "../../../support/probes/providers/callbacks.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { requestWithdraw, runPayout } from "../../../support/builders/withdraws/withdraw.ts";
import { depsOfCompany } from "../../../../src/http/context.ts";

const MINUTE_MS = 60_000;
const TOKEN_CHARS = 36;

const txidOf = ({ id }: { id: string }) => id.replaceAll("-", "");
const statusOf = async (company: TestCompany, { id }: { id: string }) =>
  (await call(`/api/Transaction/transactionByTransactionId/${id}`, { company })).body
    .enStatusTransaction;
const availableOf = async (company: TestCompany) => (await accountsOf(company))["available"];
const inSuspense = async (company: TestCompany) =>
  (await callAsOperator(`/companies/${company.id}/suspense`)).body.items;
const payoutIdOf = (psp: PspSetup["psp"]) => [...psp.book.envios.keys()][0]!;

/** A live company with money from a PIX that was reported by callback. */
async function givenPaidByPix(
  amount: number,
): Promise<PspSetup & { charge: any; paymentId: string }> {
  const world = await givenPsp();
  const charge = await givenTransaction(world.company, { amount }, world.options);
  const paymentId = world.psp.pay(txidOf(charge));
  await deliverCallbacks(world);
  return { ...world, charge, paymentId };
}

describe("a payment", () => {
  it("is verified at the PSP before it is booked, and its callback is then deleted", async () => {
    const world = await givenPaidByPix(2_500);
    const { company, psp, charge } = world;
    expect(await statusOf(company, charge)).toBe("Paid");
    expect(await availableOf(company)).toBe(2_500);
    expect(psp.requests).toContain(`GET /cob/${txidOf(charge)}`);
    expect(await storedCallbacks(company)).toEqual([]);
  });

  it("is booked once for repeated and reordered callbacks", async () => {
    const world = await givenPsp();
    const { company, psp, options } = world;
    const charges = await Promise.all(
      [1_000, 2_000].map((amount) => givenTransaction(company, { amount }, options)),
    );
    for (const charge of charges) psp.pay(txidOf(charge));
    const statuses = await deliverCallbacks(world, (bodies) => [
      ...bodies.toReversed(),
      ...bodies,
      { pix: bodies.flatMap((body: any) => body.pix) },
    ]);
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
    expect(await availableOf(company)).toBe(3_000);
    expect(await storedCallbacks(company)).toEqual([]);
  });

  it("is booked before the callback is acknowledged, without a stored row", async () => {
    const world = await givenPsp();
    const { company, psp, options, configured } = world;
    const charge = await givenTransaction(company, {}, options);
    psp.pay(txidOf(charge));
    const { env: metered, lap } = meteredD1((sql) => sql.includes("callbacks"));
    const [body] = psp.callbacks.splice(0);
    const counted = { options: { ...options, env: { ...world.env, DB: metered.DB } } };
    expect((await postCallback(counted, configured.callbackUrl, JSON.stringify(body))).status).toBe(
      200,
    );
    expect(await statusOf(company, charge)).toBe("Paid");
    expect(lap()).toEqual({ read: 0, written: 0 });
  });

  it("that can be neither booked nor stored returns an error to the PSP, which retries", async () => {
    const world = await givenPsp();
    const { company, psp, options, configured } = world;
    const charge = await givenTransaction(company, {}, options);
    psp.pay(txidOf(charge));
    psp.faultOnce("unavailable", /^GET \/cob/);
    const broken = withBrokenDatabase("D1_ERROR: Network connection lost.", (sql) =>
      sql.includes("callbacks"),
    );
    const [body] = psp.callbacks.splice(0);
    const text = JSON.stringify(body);
    const failing = { options: { ...options, env: { ...world.env, DB: broken.DB } } };
    expect((await postCallback(failing, configured.callbackUrl, text)).status).toBe(503);
    expect(await storedCallbacks(company)).toEqual([]);
    expect((await postCallback(world, configured.callbackUrl, text)).status).toBe(200);
    expect(await statusOf(company, charge)).toBe("Paid");
    expect(await availableOf(company)).toBe(2_500);
  });

  it("that exists only in a callback is not booked", async () => {
    const world = await givenPsp();
    const { company, options, configured } = world;
    const charge = await givenTransaction(company, {}, options);
    const forged = { endToEndId: "E".repeat(32), txid: txidOf(charge), valor: "25.00" };
    const { status } = await postCallback(world, configured.callbackUrl, pix(forged));
    expect(status).toBe(200);
    expect(await statusOf(company, charge)).toBe("Awaiting");
    expect(await storedCallbacks(company)).toEqual([
      { object_id: charge.id, body: JSON.stringify(forged), attempts: 0 },
    ]);
  });

  it("is verified by the cron when the PSP did not respond at first", async () => {
    const world = await givenPsp();
    const { company, psp, options, deps, clock } = world;
    const charge = await givenTransaction(company, {}, options);
    psp.pay(txidOf(charge));
    psp.faultOnce("unavailable", /^GET \/cob/);
    await deliverCallbacks(world);
    expect(await statusOf(company, charge)).toBe("Awaiting");
    clock.advance(MINUTE_MS);
    await runCron(deps, world.env);
    expect(await statusOf(company, charge)).toBe("Paid");
    expect(await storedCallbacks(company)).toEqual([]);
  });

  it("for no charge is unexpected once", async () => {
    const world = await givenPsp();
    const { company, psp } = world;
    const paymentId = psp.payKey("12.34");
    await deliverCallbacks(world, (bodies) => [...bodies, ...bodies]);
    expect(await inSuspense(company)).toMatchObject([
      { paymentId, transactionId: null, amount: 1_234 },
    ]);
    expect(await storedCallbacks(company)).toEqual([]);
  });

  it("of a charge that is already paid is unexpected and debits nobody", async () => {
    const world = await givenPaidByPix(2_500);
    const { company, psp, charge, paymentId } = world;
    const second = psp.pay(txidOf(charge));
    psp.requestReturn(second, "med1", "25.00");
    psp.settleDevolucao(second, "med1", "DEVOLVIDO");
    await deliverCallbacks(world);
    expect(await availableOf(company)).toBe(2_500);
    expect(await statusOf(company, charge)).toBe("Paid");
    expect(await inSuspense(company)).toMatchObject([{ paymentId: second }]);

    psp.requestReturn(paymentId, "med2", "25.00");
    psp.settleDevolucao(paymentId, "med2", "DEVOLVIDO");
    await deliverCallbacks(world);
    expect(await statusOf(company, charge)).toBe("Refunded");
  });

  it("for an unknown txid is unexpected as well", async () => {
    const world = await givenPsp();
    const { company, psp, configured } = world;
    const paymentId = psp.payKey("5.00");
    psp.book.received[0]!.txid = "f".repeat(32);
    psp.callbacks.length = 0;
    await postCallback(world, configured.callbackUrl, pix(psp.book.received[0]));
    expect(await inSuspense(company)).toMatchObject([{ paymentId, amount: 500 }]);
  });

  it("for another company's charge changes neither company", async () => {
    const other = await givenPsp();
    const foreign = await givenTransaction(other.company, {}, other.options);
    const world = await givenPsp();
    const { company, psp, configured } = world;
    psp.payKey("25.00");
    psp.book.received[0]!.txid = txidOf(foreign);
    await postCallback(world, configured.callbackUrl, pix(psp.book.received[0]));
    expect(await statusOf(other.company, foreign)).toBe("Awaiting");
    expect(await inSuspense(company)).toEqual([]);
    expect(await inSuspense(other.company)).toEqual([]);
  });
});

describe("a withdraw", () => {
  it("is paid or failed according to the PSP after its callback", async () => {
    const world = await givenPaidByPix(10_000);
    const { company, psp, options, deps } = world;
    const { body } = await requestWithdraw(company, { amount: 4_000 }, options);
    await runPayout(company, body.id, deps.providers(world.env));
    const forget = () =>
      callAsOperator(`/companies/${company.id}/providers/pix-api`, {
        ...options,
        method: "DELETE",
      });
    expect((await forget()).body.code).toBe("INVALID_STATE");
    psp.settlePayout(payoutIdOf(psp), "REALIZADO");
    await deliverCallbacks(world, (bodies) => [...bodies, ...bodies]);
    const found = await call(`/api/Withdraw/${body.id}`, { company });
    expect(found.body).toMatchObject({ enTransaction: "Paid", endToEndId: expect.any(String) });
    expect([...psp.book.payoutCounts.values()]).toEqual([1]);
    expect(await availableOf(company)).toBe(6_000);
    expect(await storedCallbacks(company)).toEqual([]);
    expect((await forget()).status).toBe(200);
  });

  it("that only a callback reports as paid stays open", async () => {
    const world = await givenPaidByPix(10_000);
    const { company, psp, options, deps, configured } = world;
    const { body } = await requestWithdraw(company, { amount: 4_000 }, options);
    await runPayout(company, body.id, deps.providers(world.env));
    const forged = { status: "REALIZADO", gnExtras: { idEnvio: payoutIdOf(psp) } };
    await postCallback(world, configured.callbackUrl, pix(forged));
    const found = await call(`/api/Withdraw/${body.id}`, { company });
    expect(found.body.enTransaction).toBe("Processing");
  });
});

describe("a refund", () => {
  it("is done when the PSP reports it by callback", async () => {
    const world = await givenPaidByPix(2_500);
    const { company, psp, options, charge, paymentId, clock } = world;
    const path = `/api/v1/transactions/${charge.id}/refund`;
    const requested = await call(path, {
      ...options,
      company,
      method: "POST",
      headers: { "Idempotency-Key": crypto.randomUUID() },
    });
    expect(requested.status).toBe(202);
    const [devolucao] = psp.book.pix(paymentId)!.devolucoes;
    psp.settleDevolucao(paymentId, devolucao.id, "DEVOLVIDO");
    clock.advance(MINUTE_MS);
    await deliverCallbacks(world);
    expect(await statusOf(company, charge)).toBe("Refunded");
    expect(await storedCallbacks(company)).toEqual([]);
  });
});

describe("a callback", () => {
  let world: PspSetup;

  beforeAll(async () => {
    world = await givenPsp();
  });

  it.each([
    ["an empty object", "{}"],
    ["a webhook test", '{"evento":"teste_webhook"}'],
    ["another shape", '{"pix":"none"}'],
    ["a list", "[]"],
    ["malformed entries", '{"pix":[1,null,{},{"endToEndId":7},{"gnExtras":{"idEnvio":"x"}}]}'],
    ["an unknown payout", pix({ gnExtras: { idEnvio: "0".repeat(32) } })],
  ])("of %s is accepted and has no effect", async (_what, body) => {
    const answer = await postCallback(world, world.configured.callbackUrl, body);
    expect(answer).toEqual({ status: 200, body: { ok: true } });
    const suffixed = await postCallback(world, `${world.configured.callbackUrl}/pix`, body);
    expect(suffixed.status).toBe(200);
  });

  it("is stored with at most 100 notices of 4 kB each", async () => {
    const { psp, configured, company } = await givenPsp();
    const notices = Array.from({ length: 150 }, (_, index) => ({
      endToEndId: `E${String(index).padStart(31, "0")}`,
      info: "x".repeat(index === 0 ? 9_000 : 10),
    }));
    psp.faultAlways("unavailable");
    const { status } = await postCallback(world, configured.callbackUrl, pix(...notices));
    expect(status).toBe(200);
    const kept = await storedCallbacks(company);
    expect(kept).toHaveLength(100);
    expect(Math.max(...kept.map(({ body }) => body.length))).toBe(4_096);
  });

  it("MALFORMED_JSON and BODY_TOO_LARGE", async () => {
    const { configured, options } = world;
    const path = new URL(configured.callbackUrl).pathname;
    const post = (rawBody: string) => call(path, { ...options, method: "POST", rawBody });
    await expectProblem(await post("{"), { status: 400, code: "MALFORMED_JSON" });
    await expectProblem(await post("[".repeat(50)), { status: 400, code: "MALFORMED_JSON" });
    const large = JSON.stringify({ pix: "x".repeat(300_000) });
    await expectProblem(await post(large), { status: 413, code: "BODY_TOO_LARGE" });
    await expectDocumented("POST /callbacks/pix-api/{callbackToken}", await post("{}"));
  });

  it.each([
    ["another's", (token: string) => token.slice(0, -1) + (token.endsWith("A") ? "B" : "A")],
    ["of no company", (token: string) => `____${token.slice(4)}`],
    ["a shorter one", (token: string) => token.slice(1)],
    ["none", () => "x"],
  ])("NOT_FOUND: a token that is %s", async (_which, change) => {
    const { pathname } = new URL(world.configured.callbackUrl);
    const token = pathname.slice(-TOKEN_CHARS);
    for (const suffix of ["", "/pix"]) {
      const path = `${pathname.slice(0, -TOKEN_CHARS)}${change(token)}${suffix}`;
      const answer = await call(path, { ...world.options, method: "POST", body: {} });
      await expectProblem(answer, { status: 404, code: "NOT_FOUND" });
    }
  });

  it("FORBIDDEN: requires a verified client certificate when one is configured", async () => {
    const careful = await givenPsp({ requireClientCertificate: true });
    const url = careful.configured.callbackUrl;
    const verified = { certPresented: "1", certVerified: "SUCCESS", certRevoked: "0" };
    const statuses: number[] = [];
    for (const tlsClientAuth of [
      verified,
      { ...verified, certPresented: "0" },
      { ...verified, certVerified: "FAILED:expired" },
      { ...verified, certRevoked: "1" },
      undefined,
    ]) {
      statuses.push((await postCallback(careful, url, "{}", tlsClientAuth)).status);
    }
    expect(statuses).toEqual([200, 403, 403, 403, 403]);
  });

  it("about an unknown payment is not retried forever", async () => {
    const { company, options, env: environment, deps } = world;
    const { id } = await givenTransaction(company, {}, options);
    const neverWas = id.replace(/^./, (digit: string) => (digit === "0" ? "1" : "0"));
    const found = await findCompany(environment, company.id);
    const asked = depsOfCompany(deps, found!);
    const evidence = { report: null, account: world.configured.account };
    for (const object of [neverWas, "payout:none", "operation:none", "payment:Enone"]) {
      const outcome = await refresh(environment, asked, found!, object, evidence);
      expect(outcome, object).toBe("nothing");
    }
  });

  it("does not leak its token into the log", async () => {
    const lines = vi.spyOn(console, "log").mockImplementation(() => undefined);
    const url: string = world.configured.callbackUrl;
    await postCallback(world, `${url}/pix`, pix({ endToEndId: "E7" }));
    const missed = [
      url.replace(/(?=[^/]+$)/, "/"),
      url.replace("/callbacks", "//callbacks"),
      url.replace("/callbacks", "/Callbacks"),
      url.replace("/pix-api", "/pix-api/pix"),
    ];
    for (const path of missed) expect((await postCallback(world, path, "{}")).status).toBe(404);
    const logged = JSON.stringify(lines.mock.calls);
    lines.mockRestore();
    expect(logged).toContain("/callbacks/pix-api/{callbackToken}/pix");
    expect(logged).not.toContain(url.slice(-TOKEN_CHARS));
  });

  it("of a company whose PSP was disconnected is rejected", async () => {
    const { company, options, configured } = await givenPsp();
    await callAsOperator(`/companies/${company.id}/providers/pix-api`, {
      ...options,
      method: "DELETE",
    });
    expect((await postCallback(world, configured.callbackUrl, "{}")).status).toBe(404);
  });
});

function pix(...notices: unknown[]): string {
  return JSON.stringify({ pix: notices });
}
