import { expect, it } from "vitest";
import { env } from "../../support/company.ts";
import { leavingNoTrace } from "../../support/footprint.ts";
import { expectProblem } from "../../support/problem.ts";
import { createTransaction } from "../../support/transaction.ts";
import { sharedCompany } from "../../support/shared-company.ts";

/** As deployed: http to loopback is for local development only. */
const deployed = { ...env, ALLOW_HTTP_LOOPBACK_WEBHOOKS: "false" };
const HOST = "https://loja.example.com/";

it.each([
  "http://loja.example.com/hook",
  "http://localhost:9000/hook",
  "http://127.0.0.1:9000/hook",
  "https://localhost/hook",
  "https://127.0.0.1/hook",
  "https://2130706433/hook",
  "https://0x7f.1/hook",
  "https://[::1]/hook",
  "https://[::ffff:127.0.0.1]/hook",
  "https://10.0.0.1/hook",
  "https://169.254.169.254/latest/meta-data",
  "https://loja.example.com:8443/hook",
  "https://user:secret@loja.example.com/hook",
  "https://intranet/hook",
  "https://banco.internal/hook",
  "https://impressora.local/hook",
  "https://localhost./hook",
  "ftp://loja.example.com/hook",
  "javascript:alert(1)",
  "/hook",
  "loja.example.com/hook",
  " ",
])("VALIDATION_FAILED: no webhook is ever sent to %s", async (postbackUrl) => {
  const company = await sharedCompany();
  const answer = await leavingNoTrace(company, () =>
    createTransaction(company, { postbackUrl }, { env: deployed }),
  );
  await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["postbackUrl"] });
});

it("VALIDATION_FAILED: a URL longer than 2,048 characters", async () => {
  const company = await sharedCompany();
  const longest = HOST + "x".repeat(2_048 - HOST.length);
  expect((await createTransaction(company, { postbackUrl: longest })).status).toBe(200);
  const answer = await createTransaction(company, { postbackUrl: `${longest}x` });
  await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["postbackUrl"] });
});

it("a public https URL is taken and kept as it was written", async () => {
  const company = await sharedCompany();
  for (const postbackUrl of ["https://loja.example.com", "https://LOJA.example.com:443/A?b=c#d"]) {
    const { body } = await createTransaction(company, { postbackUrl }, { env: deployed });
    expect(body.data.postbackUrl).toBe(postbackUrl);
  }
});

it("http to loopback is taken only where the variable allows it", async () => {
  const company = await sharedCompany();
  const postbackUrl = "http://127.0.0.1:9000/hook";
  const allowed = { ...env, ALLOW_HTTP_LOOPBACK_WEBHOOKS: "true" };
  expect((await createTransaction(company, { postbackUrl }, { env: allowed })).status).toBe(200);
});
