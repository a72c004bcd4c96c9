import { beforeAll, describe, expect, it, vi } from "vitest";
import { readBack } from "../../../../src/api/provider-callbacks/service.ts";
import { findCompany } from "../../../../src/db/companies/companies.ts";
import { call } from "../../../support/builders/api.ts";
import { type TestCompany } from "../../../support/builders/company.ts";
import { meteredD1 } from "../../../support/probes/cost.ts";
import { runCron } from "../../../support/fakes/cron.ts";
import { withBrokenDatabase } from "../../../support/probes/database.ts";
import { expectDocumented } from "../../../support/probes/documented.ts";
import { accountsOf } from "../../../support/builders/ledger.ts";
import { operate } from "../../../support/builders/operator.ts";
import { expectProblem } from "../../../support/probes/problem.ts";
import {
  callBack,
  deliverCallbacks,
  givenPsp,
  keptCallbacks,
  type PspWorld,
} from "../../../support/fakes/psp.ts";
import { givenTransaction } from "../../../support/builders/transaction.ts";
import { requestWithdraw, runPayout } from "../../../support/builders/withdraw.ts";

const MINUTE_MS = 60_000;
const TOKEN_CHARS = 36;

const txidOf = ({ id }: { id: string }) => id.replaceAll("-", "");
const statusOf = async (company: TestCompany, { id }: { id: string }) =>
  (await call(`/api/Transaction/transactionByTransactionId/${id}`, { company })).body
    .enStatusTransaction;
const availableOf = async (company: TestCompany) => (await accountsOf(company))["available"];
const suspended = async (company: TestCompany) =>
  (await operate(`/companies/${company.id}/suspense`)).body.items;
const payoutIdOf = (psp: PspWorld["psp"]) => [...psp.book.envios.keys()][0]!;

/** A live company with money, from a PIX that was called back. */
async function givenPaidByPix(
  amount: number,
): Promise<PspWorld & { charge: any; paymentId: string }> {
  const world = await givenPsp();
  const charge = await givenTransaction(world.company, { amount }, world.options);
  const paymentId = world.psp.pay(txidOf(charge));
  await deliverCallbacks(world);
  return { ...world, charge, paymentId };
}

describe("a payment", () => {
  it("is read back before it is booked, and is kept no longer", async () => {
    const world = await givenPaidByPix(2_500);
    const { company, psp, charge } = world;
    expect(await statusOf(company, charge)).toBe("Paid");
    expect(await availableOf(company)).toBe(2_500);
    expect(psp.asked).toContain(`GET /cob/${txidOf(charge)}`);
    expect(await keptCallbacks(company)).toEqual([]);
  });

  it("is booked once, however often and in whatever order its callbacks come", async () => {
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
    expect(await keptCallbacks(company)).toEqual([]);
  });

  it("is booked before the PSP is answered, and costs no row of its own", async () => {
    const world = await givenPsp();
    const { company, psp, options, configured } = world;
    const charge = await givenTransaction(company, {}, options);
    psp.pay(txidOf(charge));
    const { env: metered, lap } = meteredD1((sql) => sql.includes("callbacks"));
    const [body] = psp.callbacks.splice(0);
    const counted = { options: { ...options, env: { ...world.env, DB: metered.DB } } };
    expect((await callBack(counted, configured.callbackUrl, JSON.stringify(body))).status).toBe(
      200,
    );
    expect(await statusOf(company, charge)).toBe("Paid");
    expect(lap()).toEqual({ read: 0, written: 0 });
  });

  it("that could be neither booked nor kept is told to the PSP, which sends it again", async () => {
    const world = await givenPsp();
    const { company, psp, options, configured } = world;
    const charge = await givenTransaction(company, {}, options);
    psp.pay(txidOf(charge));
    psp.next("unavailable", /^GET \/cob/);
    const broken = withBrokenDatabase("D1_ERROR: Network connection lost.", (sql) =>
      sql.includes("callbacks"),
    );
    const [body] = psp.callbacks.splice(0);
    const text = JSON.stringify(body);
    const failing = { options: { ...options, env: { ...world.env, DB: broken.DB } } };
    expect((await callBack(failing, configured.callbackUrl, text)).status).toBe(503);
    expect(await keptCallbacks(company)).toEqual([]);
    expect((await callBack(world, configured.callbackUrl, text)).status).toBe(200);
    expect(await statusOf(company, charge)).toBe("Paid");
    expect(await availableOf(company)).toBe(2_500);
  });

  it("that only a callback tells of is not believed", async () => {
    const world = await givenPsp();
    const { company, options, configured } = world;
    const charge = await givenTransaction(company, {}, options);
    const forged = { endToEndId: "E".repeat(32), txid: txidOf(charge), valor: "25.00" };
    const { status } = await callBack(world, configured.callbackUrl, pix(forged));
    expect(status).toBe(200);
    expect(await statusOf(company, charge)).toBe("Awaiting");
    expect(await keptCallbacks(company)).toEqual([
      { object_id: charge.id, body: JSON.stringify(forged), attempts: 0 },
    ]);
  });

  it("is read back by the cron where the PSP was silent at first", async () => {
    const world = await givenPsp();
    const { company, psp, options, deps, clock } = world;
    const charge = await givenTransaction(company, {}, options);
    psp.pay(txidOf(charge));
    psp.next("unavailable", /^GET \/cob/);
    await deliverCallbacks(world);
    expect(await statusOf(company, charge)).toBe("Awaiting");
    clock.advance(MINUTE_MS);
    await runCron(deps, world.env);
    expect(await statusOf(company, charge)).toBe("Paid");
    expect(await keptCallbacks(company)).toEqual([]);
  });

  it("for no charge is set aside, once", async () => {
    const world = await givenPsp();
    const { company, psp } = world;
    const paymentId = psp.payKey("12.34");
    await deliverCallbacks(world, (bodies) => [...bodies, ...bodies]);
    expect(await suspended(company)).toMatchObject([
      { paymentId, transactionId: null, amount: 1_234 },
    ]);
    expect(await keptCallbacks(company)).toEqual([]);
  });

  it("of a charge that was paid already is set aside, and taken back from nobody's money", async () => {
    const world = await givenPaidByPix(2_500);
    const { company, psp, charge, paymentId } = world;
    const second = psp.pay(txidOf(charge));
    psp.askBack(second, "med1", "25.00");
    psp.settleDevolucao(second, "med1", "DEVOLVIDO");
    await deliverCallbacks(world);
    expect(await availableOf(company)).toBe(2_500);
    expect(await statusOf(company, charge)).toBe("Paid");
    expect(await suspended(company)).toMatchObject([{ paymentId: second }]);

    psp.askBack(paymentId, "med2", "25.00");
    psp.settleDevolucao(paymentId, "med2", "DEVOLVIDO");
    await deliverCallbacks(world);
    expect(await statusOf(company, charge)).toBe("Refunded");
  });

  it("for a txid that is nobody's charge is set aside as well", async () => {
    const world = await givenPsp();
    const { company, psp, configured } = world;
    const paymentId = psp.payKey("5.00");
    psp.book.received[0]!.txid = "f".repeat(32);
    psp.callbacks.length = 0;
    await callBack(world, configured.callbackUrl, pix(psp.book.received[0]));
    expect(await suspended(company)).toMatchObject([{ paymentId, amount: 500 }]);
  });

  it("for another company's charge touches neither", async () => {
    const other = await givenPsp();
    const foreign = await givenTransaction(other.company, {}, other.options);
    const world = await givenPsp();
    const { company, psp, configured } = world;
    psp.payKey("25.00");
    psp.book.received[0]!.txid = txidOf(foreign);
    await callBack(world, configured.callbackUrl, pix(psp.book.received[0]));
    expect(await statusOf(other.company, foreign)).toBe("Awaiting");
    expect(await suspended(company)).toEqual([]);
    expect(await suspended(other.company)).toEqual([]);
  });
});

describe("a withdraw", () => {
  it("is paid or fails as the PSP says, when it calls back", async () => {
    const world = await givenPaidByPix(10_000);
    const { company, psp, options, deps } = world;
    const { body } = await requestWithdraw(company, { amount: 4_000 }, options);
    await runPayout(company, body.id, deps.providers(world.env));
    const forget = () =>
      operate(`/companies/${company.id}/providers/pix-api`, { ...options, method: "DELETE" });
    expect((await forget()).body.code).toBe("INVALID_STATE");
    psp.settlePayout(payoutIdOf(psp), "REALIZADO");
    await deliverCallbacks(world, (bodies) => [...bodies, ...bodies]);
    const found = await call(`/api/Withdraw/${body.id}`, { company });
    expect(found.body).toMatchObject({ enTransaction: "Paid", endToEndId: expect.any(String) });
    expect([...psp.book.paidOut.values()]).toEqual([1]);
    expect(await availableOf(company)).toBe(6_000);
    expect(await keptCallbacks(company)).toEqual([]);
    expect((await forget()).status).toBe(200);
  });

  it("that only a callback calls paid is not", async () => {
    const world = await givenPaidByPix(10_000);
    const { company, psp, options, deps, configured } = world;
    const { body } = await requestWithdraw(company, { amount: 4_000 }, options);
    await runPayout(company, body.id, deps.providers(world.env));
    const forged = { status: "REALIZADO", gnExtras: { idEnvio: payoutIdOf(psp) } };
    await callBack(world, configured.callbackUrl, pix(forged));
    const found = await call(`/api/Withdraw/${body.id}`, { company });
    expect(found.body.enTransaction).toBe("Processing");
  });
});

describe("a refund", () => {
  it("is done when the PSP calls back that it is", async () => {
    const world = await givenPaidByPix(2_500);
    const { company, psp, options, charge, paymentId, clock } = world;
    const path = `/api/v1/transactions/${charge.id}/refund`;
    const asked = await call(path, { ...options, company, method: "POST" });
    expect(asked.status).toBe(202);
    const [devolucao] = psp.book.pix(paymentId)!.devolucoes;
    psp.settleDevolucao(paymentId, devolucao.id, "DEVOLVIDO");
    clock.advance(MINUTE_MS);
    await deliverCallbacks(world);
    expect(await statusOf(company, charge)).toBe("Refunded");
    expect(await keptCallbacks(company)).toEqual([]);
  });
});

describe("a callback", () => {
  let world: PspWorld;

  beforeAll(async () => {
    world = await givenPsp();
  });

  it.each([
    ["nothing", "{}"],
    ["a test of the webhook", '{"evento":"teste_webhook"}'],
    ["another form", '{"pix":"none"}'],
    ["a list", "[]"],
    ["entries of no sense", '{"pix":[1,null,{},{"endToEndId":7},{"gnExtras":{"idEnvio":"x"}}]}'],
    ["what nobody knows", pix({ gnExtras: { idEnvio: "0".repeat(32) } })],
  ])("of %s is taken and does no harm", async (_what, body) => {
    const answer = await callBack(world, world.configured.callbackUrl, body);
    expect(answer).toEqual({ status: 200, body: { ok: true } });
    const suffixed = await callBack(world, `${world.configured.callbackUrl}/pix`, body);
    expect(suffixed.status).toBe(200);
  });

  it("is kept to 4 kB of each notice and 100 notices", async () => {
    const { psp, configured, company } = await givenPsp();
    const notices = Array.from({ length: 150 }, (_, index) => ({
      endToEndId: `E${String(index).padStart(31, "0")}`,
      info: "x".repeat(index === 0 ? 9_000 : 10),
    }));
    psp.always("unavailable");
    const { status } = await callBack(world, configured.callbackUrl, pix(...notices));
    expect(status).toBe(200);
    const kept = await keptCallbacks(company);
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

  it("FORBIDDEN: without a verified client certificate, where one is asked for", async () => {
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
      statuses.push((await callBack(careful, url, "{}", tlsClientAuth)).status);
    }
    expect(statuses).toEqual([200, 403, 403, 403, 403]);
  });

  it("about what never was is not read back for ever", async () => {
    const { company, options, env: environment, deps } = world;
    const { id } = await givenTransaction(company, {}, options);
    const neverWas = id.replace(/^./, (digit: string) => (digit === "0" ? "1" : "0"));
    const found = await findCompany(environment, company.id);
    for (const object of [neverWas, "payout:none", "operation:none", "payment:Enone"]) {
      expect(await readBack(environment, deps, found!, object), object).toBe("nothing");
    }
  });

  it("leaves its token out of the log", async () => {
    const lines = vi.spyOn(console, "log").mockImplementation(() => undefined);
    const url: string = world.configured.callbackUrl;
    await callBack(world, `${url}/pix`, pix({ endToEndId: "E7" }));
    const missed = [
      url.replace(/(?=[^/]+$)/, "/"),
      url.replace("/callbacks", "//callbacks"),
      url.replace("/callbacks", "/Callbacks"),
      url.replace("/pix-api", "/pix-api/pix"),
    ];
    for (const path of missed) expect((await callBack(world, path, "{}")).status).toBe(404);
    const logged = JSON.stringify(lines.mock.calls);
    lines.mockRestore();
    expect(logged).toContain("/callbacks/pix-api/{callbackToken}/pix");
    expect(logged).not.toContain(url.slice(-TOKEN_CHARS));
  });

  it("of a company whose PSP was forgotten leads nowhere", async () => {
    const { company, options, configured } = await givenPsp();
    await operate(`/companies/${company.id}/providers/pix-api`, { ...options, method: "DELETE" });
    expect((await callBack(world, configured.callbackUrl, "{}")).status).toBe(404);
  });
});

function pix(...notices: unknown[]): string {
  return JSON.stringify({ pix: notices });
}
