import { expect, it } from "vitest";
import { env } from "../../../../support/builders/companies/company.ts";
import { expectNoSideEffects } from "../../../../support/probes/ledger/footprint.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { createTransaction } from "../../../../support/builders/charges/transaction.ts";
import { sharedCompany } from "../../../../support/builders/companies/shared-company.ts";
import { REFUSED_TARGETS } from "../../../../support/builders/webhooks/webhook-targets.ts";

/** A deployed configuration: http to loopback is for local development only. */
const deployed = { ...env, ALLOW_HTTP_LOOPBACK_WEBHOOKS: "false" };
const HOST = "https://loja.example.com/";

it.each(REFUSED_TARGETS)("VALIDATION_FAILED: rejects $family", async ({ targets }) => {
  const company = await sharedCompany();
  await expectNoSideEffects(company, async () => {
    for (const [name, postbackUrl] of targets) {
      const answer = await createTransaction(company, { postbackUrl }, { env: deployed });
      expect(answer.status, `${name}: ${postbackUrl}`).toBe(400);
      await expectProblem(answer, {
        status: 400,
        code: "VALIDATION_FAILED",
        fields: ["postbackUrl"],
      });
    }
  });
});

it("VALIDATION_FAILED: rejects a URL longer than 2,048 characters", async () => {
  const company = await sharedCompany();
  const longest = HOST + "x".repeat(2_048 - HOST.length);
  expect((await createTransaction(company, { postbackUrl: longest })).status).toBe(200);
  const answer = await createTransaction(company, { postbackUrl: `${longest}x` });
  await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["postbackUrl"] });
});

it("a public https URL is accepted and stored unchanged", async () => {
  const company = await sharedCompany();
  for (const postbackUrl of ["https://loja.example.com", "https://LOJA.example.com:443/A?b=c#d"]) {
    const { body } = await createTransaction(company, { postbackUrl }, { env: deployed });
    expect(body.data.postbackUrl).toBe(postbackUrl);
  }
});

it("http to loopback is accepted only if the variable allows it", async () => {
  const company = await sharedCompany();
  const postbackUrl = "http://127.0.0.1:9000/hook";
  const allowed = { ...env, ALLOW_HTTP_LOOPBACK_WEBHOOKS: "true" };
  expect((await createTransaction(company, { postbackUrl }, { env: allowed })).status).toBe(200);
});
