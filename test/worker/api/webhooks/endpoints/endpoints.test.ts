import { describe, expect, it } from "vitest";
import { ENDPOINTS_MAX } from "../../../../../src/domain/events/webhook-endpoint.ts";
import { call, type Answer } from "../../../../support/builders/requests/api.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { sharedCompany } from "../../../../support/builders/companies/shared-company.ts";
import {
  ENDPOINTS,
  givenEndpoint,
  postEndpoint,
} from "../../../../support/builders/webhooks/endpoints.ts";
import { REFUSED_TARGETS } from "../../../../support/builders/webhooks/webhook-targets.ts";
import { CONNECTION_LOST, withD1 } from "../../../../support/faults/faulty-env.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";

const SHOP = "https://loja.example.com/webhooks";
const ERP = "https://erp.example.com/webhooks";

const list = (company: TestCompany, query = ""): Promise<Answer> =>
  call(`${ENDPOINTS}${query}`, { company });
const patch = (company: TestCompany, id: string, body: unknown): Promise<Answer> =>
  call(`${ENDPOINTS}/${id}`, { method: "PATCH", company, body });
const remove = (company: TestCompany, id: string): Promise<Answer> =>
  call(`${ENDPOINTS}/${id}`, { method: "DELETE", company });
const putFirst = (company: TestCompany, url: string): Promise<Answer> =>
  call("/api/v1/webhooks/endpoint", { method: "PUT", company, body: { url } });

const idsOf = async (company: TestCompany): Promise<string[]> =>
  (await list(company)).body.items.map((each: { id: string }) => each.id);

describe("making an endpoint", () => {
  it("answers it with a secret of its own, shown once", async () => {
    const company = await givenCompany();
    const answer = await postEndpoint(company, {
      url: ERP,
      events: ["withdraw.paid", "transaction.paid", "transaction.paid"],
      description: " ERP ",
    });
    expect(answer.status).toBe(201);
    await expectDocumented(`POST ${ENDPOINTS}`, answer);
    const { secret, ...shown } = answer.body.data;
    expect(shown).toStrictEqual({
      id: "endpoint_2",
      url: ERP,
      events: ["transaction.paid", "withdraw.paid"],
      description: "ERP",
    });
    expect(secret).toMatch(/^whsec_.{44}$/);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    const listed = await list(company);
    expect(listed.body).toStrictEqual({ items: [shown], after: null, hasMore: false });
    expect(listed.text).not.toContain(secret);
  });

  it("a repeated request with its key makes no second one and gets the same secret", async () => {
    const company = await givenCompany();
    const options = { headers: { "Idempotency-Key": "erp" } };
    const first = await postEndpoint(company, { url: ERP }, options);
    const again = await postEndpoint(company, { url: ERP }, options);
    expect(again.body).toStrictEqual(first.body);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    await expectProblem(await postEndpoint(company, { url: SHOP }, options), {
      status: 409,
      code: "IDEMPOTENCY_KEY_REUSED",
    });
    expect(await idsOf(company)).toEqual(["endpoint_2"]);
    await remove(company, "endpoint_2");
    await expectProblem(await postEndpoint(company, { url: ERP }, options), {
      status: 409,
      code: "INVALID_STATE",
    });
  });

  it("is not done twice if D1's answer is lost", async () => {
    const company = await givenCompany();
    let lost = 0;
    const lossy = withD1(env, async (sql, run) => {
      const answer = await run();
      if (!/insert into "webhook_endpoints"/i.test(sql) || lost > 0) return answer;
      lost += 1;
      throw new Error(CONNECTION_LOST);
    });
    const answer = await postEndpoint(company, { url: ERP }, { env: lossy });
    expect([answer.status, lost]).toEqual([201, 1]);
    expect(await idsOf(company)).toEqual(["endpoint_2"]);
  });

  it("INVALID_STATE: ends at the most of a company, also at once, and a number is never given twice", async () => {
    const company = await givenCompany();
    const answers = await Promise.all(
      Array.from({ length: ENDPOINTS_MAX }, (_, index) =>
        postEndpoint(company, { url: `${ERP}/${index}` }),
      ),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(1);
    await expectProblem(refused[0]!, { status: 409, code: "INVALID_STATE" });
    const newest = `endpoint_${ENDPOINTS_MAX}`;
    await remove(company, newest);
    const made = await givenEndpoint(company, { url: `${ERP}/next` });
    expect(made.id).toBe(`endpoint_${ENDPOINTS_MAX + 1}`);
  });

  it.each([
    ["url", { url: undefined }],
    ["url", { url: "" }],
    ["url", { url: 1 }],
    ["events", { events: [] }],
    ["events.0", { events: ["transaction.unknown"] }],
    ["events.0", { events: ["webhook.test"] }],
    ["events", { events: "*" }],
    ["description", { description: "x".repeat(256) }],
  ])("VALIDATION_FAILED: rejects %s %j", async (field, wrong) => {
    const company = await sharedCompany();
    await expectProblem(await postEndpoint(company, { url: ERP, ...wrong }), {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: [field],
    });
  });

  it.each(REFUSED_TARGETS)("VALIDATION_FAILED: rejects $family", async ({ targets }) => {
    const company = await givenCompany();
    const { id } = await givenEndpoint(company, { url: ERP });
    const deployed = { ...env, ALLOW_HTTP_LOOPBACK_WEBHOOKS: "false" };
    for (const [name, url] of targets) {
      const answers = [
        await postEndpoint(company, { url }, { env: deployed }),
        await call(`${ENDPOINTS}/${id}`, {
          method: "PATCH",
          company,
          body: { url },
          env: deployed,
        }),
      ];
      expect(
        answers.map(({ status }) => status),
        `${name}: ${url}`,
      ).toEqual([400, 400]);
    }
    expect((await list(company)).body.items).toHaveLength(1);
  });
});

describe("the endpoint of before", () => {
  it("is the first of them", async () => {
    const company = await givenCompany();
    await givenEndpoint(company, { url: ERP });
    await putFirst(company, SHOP);
    const { items } = (await list(company)).body;
    expect(items[0]).toStrictEqual({
      id: "endpoint",
      url: SHOP,
      events: ["*"],
      description: "",
    });
    await patch(company, "endpoint", { url: `${SHOP}/2`, events: ["transaction.paid"] });
    const shown = await call("/api/v1/webhooks/endpoint", { company });
    expect(shown.body).toStrictEqual({ url: `${SHOP}/2` });
    expect(await idsOf(company)).toEqual(["endpoint", "endpoint_2"]);
    await remove(company, "endpoint");
    expect(await idsOf(company)).toEqual(["endpoint_2"]);
    expect((await call("/api/v1/webhooks/endpoint", { company })).body).toStrictEqual({ url: "" });
  });

  it("is read by the next request once it was changed", async () => {
    const company = await givenCompany();
    await putFirst(company, SHOP);
    await patch(company, "endpoint", { url: `${SHOP}/2` });
    const shown = await call("/api/v1/webhooks/endpoint", { company });
    expect(shown.body).toStrictEqual({ url: `${SHOP}/2` });
  });
});

describe("changing an endpoint", () => {
  it("keeps what is left out", async () => {
    const company = await givenCompany();
    const { id } = await givenEndpoint(company, { url: ERP, description: "ERP" });
    const answer = await patch(company, id, { events: ["transaction.paid", "*"] });
    expect(answer.status).toBe(200);
    await expectDocumented(`PATCH ${ENDPOINTS}/{id}`, answer);
    expect(answer.body.data).toMatchObject({ url: ERP, events: ["*"], description: "ERP" });
    expect((await patch(company, id, {})).body.data).toStrictEqual(answer.body.data);
  });

  it("VALIDATION_FAILED: refuses the URL of another, not its own", async () => {
    const company = await givenCompany();
    await putFirst(company, SHOP);
    const { id } = await givenEndpoint(company, { url: ERP });
    for (const answer of [
      await patch(company, id, { url: SHOP }),
      await postEndpoint(company, { url: ERP }),
    ]) {
      await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["url"] });
    }
    expect((await patch(company, id, { url: ERP })).status).toBe(200);
  });

  it("NOT_FOUND: of another company, a deleted and an unknown one", async () => {
    const [company, other] = [await givenCompany(), await givenCompany()];
    await givenEndpoint(other, { url: ERP });
    const { id } = await givenEndpoint(company, { url: `${ERP}/2` });
    const gone = await givenEndpoint(company, { url: `${ERP}/3` });
    await remove(company, gone.id);
    for (const unknown of [gone.id, "endpoint", "endpoint_1", "endpoint_99", "postback", "x"]) {
      for (const answer of [
        await patch(company, unknown, { events: ["*"] }),
        await remove(company, unknown),
        await call(`${ENDPOINTS}/${unknown}/rotate-secret`, { method: "POST", company }),
      ]) {
        await expectProblem(answer, { status: 404, code: "NOT_FOUND" });
      }
    }
    await remove(company, id);
    expect(await idsOf(other)).toEqual(["endpoint_2"]);
  });
});

it("rotating its secret answers a new one and leaves the company's as it is", async () => {
  const company = await givenCompany();
  const { id, secret } = await givenEndpoint(company, { url: ERP });
  const answer = await call(`${ENDPOINTS}/${id}/rotate-secret`, {
    method: "POST",
    company,
    body: { overlapHours: 2 },
  });
  expect(answer.status).toBe(201);
  await expectDocumented(`POST ${ENDPOINTS}/{id}/rotate-secret`, answer);
  expect(answer.body.data).toMatchObject({ id, url: ERP });
  expect(answer.body.data.secret).not.toBe(secret);
  const { results } = await env.DB.prepare(
    "SELECT webhook_secrets_previous AS previous FROM companies WHERE id = ?",
  )
    .bind(company.id)
    .all();
  expect(results).toEqual([{ previous: null }]);
});

it("the list goes on after its last endpoint", async () => {
  const company = await givenCompany();
  await putFirst(company, SHOP);
  await givenEndpoint(company, { url: ERP });
  const first = (await list(company, "?limit=1")).body;
  expect(first).toMatchObject({ after: "endpoint", hasMore: true });
  const second = (await list(company, "?limit=1&after=endpoint")).body;
  expect(second).toMatchObject({ items: [{ id: "endpoint_2" }], after: null, hasMore: false });
});

it("the audit trail has each change, without secrets and queries", async () => {
  const company = await givenCompany();
  const { id } = await givenEndpoint(company, { url: `${ERP}?token=very-secret` });
  await patch(company, id, { description: "ERP" });
  await call(`${ENDPOINTS}/${id}/rotate-secret`, { method: "POST", company });
  await remove(company, id);
  const { body, text } = await call("/api/v1/audit", { company });
  expect(body.items.map((entry: any) => [entry.action, entry.target])).toEqual([
    ["endpoint.create", `company:${company.id}`],
    ["endpoint.change", `endpoint:${id}`],
    ["webhook_secret.rotate", `endpoint:${id}`],
    ["endpoint.delete", `endpoint:${id}`],
  ]);
  expect(text).not.toMatch(/very-secret|whsec_/);
});
