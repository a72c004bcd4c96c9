import { expect, it } from "vitest";
import { givenApplication } from "../../../support/builders/companies/application.ts";
import { givenCompany, waitUntilDrained } from "../../../support/builders/companies/company.ts";
import { visit } from "../../../support/builders/console/visit.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { requestWithdraw, runPayout } from "../../../support/builders/withdraws/withdraw.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

it("a withdraw shows what the ledger booked for it, and its events, also on its page", async () => {
  const company = await givenCompany({ balance: 10_000 });
  const { body } = await requestWithdraw(company, { amount: 2_000 });
  await runPayout(company, body.id);
  await waitUntilDrained(company);
  const path = `/api/v1/withdraws/${body.id}/timeline`;
  const answer = await call(path, { company });
  await expectDocumented("GET /api/v1/withdraws/{id}/timeline", answer);
  const { items } = answer.body;
  expect(items.map(({ type }: any) => type).toSorted()).toEqual([
    "withdraw.paid",
    "withdraw.processing",
    "withdraw_paid",
    "withdraw_requested",
  ]);
  const times = items.map(({ at }: any) => at);
  expect(times).toEqual(times.toSorted());
  for (const { postings = [] } of items) {
    expect(postings.reduce((sum: number, { amount }: any) => sum + amount, 0)).toBe(0);
  }
  const { html } = await visit(company, `/console/withdraws/${body.id}`);
  expect(html).toContain("saque pago");
  expect(html).toMatch(/href="\/console\/statement\/postings\?[^"]+">Ver na prova/);
  expect(html).toContain(`href="/console/events/${items.at(-1).id}"`);

  const narrow = await givenApplication(company, { scopes: ["withdraws:read"] });
  expect((await call(path, { company: narrow })).status).toBe(200);
  const missing = await call("/api/v1/withdraws/99/timeline", { company });
  await expectProblem(missing, { status: 404, code: "NOT_FOUND" });
});
