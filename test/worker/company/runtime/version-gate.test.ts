import { decisionOf } from "../../../support/builders/operations/decide.ts";
import { describe, expect, it } from "vitest";
import { callCompany } from "../../../../src/company-client/stub.ts";
import { withdrawCommand } from "../../../support/builders/withdraws/withdraw-commands.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { costInObject } from "../../../support/probes/database/cost.ts";
import { expectNoSideEffects } from "../../../support/probes/ledger/footprint.ts";
import { evict } from "../../../support/faults/object.ts";
import {
  givenSettled,
  captureOrCancelCommand,
  refundCommand,
} from "../../../support/builders/operations/object-operations.ts";

const stale = (newest: number) => ({ kind: "version_conflict", newest });
const on =
  (company: TestCompany) =>
  <Answer>(call: Parameters<typeof callCompany<Answer>>[2]) =>
    callCompany(env, company.id, call);
const advanceVersion = (company: TestCompany, version: number) =>
  on(company)((account) => account.invalidateCredentials(version));
const disconnectProvider = (company: TestCompany, credentialsVersion: number) =>
  on(company)((account) =>
    account.retireCredentials({ companyId: company.id, credentialsVersion, unless: "work" }),
  );
const requestWithdraw = (company: TestCompany, credentialsVersion: number) =>
  on(company)((account) =>
    account.requestWithdraw(withdrawCommand(company, { credentialsVersion })),
  );
const preview = (company: TestCompany, credentialsVersion: number) =>
  on(company)((account) =>
    account.previewWithdraw(withdrawCommand(company, { credentialsVersion })),
  );

describe("an object with the current credentials version", () => {
  it("rejects commands with an older version without any effect", async () => {
    const company = await givenCompany({ balance: 5_000 });
    await advanceVersion(company, 5);
    expect(await expectNoSideEffects(company, () => requestWithdraw(company, 4))).toEqual(stale(5));
    expect(await requestWithdraw(company, 5)).toMatchObject({ kind: "accepted" });
    expect(await requestWithdraw(company, 6)).toMatchObject({ kind: "replayed" });
  });

  it("rejects a refund, a cancel and a return with an older version", async () => {
    const company = await givenCompany();
    const charge = await givenSettled(company, 1_000);
    await advanceVersion(company, 5);
    const old = { credentialsVersion: 4 };
    const refused = await expectNoSideEffects(company, async () => [
      await on(company)((account) =>
        account.requestRefund({ ...refundCommand(company, charge), ...old }),
      ),
      await on(company)((account) =>
        account.requestCancelOrCapture({ ...captureOrCancelCommand(company, charge), ...old }),
      ),
      await on(company)((account) =>
        account.decideByOperators({
          companyId: company.id,
          ...old,
          effect: { kind: "payment", paymentId: "E1" },
          decision: decisionOf(),
          attempt: "1",
        }),
      ),
    ]);
    expect(refused).toEqual([stale(5), stale(5), stale(5)]);
    const asked = { ...refundCommand(company, charge), credentialsVersion: 5 };
    expect(await on(company)((account) => account.requestRefund(asked))).toMatchObject({
      kind: "send",
    });
  });

  it("rejects a replay and a dry run with an older version", async () => {
    const company = await givenCompany({ balance: 5_000 });
    expect(await requestWithdraw(company, 4)).toMatchObject({ kind: "accepted" });
    await advanceVersion(company, 5);
    expect(await requestWithdraw(company, 4)).toEqual(stale(5));
    expect(await preview(company, 4)).toEqual(stale(5));
    expect(await preview(company, 5)).toMatchObject({
      kind: "preview",
      preview: { key: "repeated" },
    });
  });

  it("keeps the newest version in any order of updates and after an eviction", async () => {
    const company = await givenCompany({ balance: 5_000 });
    for (const version of [3, 5, 4, 1]) await advanceVersion(company, version);
    await evict(company);
    expect(await requestWithdraw(company, 4)).toEqual(stale(5));
    expect(await requestWithdraw(company, 5)).toMatchObject({ kind: "accepted" });
  });

  it("writes a row for a newer version and none for a known one", async () => {
    const company = await givenCompany();
    const told = (version: number) =>
      costInObject(company, (account) => account.invalidateCredentials(version));
    expect((await told(5)).written).toBe(1);
    expect((await told(5)).written).toBe(0);
    expect((await told(4)).written).toBe(0);
  });
});

describe("an object whose company disconnects its PSP", () => {
  it("starts nothing with the old credentials", async () => {
    const company = await givenCompany({ balance: 5_000 });
    expect(await disconnectProvider(company, 5)).toEqual({ kind: "retired" });
    expect(await requestWithdraw(company, 5)).toEqual(stale(6));
    expect(await requestWithdraw(company, 6)).toMatchObject({ kind: "accepted" });
  });

  it("keeps the PSP and its operations when something is open", async () => {
    const company = await givenCompany({ balance: 5_000 });
    await requestWithdraw(company, 5);
    expect(await expectNoSideEffects(company, () => disconnectProvider(company, 5))).toMatchObject({
      kind: "open",
      obstacles: expect.arrayContaining(["an open withdraw"]),
    });
    expect(await requestWithdraw(company, 5)).toMatchObject({ kind: "replayed" });
  });

  it("does not disconnect with old credentials", async () => {
    const company = await givenCompany();
    await advanceVersion(company, 6);
    expect(await expectNoSideEffects(company, () => disconnectProvider(company, 5))).toEqual(
      stale(6),
    );
  });
});
