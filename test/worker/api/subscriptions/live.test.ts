import { beforeEach, expect, it } from "vitest";
import {
  availableOf,
  chargesOf,
  givenDebit,
  givenLiveWorld,
  liveUntil,
  mandateOf,
  send,
  subscribe,
  subscriptionOf,
  txidOf,
} from "../../../support/builders/charges/live-subscriptions.ts";
import {
  AMOUNT,
  SUBSCRIPTION,
  SUBSCRIPTIONS,
} from "../../../support/builders/charges/subscriptions.ts";
import { restoreLocalOperators } from "../../../support/builders/companies/operator.ts";
import {
  deliverCallbacks,
  givenPsp,
  postCallback,
} from "../../../support/builders/providers/psp.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { storedCallbacks } from "../../../support/probes/providers/callbacks.ts";

beforeEach(restoreLocalOperators);

it("an approval is believed once the PSP itself says it", async () => {
  const world = await givenLiveWorld();
  const { psp, configured } = world;
  const { id, status, pix } = await subscribe(world);
  expect([status, pix.qrcode.includes("br.gov.bcb.pix")]).toEqual(["pending_approval", true]);
  const idRec = mandateOf(world);
  const forged = JSON.stringify({ recs: [{ idRec, status: "APROVADA" }] });
  expect((await postCallback(world, `${configured.callbackUrl}/rec`, forged)).status).toBe(200);
  expect((await subscriptionOf(world, id)).status).toBe("pending_approval");

  psp.mandates.approve(idRec);
  expect(await deliverCallbacks(world, (bodies) => [...bodies, ...bodies])).toEqual([200, 200]);
  expect((await subscriptionOf(world, id)).status).toBe("active");
  psp.mandates.cancelByPayer(idRec);
  expect(await deliverCallbacks(world)).toEqual([200]);
  expect((await subscriptionOf(world, id)).status).toBe("cancelled");
  expect(await storedCallbacks(world.company)).toEqual([]);
});

it("a debit that is paid is credited once, though the PSP tells it twice in each way", async () => {
  const world = await givenLiveWorld();
  const { id } = await givenDebit(world);
  await liveUntil(world, "2026-12-10T04:00:00");
  const kinds = world.psp.callbacks.map((body: any) => Object.keys(body)[0]);
  expect(new Set(kinds)).toEqual(new Set(["pix", "cobsr"]));
  const statuses = await deliverCallbacks(world, (bodies) => [
    ...bodies.toReversed(),
    ...bodies,
    ...bodies.toReversed(),
  ]);
  expect(new Set(statuses)).toEqual(new Set([200]));
  await liveUntil(world, "2026-12-10T12:00:00");

  expect(await chargesOf(world, id)).toMatchObject([
    { status: "paid", attempts: [{ kind: "due", status: "paid" }] },
  ]);
  expect(await availableOf(world)).toBe(AMOUNT);
  expect(await storedCallbacks(world.company)).toEqual([]);
});

it("a debit that the notice of the debit alone tells of is credited before it is answered", async () => {
  const world = await givenLiveWorld();
  const { transactionId } = await givenDebit(world);
  await liveUntil(world, "2026-12-10T02:00:00");
  world.clock.advance(2 * 3_600_000);
  world.psp.runBanks();
  await deliverCallbacks(world, (bodies) => bodies.filter((body: any) => body.cobsr !== undefined));
  expect(await availableOf(world)).toBe(AMOUNT);
  const { body } = await send(world, `/api/v1/transactions/${transactionId}`);
  expect(body.data.status).toBe("PAID");
});

it("a refusal is told with its reason by its notice, late or out of order", async () => {
  const world = await givenLiveWorld();
  const { id, transactionId } = await givenDebit(world);
  world.psp.debits.decide(txidOf(transactionId), "over_limit");
  world.clock.advance(Date.parse("2026-12-10T04:00:00-03:00") - world.clock.now());
  world.psp.runBanks();
  await deliverCallbacks(world, (bodies) => bodies.toReversed());
  const failed = { kind: "due", status: "failed", code: "PAYER_LIMIT" };
  expect(await chargesOf(world, id)).toMatchObject([{ status: "open", attempts: [failed] }]);
  expect(await availableOf(world)).toBe(0);
});

it("what is not ours, or not there, is answered 200, asked for once at most, and changes nothing", async () => {
  const world = await givenLiveWorld();
  const { psp, configured, company } = world;
  const { id } = await givenDebit(world);
  const before = await subscriptionOf(world, id);
  const foreign = psp.mandates.create({
    vinculo: { contrato: "clube-7", devedor: { cpf: "12345678909", nome: "Ana" } },
    calendario: { dataInicial: "2026-12-20", periodicidade: "MENSAL" },
    politicaRetentativa: "NAO_PERMITE",
  });
  const { idRec } = foreign.body as { idRec: string };
  const asked = psp.requests.length;
  const post = (kind: string, body: object) =>
    postCallback(world, `${configured.callbackUrl}/${kind}`, JSON.stringify(body));
  const other = `000009${"0".repeat(26)}`;
  for (const [kind, body] of [
    ["rec", { recs: [{ idRec, status: "APROVADA" }] }],
    ["cobr", { cobsr: [{ txid: other, status: "CONCLUIDA" }, { txid: "loja".repeat(8) }] }],
    ["cobr", {}],
    ["rec", {}],
  ] as const) {
    expect((await post(kind, body)).status).toBe(200);
  }
  expect(psp.requests.slice(asked).filter((each) => !each.includes("oauth"))).toEqual([
    `GET /rec/${idRec}`,
  ]);
  expect(await storedCallbacks(company)).toEqual([]);
  expect(await subscriptionOf(world, id)).toEqual(before);
});

it("a notice opens no door without its account's token", async () => {
  const world = await givenLiveWorld();
  const url = world.configured.callbackUrl.replace(/.$/, "!");
  for (const kind of ["rec", "cobr"]) {
    const answer = await postCallback(world, `${url}/${kind}`, JSON.stringify({ recs: [] }));
    expect(answer.status).toBe(404);
  }
});

it("a mandate whose order got no answer is known by its notice, and asked for no second time", async () => {
  const world = await givenLiveWorld();
  const { psp } = world;
  psp.faultOnce("reset", /^POST \/rec$/);
  const { id, pix } = await subscribe(world);
  expect(pix.qrcode).toBeNull();
  psp.mandates.approve(mandateOf(world));
  await deliverCallbacks(world);
  expect((await subscriptionOf(world, id)).status).toBe("active");
  await liveUntil(world, "2026-12-02T12:00:00");
  expect(psp.requests.filter((each) => each === "POST /rec")).toHaveLength(1);
});

it("a second mandate under our contract is never taken for the first", async () => {
  const world = await givenLiveWorld();
  const { psp } = world;
  const { id } = await subscribe(world);
  const [first] = psp.mandates.mandates.values();
  const { body } = psp.mandates.create({ ...first!.body, loc: undefined });
  psp.mandates.approve((body as { idRec: string }).idRec);
  await deliverCallbacks(world);
  expect((await subscriptionOf(world, id)).status).toBe("pending_approval");
});

it("only an account with automatic debits sells subscriptions", async () => {
  const world = await givenPsp();
  const refused = await send(world, SUBSCRIPTIONS, { ...SUBSCRIPTION });
  await expectProblem(refused, { status: 422, code: "PROVIDER_NOT_CONFIGURED" });
});

it("a code that is made long before its debit can be paid as long as its charge says", async () => {
  const world = await givenLiveWorld();
  const { psp } = world;
  const far = { period: "ANNUAL", firstDueDate: "2027-06-10" };
  const { id } = await subscribe(world, far);
  psp.mandates.approve(mandateOf(world));
  await deliverCallbacks(world);
  const opened = await send(world, `${SUBSCRIPTIONS}/${id}/charges`, { dueDate: far.firstDueDate });
  expect(opened.status, opened.text).toBe(201);
  psp.faultAlways("error_500", /^PUT \/cob\//);
  const path = `${SUBSCRIPTIONS}/${id}/charges/${opened.body.data.transactionId}/by-hand`;
  expect((await send(world, path, {})).status).toBe(503);
  const [cob] = psp.book.cobs.values();
  const { expiracao } = cob!.requestBody.calendario;
  psp.clearFaults();
  world.clock.advance(3_600_000);
  const made = await send(world, path, {});
  expect(made.status, made.text).toBe(201);

  const [again] = psp.book.cobs.values();
  expect(again!.revisao).toBeGreaterThan(0);
  expect(again!.requestBody.calendario.expiracao).toBe(expiracao);
  const payable = Date.parse(again!.criacao) + expiracao * 1_000;
  expect(payable).toBeGreaterThanOrEqual(Date.parse("2027-08-09T23:59:59-03:00"));
});
