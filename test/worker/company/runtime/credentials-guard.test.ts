import { describe, expect, it } from "vitest";
import { callCompany } from "../../../../src/company-client/stub.ts";
import { withdrawCommand } from "../../../support/builders/commands.ts";
import { env, givenCompany, type TestCompany } from "../../../support/builders/company.ts";
import { costInObject } from "../../../support/probes/cost.ts";
import { leavingNoTrace } from "../../../support/probes/footprint.ts";
import { evict } from "../../../support/probes/object.ts";
import {
  givenSettled,
  moveCommand,
  refundCommand,
  returnCommand,
} from "../../../support/builders/object-operations.ts";

const stale = (newest: number) => ({ kind: "stale_credentials", newest });
const on =
  (company: TestCompany) =>
  <Answer>(call: Parameters<typeof callCompany<Answer>>[2]) =>
    callCompany(env, company.id, call);
const tell = (company: TestCompany, version: number) =>
  on(company)((account) => account.tellCredentialsVersion(version));
const leave = (company: TestCompany, credentialsVersion: number) =>
  on(company)((account) => account.leaveProvider({ companyId: company.id, credentialsVersion }));
const ask = (company: TestCompany, credentialsVersion: number) =>
  on(company)((account) =>
    account.requestWithdraw(withdrawCommand(company, { credentialsVersion })),
  );
const preview = (company: TestCompany, credentialsVersion: number) =>
  on(company)((account) =>
    account.previewWithdraw(withdrawCommand(company, { credentialsVersion })),
  );

describe("an object that was told the version of its company's credentials", () => {
  it("refuses what is asked for with an older one, and nothing is done", async () => {
    const company = await givenCompany({ balance: 5_000 });
    await tell(company, 5);
    expect(await leavingNoTrace(company, () => ask(company, 4))).toEqual(stale(5));
    expect(await ask(company, 5)).toMatchObject({ kind: "accepted" });
    expect(await ask(company, 6)).toMatchObject({ kind: "replayed" });
  });

  it("refuses a refund, a cancel and a return alike", async () => {
    const company = await givenCompany();
    const charge = await givenSettled(company, 1_000);
    await tell(company, 5);
    const old = { credentialsVersion: 4 };
    const refused = await leavingNoTrace(company, async () => [
      await on(company)((account) =>
        account.requestRefund({ ...refundCommand(company, charge), ...old }),
      ),
      await on(company)((account) =>
        account.requestMove({ ...moveCommand(company, charge), ...old }),
      ),
      await on(company)((account) =>
        account.requestReturn({ ...returnCommand(company, "E1"), ...old }),
      ),
    ]);
    expect(refused).toEqual([stale(5), stale(5), stale(5)]);
    const asked = { ...refundCommand(company, charge), credentialsVersion: 5 };
    expect(await on(company)((account) => account.requestRefund(asked))).toMatchObject({
      kind: "send",
    });
  });

  it("refuses a replay and a preview alike", async () => {
    const company = await givenCompany({ balance: 5_000 });
    expect(await ask(company, 4)).toMatchObject({ kind: "accepted" });
    await tell(company, 5);
    expect(await ask(company, 4)).toEqual(stale(5));
    expect(await preview(company, 4)).toEqual(stale(5));
    expect(await preview(company, 5)).toMatchObject({
      kind: "preview",
      preview: { key: "repeated" },
    });
  });

  it("keeps the newest, in whatever order it is told, over its eviction", async () => {
    const company = await givenCompany({ balance: 5_000 });
    for (const version of [3, 5, 4, 1]) await tell(company, version);
    await evict(company);
    expect(await ask(company, 4)).toEqual(stale(5));
    expect(await ask(company, 5)).toMatchObject({ kind: "accepted" });
  });

  it("writes a row for a newer one and none for one it knows", async () => {
    const company = await givenCompany();
    const told = (version: number) =>
      costInObject(company, (account) => account.tellCredentialsVersion(version));
    expect((await told(5)).written).toBe(1);
    expect((await told(5)).written).toBe(0);
    expect((await told(4)).written).toBe(0);
  });
});

describe("an object whose company leaves its PSP", () => {
  it("begins nothing any more by the credentials that it was asked with", async () => {
    const company = await givenCompany({ balance: 5_000 });
    expect(await leave(company, 5)).toEqual({ kind: "left" });
    expect(await ask(company, 5)).toEqual(stale(6));
    expect(await ask(company, 6)).toMatchObject({ kind: "accepted" });
  });

  it("keeps it and all that is asked for, where something is open", async () => {
    const company = await givenCompany({ balance: 5_000 });
    await ask(company, 5);
    expect(await leavingNoTrace(company, () => leave(company, 5))).toEqual({ kind: "open" });
    expect(await ask(company, 5)).toMatchObject({ kind: "replayed" });
  });

  it("does not leave by credentials that are old", async () => {
    const company = await givenCompany();
    await tell(company, 6);
    expect(await leavingNoTrace(company, () => leave(company, 5))).toEqual(stale(6));
  });
});
