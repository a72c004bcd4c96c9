import { expect, it } from "vitest";
import { ALARMS } from "../../../../../src/api/operator/alarms/thresholds.ts";
import { serviceFigures } from "../../../../../src/api/operator/status/figures.ts";
import type { Env } from "../../../../../src/config.ts";
import { env, type TestCompany } from "../../../../support/builders/companies/company.ts";
import { givenPsp } from "../../../../support/builders/providers/psp.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";

async function shown(id: string, environment: Env): Promise<string[]> {
  const { findings } = ALARMS.find((alarm) => alarm.id === id)!;
  return (findings(await serviceFigures(environment, new TestClock())) ?? []).map(
    ({ text }) => text,
  );
}

/** Changes a company's connection for the time of a test: the others' figures are of all companies. */
async function whileChanged(company: TestCompany, change: string, run: () => Promise<void>) {
  const before = await env.DB.prepare(
    "SELECT sealed, settings FROM psp_accounts WHERE company_id = ?",
  )
    .bind(company.id)
    .first<{ sealed: string; settings: string }>();
  await env.DB.prepare(`UPDATE psp_accounts SET ${change} WHERE company_id = ?`)
    .bind(company.id)
    .run();
  await run();
  await env.DB.prepare("UPDATE psp_accounts SET sealed = ?, settings = ? WHERE company_id = ?")
    .bind(before!.sealed, before!.settings, company.id)
    .run();
}

it("psp_unreadable: a key that opens PSPs' secrets is not the Worker's", async () => {
  const world = await givenPsp();
  const aboutKey = async () =>
    (await shown("psp_unreadable", world.env)).filter((text) => text.includes("00000000"));
  expect(await aboutKey()).toEqual([]);
  const sealed = "sealed = 'v2.00000000.' || substr(sealed, 13)";
  await whileChanged(world.company, sealed, async () => {
    expect(await aboutKey()).toEqual([
      `The secrets of 1 connections to PSPs (company ${world.company.id} among them) are sealed under the key 00000000, which is not in SECRETS_KEY.`,
    ]);
  });
  await whileChanged(world.company, "sealed = 'v1.' || substr(sealed, 13)", async () => {
    expect(await aboutKey()).toEqual([]);
  });
});

it("psp_unreadable: a client certificate that is not bound", async () => {
  const world = await givenPsp();
  const aboutCertificate = async () =>
    (await shown("psp_unreadable", world.env)).filter((text) => text.includes("PSP_GONE"));
  expect(await aboutCertificate()).toEqual([]);
  const settings = "settings = json_set(settings, '$.certificate', 'PSP_GONE')";
  await whileChanged(world.company, settings, async () => {
    expect(await aboutCertificate()).toEqual([
      `1 connections to PSPs (company ${world.company.id} among them) need the certificate binding PSP_GONE, which the Worker has not.`,
    ]);
  });
});

it("binding_missing: a queue that is not bound", async () => {
  expect(await shown("binding_missing", env)).toEqual([]);
  const { PAYOUTS: _gone, ...rest } = env;
  expect(await shown("binding_missing", rest as Env)).toEqual([
    "The Worker has no binding PAYOUTS.",
  ]);
});
