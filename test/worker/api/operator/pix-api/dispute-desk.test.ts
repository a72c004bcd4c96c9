import { beforeEach, expect, it } from "vitest";
import { env, givenCompany } from "../../../../support/builders/companies/company.ts";
import {
  callAsOperator,
  restoreLocalOperators,
} from "../../../../support/builders/companies/operator.ts";
import { REASON } from "../../../../support/builders/operations/decide.ts";
import {
  accountsOf,
  connectAccount,
  pixAccount,
  putAccount,
} from "../../../../support/builders/providers/accounts.ts";
import {
  givenPsp,
  pixApiPath,
  pixApiRequest,
  putPixApi,
} from "../../../../support/builders/providers/psp.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";

const EFI = { kind: "efi" };
const ADDRESSED = { url: "https://med.banco-de-teste.com.br/v1?key=7", takesFurther: true };

beforeEach(restoreLocalOperators);

it("Efí's desk is switched on by one operator, is shown, and leads nowhere else", async () => {
  const world = await givenPsp();
  const { company, configured, options } = world;
  const request = pixApiRequest({ pixKey: configured.pixKey, disputeDesk: EFI });

  const answer = await putPixApi(company, request, world);

  expect(answer.status, answer.text).toBe(200);
  expect(answer.body).toMatchObject({ disputeDesk: EFI, formerAccounts: [] });
  expect((await callAsOperator(pixApiPath(company), options)).body.disputeDesk).toEqual(EFI);
  const { body } = await callAsOperator(`/audit?companyId=${company.id}&order=newest&limit=1`);
  expect(body.items[0].after).toMatchObject({ disputeDesk: EFI });
});

it("a desk with an address of its own is another way out, which two operators decide", async () => {
  const world = await givenPsp({ disputeDesk: EFI });
  const { company, configured } = world;
  const about = { pixKey: configured.pixKey, reason: REASON };
  const answer = await putPixApi(
    company,
    pixApiRequest({ ...about, disputeDesk: ADDRESSED }),
    world,
  );
  expect(answer.status, answer.text).toBe(202);

  const { configured: shown } = await givenPsp({ disputeDesk: ADDRESSED });
  expect(shown.disputeDesk).toEqual(ADDRESSED);
});

it("any account over the Pix API may have Efí's desk", async () => {
  const company = await givenCompany({ mode: "live" });
  const account = pixAccount({ disputeDesk: EFI, certificate: null });

  await connectAccount(company, "efi", account, { options: { env } });

  const [shown] = await accountsOf(company, { options: { env } });
  expect(shown.settings).toMatchObject({ disputeDesk: EFI });
});

it.each([
  ["disputeDesk", "efi"],
  ["disputeDesk", { kind: "inter" }],
  ["disputeDesk", {}],
  ["disputeDesk.url", { url: "http://10.0.0.1/med" }],
])("VALIDATION_FAILED: %s of %o", async (field, disputeDesk) => {
  const world = await givenPsp();
  const { company, configured } = world;
  const invalid = { status: 400, code: "VALIDATION_FAILED" };
  const request = pixApiRequest({ pixKey: configured.pixKey, disputeDesk });
  await expectProblem(await putPixApi(company, request, world), { ...invalid, fields: [field] });

  const answer = await putAccount(company, "second", pixAccount({ disputeDesk }), world);
  await expectProblem(answer, { ...invalid, fields: [`settings.${field}`] });
});
