import { beforeAll, expect, it } from "vitest";
import {
  callAsOperator,
  givenOperator,
  type TestOperator,
} from "../../../../../support/builders/companies/operator.ts";
import { visitAsOperator } from "../../../../../support/builders/console/visit.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import { verifyAuditTrail } from "../../../../../../tools/lib/audit-verdict.ts";

const AUDIT = "/console/operator/audit";

let changed: TestOperator;

beforeAll(async () => {
  changed = await givenOperator("read");
  await givenOperator("finance");
  await callAsOperator(`/people/${changed.clientId}`, { method: "PATCH", body: { name: "Eva" } });
});

const rowsOf = (html: string) => html.split("<tr>").length - 2;

it.each(["pt-BR", "en"] as const)(
  "the gateway's trail is shown newest first in %s",
  async (language) => {
    const { status, html } = await visitAsOperator(AUDIT, { role: "read", language });
    expect(status).toBe(200);
    expectClean(html);
    expect(html.indexOf("operator.change")).toBeLessThan(html.indexOf("operator.create"));
  },
);

it("the trail is searched by actor, action and target together", async () => {
  const query = `?actor=operator&action=operator&target=operator:${changed.clientId}`;
  const found = await visitAsOperator(AUDIT + query);
  expect(rowsOf(found.html)).toBe(2);
  const one = await visitAsOperator(
    `${AUDIT}?action=operator.change&target=operator:${changed.clientId}`,
  );
  expect(rowsOf(one.html)).toBe(1);
  const none = await visitAsOperator(`${AUDIT}?action=never&companyId=1`);
  expect(none.html).toContain('class="empty"');
});

it("a company's number that is none is refused at its field", async () => {
  const { status, html } = await visitAsOperator(`${AUDIT}?companyId=abc`);
  expect(status).toBe(400);
  expect(html).toContain('aria-invalid="true"');
  expect(html).toContain('value="abc"');
});

it("the downloaded trail is a proof that verifies", async () => {
  const { html, headers } = await visitAsOperator(`${AUDIT}/trail.json?after=0`);
  expect(headers.get("Content-Disposition")).toContain("audit.json");
  const items = JSON.parse(html);
  expect(verifyAuditTrail(items)).toMatchObject({ error: null });
  expect(items.length).toBeGreaterThan(2);
});
