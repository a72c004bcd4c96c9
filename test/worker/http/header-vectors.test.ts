import { expect, it } from "vitest";
import { call } from "../../support/builders/requests/api.ts";
import { givenCompany } from "../../support/builders/companies/company.ts";
import { expectNoSideEffects } from "../../support/probes/ledger/footprint.ts";
import { expectProblem } from "../../support/probes/http/problem.ts";
import { sharedCompany } from "../../support/builders/companies/shared-company.ts";
import { createTransaction } from "../../support/builders/charges/transaction.ts";
import vectors from "../../vectors/http_headers.json";

/**
 * The API rejects parameters, lists and escaped quotes, although the draft's grammar allows
 * them.
 */
const IS_KEY = /^\s*("?)[\w.:-]+\1\s*$/;
const KEYS = vectors.idempotencyKey.map(({ headerValue }) => headerValue);

it("a key with quotes, without quotes and with surrounding spaces is one key", async () => {
  const company = await givenCompany();
  const written = KEYS.filter((key) => IS_KEY.test(key));
  expect(written).toHaveLength(4);
  const keys = new Set<string>();
  for (const key of written) {
    const bare = key.trim().replaceAll('"', "");
    const answer = await createTransaction(company, {}, { key });
    const replayed = await createTransaction(company, {}, { key: bare });
    expect([answer.status, replayed.status], key).toEqual([200, 200]);
    expect(answer.headers.get("Idempotent-Replayed"), key).toBe(keys.has(bare) ? "true" : null);
    expect(replayed.headers.get("Idempotent-Replayed"), key).toBe("true");
    expect(replayed.body).toEqual(answer.body);
    keys.add(bare);
  }
});

it.each(KEYS.filter((key) => !IS_KEY.test(key)))("IDEMPOTENCY_KEY_INVALID: %s", async (key) => {
  const company = await sharedCompany();
  const answer = await expectNoSideEffects(company, () => createTransaction(company, {}, { key }));
  await expectProblem(answer, {
    status: 400,
    code: "IDEMPOTENCY_KEY_INVALID",
    fields: ["Idempotency-Key"],
  });
});

it.each(vectors.traceparent)(
  "the trace of $traceparent equals the one that OpenTelemetry reads",
  async ({ traceparent, otel }) => {
    const answer = await call("/api/v1/transactions/1", { headers: { traceparent } });
    const { traceId } = answer.body;
    expect(traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(traceId === traceparent.split("-")[1]).toBe(otel !== null);
  },
);
