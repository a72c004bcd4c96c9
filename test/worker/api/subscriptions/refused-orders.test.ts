import { beforeEach, expect, it } from "vitest";
import {
  chargesOf,
  givenDebit,
  givenLiveWorld,
  liveUntil,
  mandateOf,
  send,
  subscribe,
  txidOf,
} from "../../../support/builders/charges/live-subscriptions.ts";
import { inAccount, waitUntilDrained } from "../../../support/builders/companies/company.ts";
import { restoreLocalOperators } from "../../../support/builders/companies/operator.ts";
import { deliverCallbacks, type PspSetup } from "../../../support/builders/providers/psp.ts";
import { invalid } from "../../../support/fakes/fake-psp/automatic/mandate-book.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

beforeEach(restoreLocalOperators);

const SAID = "O campo recebedor.conta não pertence a Maria da Silva.";
const REASON = { code: "PROVIDER_REFUSED", action: "a_person" };
const refuse = () => invalid("CobROperacaoInvalida", SAID);

const findingsOf = (world: PspSetup) =>
  inAccount(world.company.id, (_account, { storage: { sql } }) =>
    sql
      .exec<{ status: string; said: string }>(
        "SELECT status, said FROM contradictions WHERE kind = 'debit_refused'",
      )
      .toArray(),
  );

/** A subscription that is approved, at a PSP that takes no order of a debit. */
async function givenRefusing(body: object = {}): Promise<{ world: PspSetup; id: string }> {
  const world = await givenLiveWorld();
  const { id } = await subscribe(world, body);
  world.psp.mandates.approve(mandateOf(world));
  await deliverCallbacks(world);
  world.psp.debits.put = refuse;
  await liveUntil(world, "2026-12-05T12:00:00");
  return { world, id };
}

it("an order that the PSP refuses is told at once, and no more once it is taken", async () => {
  const { world, id } = await givenRefusing();
  expect(await chargesOf(world, id)).toMatchObject([
    {
      status: "open",
      attempts: [],
      refusal: {
        ...REASON,
        at: "2026-12-05T15:00:00.000Z",
        providerMessage: expect.stringContaining(SAID),
      },
    },
  ]);
  const found = (await findingsOf(world)).map(({ said }) => JSON.parse(said));
  expect(found).toMatchObject([{ ...REASON, day: "2026-12-10" }]);
  expect(JSON.stringify(found)).not.toContain("Maria");

  await liveUntil(world, "2026-12-06T13:00:00");
  expect(await findingsOf(world)).toMatchObject([{ status: "open" }]);
  Reflect.deleteProperty(world.psp.debits, "put");
  await liveUntil(world, "2026-12-07T14:00:00");
  await deliverCallbacks(world);

  expect(await findingsOf(world)).toMatchObject([{ status: "decided" }]);
  expect(await chargesOf(world, id)).toMatchObject([
    { refusal: null, attempts: [{ status: "scheduled", code: null, providerMessage: null }] },
  ]);

  const [{ transactionId }] = await chargesOf(world, id);
  world.psp.debits.decide(txidOf(transactionId), "other_amount");
  await liveUntil(world, "2026-12-10T23:00:00");
  await deliverCallbacks(world);
  const open = (await findingsOf(world)).filter(({ status }) => status === "open");
  expect(open.map(({ said }) => JSON.parse(said))).toMatchObject([{ code: "AMOUNT_NOT_AGREED" }]);
});

it("an order that is refused to its end keeps what the PSP said, until the payer is erased", async () => {
  const { world, id } = await givenRefusing();
  for (const day of ["06", "07", "08"]) await liveUntil(world, `2026-12-${day}T13:00:00`);

  const [charge] = await chargesOf(world, id);
  expect(charge).toMatchObject({
    refusal: null,
    attempts: [
      { at: "2026-12-10", kind: "due", ...REASON, providerMessage: expect.stringContaining(SAID) },
    ],
  });
  expect(await findingsOf(world)).toMatchObject([{ status: "open" }]);
  const { body: payment } = await send(world, `/api/v1/transactions/${charge.transactionId}`);
  expect(payment.data.attempts).toMatchObject([REASON]);
  const events = await eventsOf(world.company);
  expect(events.map(({ type }) => type)).toContain("subscription.charge_attempt_failed");
  expect(JSON.stringify([events, payment.data.attempts])).not.toContain(SAID);

  await send(world, `/api/v1/subscriptions/${id}/cancel`, {});
  await liveUntil(world, "2026-12-09T13:00:00");
  await deliverCallbacks(world);
  await send(world, "/api/v1/payers/erase", { document: "12345678909" });
  await waitUntilDrained(world.company);

  const erased = await send(world, `/api/v1/subscriptions/${id}/charges`);
  expect(erased.body.items).toMatchObject([{ attempts: [{ ...REASON, providerMessage: null }] }]);
  expect(erased.text).not.toContain(SAID);
});

it("a refusal that is not the last one is erased with its payer as well", async () => {
  const { world, id } = await givenRefusing();
  await send(world, `/api/v1/subscriptions/${id}/cancel`, {});
  await liveUntil(world, "2026-12-06T13:00:00");
  await deliverCallbacks(world);
  await send(world, "/api/v1/payers/erase", { document: "12345678909" });
  await waitUntilDrained(world.company);
  const { text, body } = await send(world, `/api/v1/subscriptions/${id}/charges`);
  expect(body.items).toMatchObject([{ refusal: null }]);
  expect(text).not.toContain(SAID);
  expect(await findingsOf(world)).toMatchObject([{ status: "decided" }]);
  const kept = await inAccount(world.company.id, (_account, { storage: { sql } }) =>
    sql.exec("SELECT debit, attempts FROM subscription_cycles").toArray(),
  );
  expect(JSON.stringify(kept)).not.toContain(SAID);
});

it("a retry that the PSP refuses is told, and leaves the other days to the merchant", async () => {
  const world = await givenLiveWorld();
  const { id, transactionId } = await givenDebit(world, { retry: [1, 4] });
  world.psp.debits.decide(txidOf(transactionId), "no_balance");
  world.psp.debits.retry = refuse;
  await liveUntil(world, "2026-12-10T22:00:00");
  const refused = { at: "2026-12-11", kind: "retry", ...REASON };
  expect((await chargesOf(world, id))[0].attempts).toMatchObject([
    { code: "NO_BALANCE", providerMessage: null },
    { ...refused, providerMessage: expect.stringContaining(SAID) },
  ]);
  expect(await findingsOf(world)).toMatchObject([{ status: "open" }]);

  Reflect.deleteProperty(world.psp.debits, "retry");
  const retry = `/api/v1/subscriptions/${id}/charges/${transactionId}/retry`;
  expect((await send(world, retry, { date: "2026-12-14" })).status).toBe(200);
  await liveUntil(world, "2026-12-11T12:00:00");
  await deliverCallbacks(world);
  expect((await chargesOf(world, id))[0].attempts).toMatchObject([
    { code: "NO_BALANCE" },
    refused,
    { at: "2026-12-14", kind: "retry", status: "scheduled" },
  ]);
  expect(await findingsOf(world)).toMatchObject([{ status: "decided" }]);
});
