import { expect, it } from "vitest";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { givenAccess } from "../../../support/builders/providers/access.ts";
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
      host: "pix.bank.example",
      certificateExpiresAt: "2026-12-24T12:00:00.000Z",
      credentialsExpireAt: null,
      failingSince: null,
    },
  ]);
  expect((await call(PATH, { company: other })).body.items).toEqual([]);
});
