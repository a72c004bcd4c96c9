import { expect, it } from "vitest";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { expectNoSideEffects } from "../../../support/probes/ledger/footprint.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { sharedFundedCompany } from "../../../support/builders/companies/shared-company.ts";
import { requestWithdraw } from "../../../support/builders/withdraws/withdraw.ts";
import vectors from "../../../vectors/pix_keys.json";

/** The vector that may be a CPF or a phone has no declared type. */
const DECLARED = vectors.cases.filter(({ declaredType }) => declaredType !== "?");
const VALID = DECLARED.filter((vector) => vector.canonicalMatchesDeclaredType);
const INVALID = DECLARED.filter((vector) => !vector.canonicalMatchesDeclaredType);
const CPF_AND_PHONE = "51998259765";
const ELEVEN_DIGITS = /^\d{11}$/;

async function expectKey(company: TestCompany, request: object, key: [string, string]) {
  const { status, body } = await requestWithdraw(company, { ...request });
  expect([status, body.pixKeyType, body.pixKey], JSON.stringify(request)).toEqual([201, ...key]);
}

it("each valid key is stored in its canonical form, declared or inferred", async () => {
  const company = await givenCompany({ balance: VALID.length * 2_000 });
  for (const { input, declaredType, brazilianUtils } of VALID) {
    const key: [string, string] = [declaredType, brazilianUtils!.value];
    await expectKey(company, { pixKey: input, pixKeyType: declaredType }, key);
    if (!ELEVEN_DIGITS.test(input)) await expectKey(company, { pixKey: input }, key);
  }
});

it("eleven digits have the declared type and are rejected without one", async () => {
  const company = await givenCompany({ balance: 2_000 });
  const pixKey = CPF_AND_PHONE;
  await expectKey(company, { pixKey, pixKeyType: "CPF" }, ["CPF", pixKey]);
  await expectKey(company, { pixKey, pixKeyType: "PHONE" }, ["PHONE", `+55${pixKey}`]);
  const answer = await expectNoSideEffects(company, () => requestWithdraw(company, { pixKey }));
  await expectProblem(answer, {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: ["pixKeyType"],
  });
});

it.each(INVALID)("VALIDATION_FAILED: $declaredType $input", async ({ input, declaredType }) => {
  const company = await sharedFundedCompany();
  const answer = await expectNoSideEffects(company, () =>
    requestWithdraw(company, { pixKey: input, pixKeyType: declaredType }),
  );
  await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["pixKey"] });
});
