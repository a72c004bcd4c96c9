import { expect, it } from "vitest";
import { recordProviderCalls } from "../../../../../src/db/watch/providers.ts";
import type { ProviderCalls } from "../../../../../src/domain/reconciliation/provider-calls.ts";
import { env, givenCompany } from "../../../../support/builders/companies/company.ts";
import { Browser } from "../../../../support/builders/console/browser.ts";
import { givenOperatorPerson } from "../../../../support/builders/console/people.ts";
import { connectAccount, efiAccount } from "../../../../support/builders/providers/accounts.ts";
import { callAsOperator } from "../../../../support/builders/companies/operator.ts";

const DAY = "2026-11-23";
const AT = Date.parse("2026-11-23T12:00:00Z");

/** Calls of an account that all took as long as a bucket says. */
function callsOf(
  account: Pick<ProviderCalls, "companyId" | "account">,
  {
    endpoints,
    refusals,
    bucket,
  }: { bucket: string } & Pick<ProviderCalls, "endpoints" | "refusals">,
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
    durations: { totalMs: 0, buckets: { [bucket]: calls } },
    endpoints,
  };
}

it("an account shows its own calls, refusals and latency of its last day, not those of its host", async () => {
  const company = await givenCompany({ mode: "live" });
  await connectAccount(company, "efi", efiAccount(), { options: {} });
  const own = { companyId: company.id, account: "efi" };
  const slowOnce = { endpoints: { "GET charges": 40 }, refusals: 9, bucket: "10" };
  await recordProviderCalls(env, [callsOf(own, slowOnce)], "2026-11-22");
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
