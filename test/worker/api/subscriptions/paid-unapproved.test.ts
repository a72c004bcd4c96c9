import { beforeEach, expect, it } from "vitest";
import { parseBrCode } from "../../../../src/methods/pix/br-code-parser.ts";
import {
  chargesOf,
  givenLiveWorld,
  liveUntil,
  mandateOf,
  send,
  subscribe,
  subscriptionOf,
  txidOf,
} from "../../../support/builders/charges/live-subscriptions.ts";
import { restoreLocalOperators } from "../../../support/builders/companies/operator.ts";
import { deliverCallbacks, type PspSetup } from "../../../support/builders/providers/psp.ts";

beforeEach(restoreLocalOperators);

/** The charge's location in a code, by which it asks for money; null for a code of the mandate alone. */
function chargeIn(code: string): string | null {
  const read = parseBrCode(code);
  if (!read.valid) throw new Error(read.reason);
  expect(read.content.recurrenceLocation).not.toBeNull();
  return read.content.location;
}

const readsOf = ({ psp }: PspSetup) =>
  psp.requests.filter((request) =>
    request.startsWith(`GET /rec/${mandateOf({ psp } as PspSetup)}`),
  );

it.each([
  ["QR_AND_PAY", { firstPayment: { amount: 1_000 } }],
  ["QR_ON_DUE", {}],
])("a payer of %s who paid first approves by a code that asks for no money", async (...given) => {
  const [journey, body] = given;
  const world = await givenLiveWorld();
  const { psp } = world;
  const { id, pix } = await subscribe(world, { journey, ...body });
  const [{ transactionId }] = await chargesOf(world, id);
  expect(chargeIn(pix.qrcode)).toContain(txidOf(transactionId));

  psp.pay(txidOf(transactionId));
  await deliverCallbacks(world);
  psp.requests.length = 0;
  await liveUntil(world, "2026-12-01T12:05:00");

  const unapproved = await subscriptionOf(world, id);
  expect(unapproved.status).toBe("pending_approval");
  expect(chargeIn(unapproved.pix.qrcode)).toBeNull();
  expect(await chargesOf(world, id)).toMatchObject([{ cycle: 1, status: "paid" }]);
  expect(readsOf(world)).not.toEqual([]);

  psp.mandates.approve(mandateOf(world), { journey: "JORNADA_2" });
  await deliverCallbacks(world);
  expect((await subscriptionOf(world, id)).status).toBe("active");
  expect(readsOf(world).filter((request) => request.includes("txid"))).toEqual([]);

  await liveUntil(world, "2027-01-07T12:00:00");
  await deliverCallbacks(world);
  const second = { cycle: 2, status: "open", attempts: [{ at: "2027-01-11" }] };
  expect((await chargesOf(world, id))[0]).toMatchObject(second);
  const unexpected = await send(world, "/api/v1/payments/unexpected");
  expect(unexpected.body.items).toEqual([]);
});
