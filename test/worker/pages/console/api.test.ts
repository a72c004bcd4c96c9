import { expect, it } from "vitest";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { Browser } from "../../../support/builders/console/browser.ts";
import { givenSession } from "../../../support/builders/console/people.ts";

it("an idempotency key that no header holds is refused, and adds no header", async () => {
  const browser = new Browser(await givenSession(await givenCompany(), "owner"));
  for (const idempotencyKey of ["x\r\nX-Client-Id: a", "ключ", ""]) {
    const form = { name: "Shop", scopes: "transactions:read", idempotencyKey };
    const { status, html } = await browser.ask("/console/keys", { form });
    expect(status).toBe(400);
    expect(html).toContain("IDEMPOTENCY_KEY_INVALID");
  }
});
