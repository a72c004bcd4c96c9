import { beforeAll, beforeEach, expect, it } from "vitest";
import { makeCertificateRequest } from "../../../../../tools/lib/certificates/request.ts";
import {
  callAsOperator,
  restoreLocalOperators,
} from "../../../../support/builders/companies/operator.ts";
import {
  accountPath,
  connectAccount,
  pagarmeAccount,
} from "../../../../support/builders/providers/accounts.ts";
import { CertificateAuthority } from "../../../../support/builders/providers/certificate-authority.ts";
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
import { CRASH, withD1 } from "../../../../support/faults/faulty-env.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";

const ROUTE = "/api/v1/operator/companies/{companyId}/providers/{account}/certificate";

let bank: CertificateAuthority;
let asked: { key: string; request: string };

beforeAll(async () => {
  bank = await CertificateAuthority.create("Banco de Teste");
  asked = await makeCertificateRequest({ commonName: "client-7" });
});
beforeEach(restoreLocalOperators);

function giveUp({ company, options }: CertificateWorld) {
  const path = `${accountPath(company, ACCOUNT)}/certificate`;
  return callAsOperator(path, { ...options, method: "DELETE" });
}

it("one operator names the next certificate, and its days left become the account's with the swap", async () => {
  const world = await givenTwoCertificates();
  const present = await nameCertificate(world, {
    binding: PRESENT,
    certificate: await bank.answer(asked.request, 20.5),
  });
  expect(present.status, present.text).toBe(200);
  expect(present.body.data).toMatchObject({ certificateDaysLeft: 20, nextCertificate: null });

  const named = await nameCertificate(world, {
    binding: NEXT,
    certificate: await bank.answer(asked.request, 400.5),
    request: asked.request,
  });
  expect(named.status, named.text).toBe(200);
  await expectDocumented(`PUT ${ROUTE}`, named);
  expect(named.body.data).toMatchObject({
    certificateDaysLeft: 20,
    settings: { certificate: PRESENT },
    nextCertificate: { binding: NEXT, state: "trying", result: null, daysLeft: 400 },
  });

  world.handshakes[PRESENT] = "refused";
  await runTrials(world, 0);
  expect(await shownAccountOf(world)).toMatchObject({ certificateDaysLeft: 400 });
  Object.assign(world.handshakes, { [PRESENT]: "taken", [NEXT]: "refused" });
  await runTrials(world, 300_000);
  expect(await shownAccountOf(world)).toMatchObject({
    certificateDaysLeft: 20,
    settings: { certificate: PRESENT },
  });
});

it("refuses what is no public part of a valid certificate, and stores nothing", async () => {
  const world = await givenTwoCertificates();
  const other = await makeCertificateRequest({ commonName: "client-7" });
  const certificate = await bank.answer(asked.request);
  const refused: [string, Record<string, unknown>][] = [
    ["binding", { binding: "NO_SUCH_BINDING" }],
    ["binding", { binding: "../PSP" }],
    ["certificate", { binding: NEXT, certificate: asked.key }],
    ["certificate", { binding: NEXT, certificate: `${asked.key}${certificate}` }],
    ["certificate", { binding: NEXT, certificate: "no certificate" }],
    ["certificate", { binding: NEXT, certificate: await bank.answer(asked.request, -1) }],
    ["certificate", { binding: NEXT, certificate, request: other.request }],
    ["request", { binding: NEXT, certificate, request: asked.key }],
    ["request", { binding: NEXT, certificate, request: certificate }],
    ["certificate", { binding: PRESENT }],
  ];
  for (const [field, body] of refused) {
    const answer = await nameCertificate(world, body);
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [field] });
    expect(answer.text).not.toContain("PRIVATE KEY");
  }
  expect(await shownAccountOf(world)).toMatchObject({
    nextCertificate: null,
    certificateDaysLeft: null,
  });
});

it("refuses an account that is not there, and one of a kind without certificates", async () => {
  const world = await givenTwoCertificates();
  await expectProblem(await nameCertificate(world, { binding: NEXT }, "other"), {
    status: 404,
    code: "NOT_FOUND",
  });
  await connectAccount(world.company, "cards", pagarmeAccount(), world);
  const answer = await nameCertificate(world, { binding: NEXT }, "cards");
  await expectProblem(answer, { status: 409, code: "INVALID_STATE" });
  expect(answer.body.reason).toBe("no_certificate");
});

it("a trial is given up, and another certificate begins anew", async () => {
  const world = await givenTwoCertificates();
  await expectProblem(await giveUp(world), { status: 404, code: "NOT_FOUND" });
  await nameCertificate(world);
  await runTrials(world);
  await nameCertificate(world);
  expect((await shownAccountOf(world)).nextCertificate).toMatchObject({ successes: 0 });
  const answer = await giveUp(world);
  expect(answer.status, answer.text).toBe(200);
  await expectDocumented(`DELETE ${ROUTE}`, answer);
  const carried = world.carried[NEXT];
  await runTrials(world);
  expect(world.carried[NEXT]).toBe(carried);
});

it("neither stops nor replaces a swap that is being written", async () => {
  const world = await givenTwoCertificates();
  await nameCertificate(world);
  world.handshakes[PRESENT] = "refused";
  const crashing = withD1(world.env, async (label, run) => {
    if (label.startsWith('insert into "audit_entries"')) throw new Error(CRASH);
    return run();
  });
  await runTrials({ ...world, env: crashing }, 0);
  expect((await shownAccountOf(world)).nextCertificate).toMatchObject({ state: "swapping" });
  await expectProblem(await giveUp(world), { status: 409, code: "INVALID_STATE" });
  await expectProblem(await nameCertificate(world), { status: 409, code: "INVALID_STATE" });
  expect((await shownAccountOf(world)).nextCertificate).toMatchObject({ state: "swapping" });
});
