import { expect, it } from "vitest";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { visit } from "../../../support/builders/console/visit.ts";
import { givenAccess } from "../../../support/builders/providers/access.ts";
import {
  accountsOf,
  connectAccount,
  pagarmeAccount,
} from "../../../support/builders/providers/accounts.ts";
import { givenPsp } from "../../../support/builders/providers/psp.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";

const PATH = "/api/v1/company/providers";

it("a company sees when the access of its own accounts ends, and of no other's", async () => {
  const [company, other] = [await givenCompany(), await givenCompany()];
  const certificateExpiresAt = Date.parse("2026-12-24T12:00:00Z");
  await givenAccess(company, { certificateExpiresAt });
  const answer = await call(PATH, { company });
  await expectDocumented(`GET ${PATH}`, answer);
  expect(answer.body.items).toEqual([
    {
      account: "first",
      provider: "Sandbox",
      host: "pix.bank.example",
      certificateExpiresAt: "2026-12-24T12:00:00.000Z",
      credentialsExpireAt: null,
      failingSince: null,
    },
  ]);
  expect((await call(PATH, { company: other })).body.items).toEqual([]);
});

it("who may change settings sees the URL that Pagar.me's dashboard must be told, and nobody else", async () => {
  const { company, ...world } = await givenPsp();
  await connectAccount(company, "cards", pagarmeAccount(), world);
  const connected = await accountsOf(company, world);
  const { callbackUrl } = connected.find(({ account }) => account === "cards");
  const answer = await call(PATH, { company });
  await expectDocumented(`GET ${PATH}`, answer);
  expect(answer.body.callbackUrls).toEqual([
    { account: "cards", provider: "PagarMe", url: callbackUrl },
  ]);
  expect(callbackUrl).toContain("/callbacks/pagarme/");
  const page = await visit(company, "/console/providers", { language: "en" });
  expect(page.html).toContain(`data-copy="${callbackUrl}"`);
  const finance = await visit(company, "/console/providers", { role: "finance" });
  expect([finance.status, finance.html.includes("/callbacks/")]).toEqual([200, false]);
});
