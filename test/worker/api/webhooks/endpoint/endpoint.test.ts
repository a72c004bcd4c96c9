import { expect, it } from "vitest";
import { call, type Answer } from "../../../../support/builders/requests/api.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { invalidValuesOf } from "../../../../support/builders/requests/invalid-values.ts";
import { sharedCompany } from "../../../../support/builders/companies/shared-company.ts";
import { REFUSED_TARGETS } from "../../../../support/builders/webhooks/webhook-targets.ts";

const PATH = "/api/v1/webhooks/endpoint";
const URL_OF_SHOP = "https://loja.example.com/webhooks";

const show = (company: TestCompany): Promise<Answer> => call(PATH, { company });
const put = (company: TestCompany, body: unknown, options = {}): Promise<Answer> =>
  call(PATH, { method: "PUT", company, body, ...options });

it("a company has no webhook URL until it sets one", async () => {
  const company = await givenCompany();
  const answer = await show(company);
  expect(answer.status).toBe(200);
  expect(answer.body).toStrictEqual({ url: "" });
});

it("the URL is shown, replaced and removed", async () => {
  const company = await givenCompany();
  for (const url of [URL_OF_SHOP, `${URL_OF_SHOP}/2`, ""]) {
    const answer = await put(company, { url });
    expect(answer.status).toBe(200);
    expect(answer.body).toStrictEqual({ url });
    expect((await show(company)).body).toStrictEqual({ url });
  }
});

it("each company has its own URL", async () => {
  const [ours, theirs] = [await givenCompany(), await givenCompany()];
  await put(ours, { url: URL_OF_SHOP });
  expect((await show(theirs)).body).toStrictEqual({ url: "" });
});

it("VALIDATION_FAILED: rejects a missing url and a url that is not a string", async () => {
  const company = await sharedCompany();
  for (const body of [
    {},
    ...invalidValuesOf("string", { required: true }).map((url) => ({ url })),
  ]) {
    await expectProblem(await put(company, body), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["url"],
    });
  }
});

it.each(REFUSED_TARGETS)(
  "VALIDATION_FAILED: rejects $family and keeps the old URL",
  async ({ targets }) => {
    const company = await givenCompany();
    await put(company, { url: URL_OF_SHOP });
    const deployed = { ...env, ALLOW_HTTP_LOOPBACK_WEBHOOKS: "false" };
    for (const [name, url] of targets) {
      const answer = await put(company, { url }, { env: deployed });
      expect(answer.status, `${name}: ${url}`).toBe(400);
      await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["url"] });
    }
    expect((await show(company)).body).toStrictEqual({ url: URL_OF_SHOP });
  },
);
