import { describe, expect, it } from "vitest";
import { callCompany } from "../../src/company/stub.ts";
import { withdrawCommand } from "../support/commands.ts";
import { env, givenCompany, type TestCompany } from "../support/company.ts";
import { costInObject } from "../support/cost.ts";
import { leavingNoTrace } from "../support/footprint.ts";
import { evict } from "../support/object.ts";

const STALE = { kind: "stale_credentials" };

const tell = (company: TestCompany, version: number) =>
  callCompany(env, company.id, (account) => account.tellCredentialsVersion(version));
const ask = (company: TestCompany, credentialsVersion: number | null) =>
  callCompany(env, company.id, (account) =>
    account.requestWithdraw(withdrawCommand(company, { credentialsVersion })),
  );
const preview = (company: TestCompany, credentialsVersion: number) =>
  callCompany(env, company.id, (account) =>
    account.previewWithdraw(withdrawCommand(company, { credentialsVersion })),
  );

describe("an object that was told the version of its company's credentials", () => {
  it("refuses what is asked for with an older one, and nothing is done", async () => {
    const company = await givenCompany({ balance: 5_000 });
    await tell(company, 5);
    expect(await leavingNoTrace(company, () => ask(company, 4))).toEqual(STALE);
    expect(await ask(company, 5)).toMatchObject({ kind: "accepted" });
    expect(await ask(company, 6)).toMatchObject({ kind: "replayed" });
  });

  it("takes what was read from D1 for the request itself, whatever it was told", async () => {
    const company = await givenCompany({ balance: 5_000 });
    await tell(company, 5);
    expect(await ask(company, null)).toMatchObject({ kind: "accepted" });
  });

  it("refuses a replay and a preview alike", async () => {
    const company = await givenCompany({ balance: 5_000 });
    expect(await ask(company, 4)).toMatchObject({ kind: "accepted" });
    await tell(company, 5);
    expect(await ask(company, 4)).toEqual(STALE);
    expect(await preview(company, 4)).toEqual(STALE);
    expect(await preview(company, 5)).toMatchObject({
      kind: "preview",
      preview: { key: "repeated" },
    });
  });

  it("keeps the newest, in whatever order it is told, over its eviction", async () => {
    const company = await givenCompany({ balance: 5_000 });
    for (const version of [3, 5, 4, 1]) await tell(company, version);
    await evict(company);
    expect(await ask(company, 4)).toEqual(STALE);
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
