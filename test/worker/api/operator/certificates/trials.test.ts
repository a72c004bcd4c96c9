import { beforeEach, expect, it } from "vitest";
import { createTransaction } from "../../../../support/builders/charges/transaction.ts";
import {
  callAsOperator,
  restoreLocalOperators,
} from "../../../../support/builders/companies/operator.ts";
import {
  ACCOUNT,
  givenTwoCertificates,
  nameCertificate,
  NEXT,
  PRESENT,
  runTrials,
  shownAccountOf,
  type CertificateWorld,
} from "../../../../support/builders/providers/certificate-trials.ts";
import { configurePixApi, pixApiRequest } from "../../../../support/builders/providers/psp.ts";
import { CRASH, withD1 } from "../../../../support/faults/faulty-env.ts";
import { auditEntriesOf } from "../../../../support/probes/database/audit-rows.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

beforeEach(restoreLocalOperators);

/** A company whose next certificate was swapped in. */
async function givenSwapped(): Promise<CertificateWorld> {
  const world = await givenTwoCertificates();
  await nameCertificate(world);
  for (let trial = 0; trial < 3; trial += 1) await runTrials(world);
  expect(await shownAccountOf(world)).toMatchObject({ settings: { certificate: NEXT } });
  return world;
}

async function trialOf(world: CertificateWorld) {
  const { settings, nextCertificate } = await shownAccountOf(world);
  return { certificate: settings.certificate, ...nextCertificate };
}

async function swapsIn(world: CertificateWorld) {
  const entries = await auditEntriesOf(world.company.id);
  return entries
    .filter(({ actor }) => actor.id === "try_certificates")
    .map(({ action, before, after }) => [action, before?.["certificate"], after?.["certificate"]]);
}

async function swapsInGatewayTrail({ company }: CertificateWorld) {
  const entries = await auditEntriesOf(0);
  return entries
    .filter(({ target }) => target.startsWith(`company:${company.id} provider:`))
    .filter(({ actor }) => actor.id === "try_certificates")
    .map(({ action }) => action);
}

it("swaps the next certificate in after three hourly trials in a row, and charges use it at once", async () => {
  const world = await givenTwoCertificates();
  await nameCertificate(world);
  for (const successes of [1, 2]) {
    await runTrials(world);
    expect(await trialOf(world)).toMatchObject({
      certificate: PRESENT,
      state: "trying",
      successes,
      result: "works",
      beside: "works",
    });
  }
  await runTrials(world);
  expect(await trialOf(world)).toMatchObject({
    certificate: NEXT,
    binding: NEXT,
    previous: PRESENT,
    state: "swapped",
  });
  expect(await swapsIn(world)).toEqual([["certificate.swap", PRESENT, NEXT]]);
  expect(await swapsInGatewayTrail(world)).toEqual(["certificate.swap"]);

  const [old, fresh] = [world.carried[PRESENT], world.carried[NEXT]];
  const charge = await createTransaction(world.company, {}, world.options);
  expect(charge.status, charge.text).toBe(200);
  expect(world.carried[PRESENT]).toBe(old);
  expect(world.carried[NEXT]).toBeGreaterThan(fresh);
});

it("a failed trial begins the row anew", async () => {
  const world = await givenTwoCertificates();
  await nameCertificate(world);
  await runTrials(world);
  await runTrials(world);
  world.handshakes[NEXT] = "refused";
  await runTrials(world);
  expect(await trialOf(world)).toMatchObject({ state: "trying", successes: 0, result: "refused" });
  world.handshakes[NEXT] = "taken";
  await runTrials(world);
  await runTrials(world);
  expect(await trialOf(world)).toMatchObject({ certificate: PRESENT, successes: 2 });
});

it("an hour in which the PSP answers neither says nothing of a certificate", async () => {
  const world = await givenTwoCertificates();
  await nameCertificate(world);
  await runTrials(world);
  Object.assign(world.handshakes, { [PRESENT]: "silent", [NEXT]: "silent" });
  await runTrials(world);
  expect(await trialOf(world)).toMatchObject({ certificate: PRESENT, successes: 1 });
});

it("swaps at once where the certificate in use fails and the next one works", async () => {
  const world = await givenTwoCertificates();
  await nameCertificate(world);
  world.handshakes[PRESENT] = "refused";
  await runTrials(world, 0);
  expect(await trialOf(world)).toMatchObject({
    certificate: NEXT,
    state: "swapped",
    beside: "refused",
  });
});

it("goes back at once from a new certificate that is refused, where the one before works", async () => {
  const world = await givenSwapped();
  world.handshakes[NEXT] = "refused";
  await runTrials(world, 5 * MINUTE_MS);
  expect(await trialOf(world)).toMatchObject({ certificate: PRESENT, state: "fell_back" });
  expect(await swapsIn(world)).toEqual([
    ["certificate.swap", PRESENT, NEXT],
    ["certificate.fall_back", NEXT, PRESENT],
  ]);
});

it("goes back from a new certificate that is silent twice in a row, where the one before works", async () => {
  const world = await givenSwapped();
  for (const handshake of ["silent", "taken", "silent"] as const) {
    world.handshakes[NEXT] = handshake;
    await runTrials(world, 5 * MINUTE_MS);
    expect(await trialOf(world)).toMatchObject({ certificate: NEXT, state: "swapped" });
  }
  await runTrials(world, 5 * MINUTE_MS);
  expect(await trialOf(world)).toMatchObject({ certificate: PRESENT, state: "fell_back" });
});

it("an hour of a silent PSP counts for no silence of the new certificate", async () => {
  const world = await givenSwapped();
  Object.assign(world.handshakes, { [PRESENT]: "silent", [NEXT]: "silent" });
  await runTrials(world, 5 * MINUTE_MS);
  world.handshakes[PRESENT] = "taken";
  await runTrials(world, 5 * MINUTE_MS);
  expect(await trialOf(world)).toMatchObject({ certificate: NEXT, state: "swapped" });
});

it("swaps a certificate that failed in again after a day of trials in a row", async () => {
  const world = await givenSwapped();
  world.handshakes[NEXT] = "refused";
  await runTrials(world, 5 * MINUTE_MS);
  expect(await trialOf(world)).toMatchObject({ successes: 0, successesNeeded: 24 });
  world.handshakes[NEXT] = "taken";
  for (let trial = 0; trial < 23; trial += 1) await runTrials(world);
  expect(await trialOf(world)).toMatchObject({ certificate: PRESENT, state: "fell_back" });
  await runTrials(world);
  expect(await trialOf(world)).toMatchObject({ certificate: NEXT, state: "swapped" });
  expect(await swapsIn(world)).toHaveLength(3);
});

it("a trial after a fall back ends where an operator connects another certificate", async () => {
  const world = await givenSwapped();
  world.handshakes[NEXT] = "refused";
  await runTrials(world, 5 * MINUTE_MS);
  const { pixKey } = world.configured;
  await configurePixApi(world.company, pixApiRequest({ pixKey, certificate: NEXT }), world);
  await runTrials(world);
  expect(await trialOf(world)).toEqual({ certificate: NEXT });
});

it("stays with the new certificate where the one before fails too", async () => {
  const world = await givenSwapped();
  Object.assign(world.handshakes, { [PRESENT]: "refused", [NEXT]: "refused" });
  await runTrials(world, 5 * MINUTE_MS);
  expect(await trialOf(world)).toMatchObject({ certificate: NEXT, state: "swapped" });
});

it("the swap is done after a day in which the new certificate worked", async () => {
  const world = await givenSwapped();
  await runTrials(world, DAY_MS - MINUTE_MS);
  expect(await trialOf(world)).toMatchObject({ state: "swapped" });
  await runTrials(world, 5 * MINUTE_MS);
  expect(await trialOf(world)).toMatchObject({ certificate: NEXT, state: "done", nextTryAt: null });
  world.handshakes[NEXT] = "refused";
  await runTrials(world, DAY_MS);
  expect(await trialOf(world)).toMatchObject({ certificate: NEXT, state: "done" });
});

it("says that the Worker lacks a certificate whose binding a deployment has removed", async () => {
  const world = await givenTwoCertificates();
  await nameCertificate(world);
  await runTrials({ ...world, env: Object.assign({}, world.env, { [NEXT]: undefined }) });
  expect(await trialOf(world)).toMatchObject({
    certificate: PRESENT,
    successes: 0,
    result: "no_binding",
    beside: "works",
  });
});

it.each([
  ["the audit trail", /^insert into "audit_entries"/i],
  ["the company's trail", /^insert into "audit_entries"/i, 2],
  ["the settings", /^update "psp_accounts"/i],
  ["the end of the certificate", /insert into "provider_accounts"/i],
  ["the trial", /^update "certificate_trials" set "state" = \?, "swapped_at"/i],
])(
  "a crash before %s is written is made good a minute later, and told once",
  async (_what, sql, nth = 1) => {
    const world = await givenTwoCertificates();
    await nameCertificate(world);
    world.handshakes[PRESENT] = "refused";
    let writes = 0;
    const crashing = withD1(world.env, async (label, run) => {
      if (sql.test(label) && ++writes === nth) throw new Error(CRASH);
      return run();
    });
    await runTrials({ ...world, env: crashing }, 0);
    expect(writes).toBe(nth);
    await runTrials(world, MINUTE_MS);
    expect(await trialOf(world)).toMatchObject({ certificate: NEXT, state: "swapped" });
    expect(await swapsIn(world)).toEqual([["certificate.swap", PRESENT, NEXT]]);
    expect(await swapsInGatewayTrail(world)).toEqual(["certificate.swap"]);
    const charge = await createTransaction(world.company, {}, world.options);
    expect(charge.status, charge.text).toBe(200);
  },
);

it("two runs at once ask and swap once", async () => {
  const world = await givenTwoCertificates();
  await nameCertificate(world);
  world.handshakes[PRESENT] = "refused";
  await Promise.all([runTrials(world, 0), runTrials(world, 0)]);
  expect(world.carried[NEXT]).toBe(1);
  expect(await swapsIn(world)).toEqual([["certificate.swap", PRESENT, NEXT]]);
});

it("a swap leaves its company to an operator who connects another certificate", async () => {
  const world = await givenSwapped();
  const { pixKey } = world.configured;
  await configurePixApi(world.company, pixApiRequest({ pixKey, certificate: PRESENT }), world);
  world.handshakes[PRESENT] = "refused";
  await runTrials(world, 5 * MINUTE_MS);
  expect(await trialOf(world)).toEqual({ certificate: PRESENT });
});

it("nothing is tried any more of an account that was disconnected", async () => {
  const world = await givenTwoCertificates();
  await nameCertificate(world);
  const path = `/companies/${world.company.id}/providers/${ACCOUNT}`;
  const removed = await callAsOperator(path, { ...world.options, method: "DELETE" });
  expect(removed.status, removed.text).toBe(200);
  const asked = world.carried[NEXT];
  await runTrials(world);
  await runTrials(world);
  expect(world.carried[NEXT]).toBe(asked);
  expect((await shownAccountOf(world)).nextCertificate).toBeNull();
});
