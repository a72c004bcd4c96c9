import { describe, expect, it } from "vitest";
import { systemDependencies } from "../../src/dependencies.ts";
import { givenPaid } from "../support/builders/charges/transaction.ts";
import { givenCompany, type TestCompany } from "../support/builders/companies/company.ts";
import { Browser } from "../support/builders/console/browser.ts";
import { givenSession } from "../support/builders/console/people.ts";
import { visit } from "../support/builders/console/visit.ts";
import { refund } from "../support/builders/operations/refund.ts";
import { call } from "../support/builders/requests/api.ts";
import { changeSettings } from "../support/builders/withdraws/approvals.ts";
import { TestClock } from "../support/fakes/clock.ts";

const HOUR_MS = 3_600_000;

const refundsOf = async (company: TestCompany, id: string) =>
  (await call(`/api/v1/transactions/${id}`, { company })).body.data.refunds ?? [];

/** A company with a refund of R$ 15.00 that waits for an approval. */
async function givenWaiting() {
  const clock = new TestClock();
  const deps = { platformClock: clock };
  const company = await givenCompany({ clock });
  const { id } = await givenPaid(company, 10_000);
  await changeSettings(company, { refundApprovalAbove: 1_000 });
  const { body } = await refund(company, id, 1_500, { deps });
  return { deps, company, id, refundId: body.data.refunds[0].id as string };
}

describe("in the console", () => {
  it("a refund and an approval ask for the second factor again", async () => {
    const { company, id, refundId } = await givenWaiting();
    const browser = new Browser(
      await givenSession(company, "owner", { nowMs: Date.now() - HOUR_MS }),
    );
    for (const path of [`/console/payments/${id}/refund`, `/console/refunds/${refundId}/approve`]) {
      const page = await browser.ask(path, { form: { amount: "1,00", idempotencyKey: "k" } });
      expect(page.status).toBe(401);
      expect(page.html).toContain('name="keptForm"');
    }
    expect(await refundsOf(company, id)).toHaveLength(1);
  });

  it("what waits is on the first page and on one of its own, where another person approves it", async () => {
    const { company, deps, id, refundId } = await givenWaiting();
    expect((await visit(company, "/console", { deps: allDeps(deps) })).html).toContain(
      'href="/console/refunds"',
    );
    const options = { language: "en" as const, deps: allDeps(deps) };
    const { html } = await visit(company, "/console/refunds", options);
    expect(html).toContain("Refund of R$15.00");
    expect(html).toContain(`/console/refunds/${refundId}/approve`);
    const payment = (await visit(company, `/console/payments/${id}`, options)).html;
    expect(payment).toMatch(/Refund under way<\/dt><dd[^>]*>R\$15\.00/);
    expect(payment).not.toContain("Refunded</dt>");
    const seen = await visit(company, "/console/refunds", { ...options, role: "support" });
    expect(seen.html).not.toContain(`/console/refunds/${refundId}/approve`);
    const form = { idempotencyKey: "ok" };
    const path = `/console/refunds/${refundId}/approve`;
    const done = await visit(company, path, { form, deps: allDeps(deps) });
    expect(done.headers.get("Location")).toBe("/console/refunds?done=approve");
    expect(await refundsOf(company, id)).toMatchObject([{ status: "DONE" }]);
  });
});

function allDeps(deps: { platformClock: TestClock }) {
  return { ...systemDependencies, ...deps };
}
