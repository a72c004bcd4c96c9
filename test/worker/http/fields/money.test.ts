import { expect, it } from "vitest";
import { call } from "../../../support/builders/requests/api.ts";
import { expectNoSideEffects } from "../../../support/probes/ledger/footprint.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { sharedFundedCompany } from "../../../support/builders/companies/shared-company.ts";
import vectors from "../../../vectors/money.json";

const FLOATS = vectors.floatPitfalls.map(({ reaisNumber }) => String(reaisNumber));
const STRINGS = vectors.pixApiValorToCentavos.map(({ input }) => JSON.stringify(input));
const AMOUNTS = [
  ...FLOATS,
  ...STRINGS,
  "1e400",
  "-1e400",
  "2500.5",
  "4900.0",
  "2.5e3",
  "true",
  "null",
  "[2500]",
];

const ROUTES: Record<string, { path: string; body: string; headers: Record<string, string> }> = {
  create: { path: "/api/v1/transactions/create", body: '"paymentMethod":"PIX"', headers: {} },
  withdraw: {
    path: "/api/Withdraw/request",
    body: '"description":"vectors"',
    headers: { "Idempotency-Key": "vectors" },
  },
};

it.each(Object.keys(ROUTES))(
  "VALIDATION_FAILED: %s accepts only whole centavos as a JSON number",
  async (name) => {
    const { path, body, headers } = ROUTES[name]!;
    const company = await sharedFundedCompany();
    await expectNoSideEffects(company, async () => {
      for (const amount of AMOUNTS) {
        const rawBody = `{"amount":${amount},${body}}`;
        const answer = await call(path, {
          method: "POST",
          company,
          rawBody,
          headers: { "Content-Type": "application/json", ...headers },
        });
        expect(answer.status, amount).toBe(400);
        await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["amount"] });
      }
    });
  },
);
