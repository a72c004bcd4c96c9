import { describe, expect, it } from "vitest";
import { call, type Answer, type Call } from "../../support/builders/requests/api.ts";
import { givenCompany, type TestCompany } from "../../support/builders/companies/company.ts";
import { expectNoSideEffects } from "../../support/probes/ledger/footprint.ts";
import { expectProblem } from "../../support/probes/http/problem.ts";
import { sharedCompany } from "../../support/builders/companies/shared-company.ts";

const MAX_BYTES = 64 * 1024;
const HUGE_BYTES = 60_000_000;
const KEY = { "Idempotency-Key": "k_1" };

/** The routes that read a body, each with one that it takes. */
const ROUTES: [path: string, method: string, body: object][] = [
  ["/api/v1/transactions/create", "POST", { amount: 1_000, paymentMethod: "PIX" }],
  ["/api/Withdraw/request", "POST", { amount: 1_000 }],
  ["/api/v1/webhooks/endpoint", "PUT", { url: "https://loja.example.com/" }],
];

type Send = (company: TestCompany, options: Call) => Promise<Answer>;

describe.each(ROUTES)("the body of %s", (path, method, body) => {
  const send: Send = (company, options) =>
    expectNoSideEffects(company, () =>
      call(path, { method, company, ...options, headers: { ...KEY, ...options.headers } }),
    );

  it.each([
    ["nothing", ""],
    ["an open object", "{"],
    ["text", "hello"],
    ["a trailing comma", '{"amount":1000,}'],
    ["single quotes", "{'amount':1000}"],
    ["NaN", '{"amount":NaN}'],
    ["two documents", `${JSON.stringify(body)}{}`],
    ["a control character in a string", '{"description":"a\u0001"}'],
  ])("MALFORMED_JSON: %s", async (_what, rawBody) => {
    const company = await sharedCompany();
    await expectProblem(await send(company, { rawBody }), {
      status: 400,
      code: "MALFORMED_JSON",
    });
  });

  it.each(["null", "[]", "[{}]", "1", '"x"', "true"])(
    "VALIDATION_FAILED: %s is not an object",
    async (rawBody) => {
      const company = await sharedCompany();
      await expectProblem(await send(company, { rawBody }), {
        status: 400,
        code: "VALIDATION_FAILED",
        fields: ["body"],
      });
    },
  );

  it.each([
    ["arrays", "[", "]"],
    ["objects", '{"a":', "}"],
    ["arrays with decimals", "[1.0,", "]"],
  ])("MALFORMED_JSON: thousands of levels of nested %s", async (_what, open, close) => {
    const company = await sharedCompany();
    const depth = 1_300;
    const rawBody = `{"metadata":${open.repeat(depth)}1${close.repeat(depth)}}`;
    await expectProblem(await send(company, { rawBody }), { status: 400, code: "MALFORMED_JSON" });
  });

  it("BODY_TOO_LARGE: 64 KiB and one byte, with or without Content-Length", async () => {
    const company = await sharedCompany();
    const rawBody = JSON.stringify(body).padEnd(MAX_BYTES + 1, " ");
    await expectProblem(await send(company, { rawBody }), { status: 413, code: "BODY_TOO_LARGE" });
    const headers = { "Content-Length": String(rawBody.length) };
    await expectProblem(await send(company, { rawBody, headers }), {
      status: 413,
      code: "BODY_TOO_LARGE",
    });
  });

  it("BODY_TOO_LARGE: a stream of 60 MB, of which at most 64 KiB are read", async () => {
    const company = await sharedCompany();
    let sent = 0;
    const rawBody = new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = new Uint8Array(16_384).fill(0x20);
        sent += chunk.length;
        controller.enqueue(chunk);
        if (sent >= HUGE_BYTES) controller.close();
      },
    });
    await expectProblem(await send(company, { rawBody }), { status: 413, code: "BODY_TOO_LARGE" });
    expect(sent).toBeLessThan(4 * MAX_BYTES);
  });

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/xml",
    "application/jsonp",
    "application/merge-patch+json",
    "application/json, application/json",
  ])("UNSUPPORTED_MEDIA_TYPE: %s", async (type) => {
    const company = await sharedCompany();
    const rawBody = JSON.stringify(body);
    await expectProblem(await send(company, { rawBody, headers: { "Content-Type": type } }), {
      status: 415,
      code: "UNSUPPORTED_MEDIA_TYPE",
    });
  });

  it("UNSUPPORTED_MEDIA_TYPE: no media type", async () => {
    const company = await sharedCompany();
    const bytes = new TextEncoder().encode(JSON.stringify(body));
    const answer = await expectNoSideEffects(company, () =>
      call(path, {
        method,
        headers: { ...company.credentials, ...KEY, "Content-Type": "" },
        rawBody: bytes,
      }),
    );
    await expectProblem(answer, { status: 415, code: "UNSUPPORTED_MEDIA_TYPE" });
  });

  it.each([
    "application/json",
    "Application/JSON",
    "application/json; charset=utf-8",
    "application/json;charset=UTF-8",
    'application/json; charset="utf-8"',
    "application/json ; charset=utf-8",
    "application/json;",
  ])("accepts %s", async (type) => {
    const company = await givenCompany({ balance: 10_000 });
    const answer = await call(path, {
      method,
      company,
      rawBody: JSON.stringify(body),
      headers: { ...KEY, "Content-Type": type },
    });
    expect(answer.text).not.toContain("INTERNAL_ERROR");
    expect([200, 201]).toContain(answer.status);
  });

  it("accepts exactly 64 KiB", async () => {
    const company = await givenCompany({ balance: 10_000 });
    const rawBody = JSON.stringify(body).padEnd(MAX_BYTES, " ");
    const answer = await call(path, { method, company, rawBody, headers: KEY });
    expect([200, 201]).toContain(answer.status);
  });
});

it("MALFORMED_JSON: the same member twice, with its place", async () => {
  const company = await givenCompany();
  const answer = await call("/api/v1/transactions/create", {
    company,
    rawBody: '{"amount":1,\n "amount":2,"paymentMethod":"PIX"}',
  });
  await expectProblem(answer, { status: 400, code: "MALFORMED_JSON" });
  expect(answer.body.detail).toContain("line 2, column 2");
});

it.each(["gzip", "x-gzip", "BR", "identity, zstd"])(
  "UNSUPPORTED_MEDIA_TYPE: a body that is compressed with %s",
  async (encoding) => {
    const company = await givenCompany();
    const answer = await call("/api/v1/transactions/create", {
      company,
      rawBody: "x",
      headers: { "Content-Encoding": encoding, "Content-Type": "application/json" },
    });
    await expectProblem(answer, { status: 415, code: "UNSUPPORTED_MEDIA_TYPE" });
    expect(answer.headers.get("Accept-Encoding")).toBe("identity");
  },
);

it.each(["", "identity", "UTF-8"])("a body with the encoding %j is read", async (encoding) => {
  const company = await givenCompany();
  const answer = await call("/api/v1/transactions/create", {
    company,
    body: { amount: 1_000, paymentMethod: "PIX" },
    headers: { "Content-Encoding": encoding },
  });
  expect(answer.status).toBe(200);
});

it.each([
  ['{"amount":49.0,"paymentMethod":"PIX"}', ["amount"]],
  ['{"amount":4.9e1,"paymentMethod":"PIX"}', ["amount"]],
  ['{"amount":49,"paymentMethod":"PIX","items":[{},{"unitPrice":1.0}]}', ["items.1.unitPrice"]],
])("VALIDATION_FAILED: %s has an integer with a decimal point", async (rawBody, fields) => {
  const company = await givenCompany();
  const answer = await call("/api/v1/transactions/create", { company, rawBody });
  await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields });
});

it("metadata may have decimals", async () => {
  const company = await givenCompany();
  const rawBody = '{"amount":49,"paymentMethod":"PIX","metadata":{"weight":1.0}}';
  expect((await call("/api/v1/transactions/create", { company, rawBody })).status).toBe(200);
});
