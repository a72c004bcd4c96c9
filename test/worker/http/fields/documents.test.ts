import { expect, it } from "vitest";
import { call } from "../../../support/builders/requests/api.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { expectNoSideEffects } from "../../../support/probes/ledger/footprint.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { sharedCompany } from "../../../support/builders/companies/shared-company.ts";
import {
  createTransaction,
  givenTransaction,
} from "../../../support/builders/charges/transaction.ts";
import vectors from "../../../vectors/cpf_cnpj.json";

const CASES = [
  ...vectors.cpf.map(({ input, valid }) => ({
    type: "CPF",
    number: input,
    canonical: valid ? input.replaceAll(/\D/g, "") : null,
  })),
  ...vectors.cnpj.map(({ input, canonical }) => ({ type: "CNPJ", number: input, canonical })),
];
/** An empty document number counts as absent, like every empty text in a request. */
const REFUSED = CASES.filter(({ canonical, number }) => canonical === null && number !== "");
const TAKEN = CASES.filter(({ canonical }) => canonical !== null);

it("each valid document is stored in its canonical form, declared or inferred", async () => {
  const company = await givenCompany();
  for (const { type, number } of TAKEN) {
    await givenTransaction(company, { customer: { document: { type, number } } });
    await givenTransaction(company, { customer: { document: { number } } });
  }
  const list = await call("/api/Transaction/company/transactions?sort=createdAt_asc&pageSize=100", {
    company,
  });
  expect(
    list.body.res.items.map((item: any) => [item.lead.documentType, item.lead.documentNumber]),
  ).toEqual(TAKEN.flatMap(({ type, canonical }) => [0, 1].map(() => [type, canonical])));
});

it("an empty number is no document", async () => {
  const company = await givenCompany();
  await givenTransaction(company, { customer: { document: { number: "" } } });
  const list = await call("/api/Transaction/company/transactions", { company });
  expect(list.body.res.items[0].lead.documentNumber ?? "").toBe("");
});

it.each(REFUSED)("VALIDATION_FAILED: $type $number", async ({ type, number }) => {
  const company = await sharedCompany();
  const answer = await expectNoSideEffects(company, () =>
    createTransaction(company, { customer: { document: { type, number } } }),
  );
  await expectProblem(answer, {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: ["customer.document.number"],
  });
});
