import { expect, it } from "vitest";
import { Browser } from "../../../../../support/builders/console/browser.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import { givenOperatorPerson } from "../../../../../support/builders/console/people.ts";
import {
  ACCOUNT,
  givenTwoCertificates,
  PRESENT,
} from "../../../../../support/builders/providers/certificate-trials.ts";

it("shows who only reads no forms, and has no page for an account that is not there", async () => {
  const world = await givenTwoCertificates();
  const reader = new Browser((await givenOperatorPerson("read")).cookie);
  const path = `/console/operator/companies/${world.company.id}/providers`;
  const seen = await reader.ask(`${path}/${ACCOUNT}/certificate`);
  expectClean(seen.html);
  expect(seen.html).toContain(PRESENT);
  expect(seen.html).not.toContain("<textarea");
  expect((await reader.ask(`${path}/other/certificate`)).status).toBe(404);
});
