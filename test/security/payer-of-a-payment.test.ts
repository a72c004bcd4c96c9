import { expect, it } from "vitest";
import { givenTransaction } from "../support/builders/charges/transaction.ts";
import { givenCompany } from "../support/builders/companies/company.ts";
import { Browser } from "../support/builders/console/browser.ts";
import { givenSession } from "../support/builders/console/people.ts";
import { FULL_REQUEST } from "../support/builders/requests/full-request.ts";

const HOUR_MS = 3_600_000;
const DOCUMENT = "52998224725";

it("an old session shows a payment's payer in full only after the second factor, which leads back", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company, FULL_REQUEST);
  const path = `/console/payments/${id}`;
  const show = async (nowMs: number) =>
    new Browser(await givenSession(company, "owner", { nowMs })).ask(`${path}/payer`, {
      form: {},
      headers: { Referer: `http://localhost:8787${path}` },
    });
  const old = await show(Date.now() - HOUR_MS);
  expect(old.status).toBe(401);
  expect(old.html).toContain(`name="next" value="${path}"`);
  expect(old.html).not.toContain(DOCUMENT);
  const fresh = await show(Date.now());
  expect(fresh.status).toBe(200);
  expect(fresh.html).toContain(DOCUMENT);
});
