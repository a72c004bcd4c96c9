import { beforeEach, expect, it } from "vitest";
import { REASON } from "../../../../support/builders/operations/decide.ts";
import {
  givenOperator,
  restoreLocalOperators,
} from "../../../../support/builders/companies/operator.ts";
import {
  accountsOf,
  pixAccount,
  putAccount,
} from "../../../../support/builders/providers/accounts.ts";
import {
  configurePixApi,
  givenPsp,
  pixApiPath,
  pixApiRequest,
  putPixApi,
} from "../../../../support/builders/providers/psp.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { call } from "../../../../support/builders/requests/api.ts";

const RECEIVER = { account: "12345678", accountType: "PAYMENT", branch: "0001" };
const INVALID = { status: 400, code: "VALIDATION_FAILED" };

beforeEach(restoreLocalOperators);

it("an account with a receiver takes automatic debits, and its PSP calls back about them", async () => {
  const world = await givenPsp({ receiver: RECEIVER });
  const { company, psp, configured, options } = world;
  expect(configured).toMatchObject({ receiver: RECEIVER, webhook: "registered" });
  const [account] = await accountsOf(company, world);
  expect(account.methods).toContain("AUTOMATIC_PIX");
  expect(account.settings.receiver).toEqual(RECEIVER);
  expect(Object.fromEntries(psp.book.automaticWebhooks)).toEqual({
    rec: configured.callbackUrl,
    cobr: configured.callbackUrl,
  });

  const { credentials } = await givenOperator("read");
  const path = `/api/v1/operator${pixApiPath(company)}`;
  const shown = await call(path, { ...options, company: { credentials } });
  expect(shown.body.receiver).toMatchObject({ accountType: "PAYMENT", branch: "0001" });
  expect(shown.text).not.toContain(RECEIVER.account);

  const moved = { ...RECEIVER, account: "99999999" };
  const request = pixApiRequest({ pixKey: configured.pixKey, receiver: moved, reason: REASON });
  const proposed = await putPixApi(company, request, world);
  expect(proposed.status, proposed.text).toBe(202);
});

it("a PSP without webhooks for automatic debits is said", async () => {
  const world = await givenPsp();
  const { company, psp, configured } = world;
  psp.faultAlways("proxy_404", /^PUT \/webhookrec$/);
  const request = pixApiRequest({ pixKey: configured.pixKey, receiver: RECEIVER, reason: REASON });
  const answer = await configurePixApi(company, request, world);
  expect(answer.body).toMatchObject({
    webhook: "failed",
    webhookFault: "The PSP did not answer.",
  });
});

it("automatic debits need a receiver that the central bank's API can name", async () => {
  const world = await givenPsp();
  const { company } = world;
  const methods = ["PIX", "AUTOMATIC_PIX"];
  const without = pixAccount({}, { methods, priority: 2, reason: REASON });
  const refused = await putAccount(company, "more", without, world);
  await expectProblem(refused, { ...INVALID, fields: ["methods"] });
  for (const receiver of [
    {},
    { ...RECEIVER, account: "" },
    { ...RECEIVER, account: "1".repeat(21) },
    { ...RECEIVER, accountType: "OTHER" },
    { ...RECEIVER, branch: "12345" },
    { ...RECEIVER, branch: "1a" },
  ]) {
    const body = pixAccount({ receiver }, { methods, priority: 2, reason: REASON });
    const answer = await putAccount(company, "more", body, world);
    expect(answer.status, answer.text).toBe(400);
    expect(Object.keys(answer.body.errors).join(" ")).toContain("settings.receiver.");
  }
});
