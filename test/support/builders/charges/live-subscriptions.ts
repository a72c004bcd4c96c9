import { expect } from "vitest";
import { runSubscription } from "../../../../src/api/subscriptions/tasks.ts";
import { TestClock } from "../../fakes/clock.ts";
import { PSP_RECEIVER } from "../../fakes/fake-psp/book.ts";
import { accountsOf } from "../../probes/ledger/ledger.ts";
import { waitUntilDrained } from "../companies/company.ts";
import { deliverCallbacks, givenPsp, type PspSetup } from "../providers/psp.ts";
import { call } from "../requests/api.ts";
import { SUBSCRIPTION, SUBSCRIPTIONS } from "./subscriptions.ts";

/** A live company whose PSP takes automatic debits, at a Tuesday noon in São Paulo. */
export function givenLiveWorld(overrides: Record<string, unknown> = {}): Promise<PspSetup> {
  const clock = new TestClock(Date.parse("2026-12-01T15:00:00Z"));
  return givenPsp({ receiver: PSP_RECEIVER, ...overrides }, clock);
}

export const txidOf = (id: string) => id.replaceAll("-", "");
export const availableOf = async ({ company }: PspSetup) =>
  (await accountsOf(company))["available"] ?? 0;

export function send({ company, options }: PspSetup, path: string, body?: object) {
  return call(path, {
    company,
    ...options,
    ...(body === undefined ? {} : { method: "POST", body }),
  });
}

export async function subscribe(world: PspSetup, body: object = {}): Promise<any> {
  const answer = await send(world, SUBSCRIPTIONS, { ...SUBSCRIPTION, ...body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
}

export const subscriptionOf = async (world: PspSetup, id: string) =>
  (await send(world, `${SUBSCRIPTIONS}/${id}`)).body.data;
export const chargesOf = async (world: PspSetup, id: string): Promise<any[]> =>
  (await send(world, `${SUBSCRIPTIONS}/${id}/charges`)).body.items;

export const mandateOf = ({ psp }: PspSetup) => [...psp.mandates.mandates.keys()].at(-1)!;

/** Moves the clock to an hour of a day in São Paulo; banks settle, and the object's due steps are done. */
export async function liveUntil(world: PspSetup, time: string): Promise<void> {
  const { clock, company, deps, env, psp } = world;
  clock.advance(Date.parse(`${time}-03:00`) - clock.now());
  psp.runBanks();
  await runSubscription(env, deps, company.id, 1);
  await waitUntilDrained(company);
}

/** A subscription that is approved, and told of. */
async function givenApproved(world: PspSetup, body: object = {}): Promise<any> {
  const { id } = await subscribe(world, body);
  world.psp.mandates.approve(mandateOf(world));
  await deliverCallbacks(world);
  return { id };
}

/** One with a debit at the payer's bank. */
export async function givenDebit(world: PspSetup, body: object = {}): Promise<any> {
  const { id } = await givenApproved(world, body);
  await liveUntil(world, "2026-12-05T12:00:00");
  await deliverCallbacks(world);
  const [charge] = await chargesOf(world, id);
  return { id, transactionId: charge.transactionId };
}
