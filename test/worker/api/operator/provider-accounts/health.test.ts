import { expect, it } from "vitest";
import { recordProviderCalls } from "../../../../../src/db/watch/providers.ts";
import type { ProviderCalls } from "../../../../../src/domain/reconciliation/provider-calls.ts";
import { env, givenCompany } from "../../../../support/builders/companies/company.ts";
import { Browser } from "../../../../support/builders/console/browser.ts";
import { expectClean } from "../../../../support/builders/console/page-checks.ts";
import { givenOperatorPerson } from "../../../../support/builders/console/people.ts";
import { connectAccount, efiAccount } from "../../../../support/builders/providers/accounts.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";

const DAY = "2026-10-23";
const AT = Date.parse("2026-10-23T12:00:00Z");

interface Counted extends Pick<ProviderCalls, "endpoints" | "refusals"> {
  bucket: string;
  quotas?: ProviderCalls["quotas"];
}

/** Calls of an account that all took as long as a bucket says. */
function callsOf(
  account: Pick<ProviderCalls, "companyId" | "account">,
  { endpoints, refusals, bucket, quotas = {} }: Counted,
): ProviderCalls {
  const calls = Object.values(endpoints).reduce((sum, count) => sum + count, 0);
  return {
    ...account,
    host: "shared.efi.example",
    calls,
    faults: 0,
    refusals,
    succeededAt: AT,
    faultedAt: null,
    lastFault: null,
    quotas,
    durations: { totalMs: 0, buckets: { [bucket]: calls } },
    endpoints,
  };
}

it("an account shows its own calls, refusals and latency of its last day, not those of its host", async () => {
  const company = await givenCompany({ mode: "live" });
  await connectAccount(company, "efi", efiAccount(), { options: {} });
  const own = { companyId: company.id, account: "efi" };
  const slowOnce = { endpoints: { "GET charges": 40 }, refusals: 9, bucket: "10" };
  await recordProviderCalls(env, [callsOf(own, slowOnce)], "2026-10-22");
  const fast = { endpoints: { "POST charge": 3, "GET charge/:id": 1 }, refusals: 2, bucket: "0.1" };
  const other = { companyId: company.id, account: "other" };
  await recordProviderCalls(env, [callsOf(own, fast), callsOf(other, slowOnce)], DAY);

  const answer = await callAsOperator(`/companies/${company.id}/providers`);

  expect(answer.body.data).toMatchObject([
    { account: "efi", health: { day: DAY, calls: 4, refusals: 2, latencyMs: 75 } },
  ]);
  const reader = new Browser((await givenOperatorPerson("read")).cookie);
  const page = `/console/operator/companies/${company.id}/providers`;
  const { html } = await reader.ask(page, { language: "en" });
  expect(html).toMatch(/Orders refused on that day<\/dt><dd>2</);
  expect(html).toContain("75 ms");
});

it("an account shows the calls of the day beside the house's limit, on the page too", async () => {
  const company = await givenCompany({ mode: "live" });
  await connectAccount(company, "efi", efiAccount(), { options: {} });
  const own = { companyId: company.id, account: "efi" };
  const endpoints = { "POST charge": 15_000, "GET charges": 7, "PUT charge/:id/cancel": 9 };
  const limited = { limit: 15_000 };
  const quotas = { "POST charge": limited, "PUT charge/:id/cancel": limited };
  const calls = callsOf(own, { endpoints, quotas, refusals: 0, bucket: "0.1" });
  await recordProviderCalls(env, [calls], DAY);

  const answer = await callAsOperator(`/companies/${company.id}/providers`);

  expect(answer.body.data[0].health.endpoints).toEqual([
    { call: "POST charge", calls: 15_000, limit: 15_000, isUsedUp: true },
    { call: "GET charges", calls: 7, limit: null, isUsedUp: false },
    { call: "PUT charge/:id/cancel", calls: 9, limit: 15_000, isUsedUp: false },
  ]);
  const reader = new Browser((await givenOperatorPerson("read")).cookie);
  const page = `/console/operator/companies/${company.id}/providers`;
  const { html } = await reader.ask(page, { language: "en" });
  expectClean(html);
  expect(html).toContain("PUT charge/:id/cancel: 9 / 15000");
  expect(html).toContain("Used up");
  expect(html).not.toContain("GET charges");
});
