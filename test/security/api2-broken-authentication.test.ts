import { describe, expect, it, vi } from "vitest";
import * as hash from "../../src/lib/hash.ts";
import { call, type Answer } from "../support/builders/requests/api.ts";
import { givenCompany } from "../support/builders/companies/company.ts";
import { issueKey } from "../support/builders/companies/credentials.ts";
import { freshIsolate } from "../support/builders/companies/isolate.ts";
import { OPERATOR_CREDENTIALS } from "../support/builders/companies/operator.ts";
import { countRoundTrips } from "../support/probes/database/round-trips.ts";
import { expectProblem } from "../support/probes/http/problem.ts";

const MERCHANT_PATH = "/api/v1/webhooks/endpoint";
const OPERATOR_PATH = "/api/v1/operator/companies";

/** What an answer says, without what differs in each. */
function common({ body, headers, status }: Answer): unknown {
  const { traceId: _traceId, ...rest } = body;
  return { status, body: rest, headers: [...headers.keys()].toSorted() };
}

/** One request in a new isolate: its answer, and the work that an attacker could time. */
async function measured(path: string, credentials: Record<string, string>) {
  const trips = countRoundTrips();
  const hashed = vi.spyOn(crypto.subtle, "digest");
  const answer = await call(path, {
    company: { credentials },
    env: trips.env,
    deps: freshIsolate(),
  });
  const { inSequence } = trips.lap();
  const work = { trips: inSequence, digests: hashed.mock.calls.length };
  hashed.mockRestore();
  return { answer, work };
}

describe.each([
  ["a merchant's route", MERCHANT_PATH],
  ["an operator's route", OPERATOR_PATH],
])("%s", (_name, path) => {
  it("gives every wrong credential one answer, after the same work", async () => {
    const company = await givenCompany();
    const now = Date.now();
    const clientId =
      path === MERCHANT_PATH ? company.clientId : OPERATOR_CREDENTIALS["X-Client-Id"];
    const wrong = {
      "an unknown client id": { "X-Client-Id": "app_nobody", "X-API-Key": company.apiKey },
      "a wrong key": { "X-Client-Id": clientId, "X-API-Key": "sk_test_wrong" },
      "a key that differs in its last character": {
        "X-Client-Id": clientId,
        "X-API-Key": `${company.apiKey.slice(0, -1)}x`,
      },
      "an expired key": {
        "X-Client-Id": clientId,
        "X-API-Key": await issueKey(company, { expiresAt: now - 1 }),
      },
      "a revoked key": {
        "X-Client-Id": clientId,
        "X-API-Key": await issueKey(company, { revokedAt: now - 1 }),
      },
      "another company's key": {
        "X-Client-Id": clientId,
        "X-API-Key": (await givenCompany()).apiKey,
      },
    };
    const measures = await inTurn(Object.values(wrong), (one) => measured(path, one));
    for (const { answer, work } of measures) {
      await expectProblem(answer, { status: 401, code: "INVALID_CREDENTIALS" });
      expect(common(answer)).toEqual(common(measures[0]!.answer));
      expect(work).toEqual({ trips: 1, digests: 1 });
    }
  });

  it("refuses missing and overlong credentials without a look into the database", async () => {
    const company = await givenCompany();
    const incomplete = [
      {},
      { "X-Client-Id": company.clientId },
      { "X-API-Key": company.apiKey },
      { "X-Client-Id": "a".repeat(256), "X-API-Key": company.apiKey },
      { "X-Client-Id": company.clientId, "X-API-Key": "k".repeat(10_000) },
    ];
    const measures = await inTurn(incomplete, (one) => measured(path, one));
    for (const { answer, work } of measures) {
      await expectProblem(answer, { status: 401, code: "INVALID_CREDENTIALS" });
      expect(work.trips).toBe(0);
    }
  });
});

it("compares the hash of every active key in constant time, also after the right one", async () => {
  const company = await givenCompany();
  await issueKey(company);
  const compared = vi.spyOn(crypto.subtle, "timingSafeEqual");
  for (const key of [company.apiKey, "sk_test_wrong"]) {
    compared.mockClear();
    await call(MERCHANT_PATH, {
      headers: { "X-Client-Id": company.clientId, "X-API-Key": key },
      deps: freshIsolate(),
    });
    expect(compared).toHaveBeenCalledTimes(2);
  }
  compared.mockRestore();
});

it("equal and different texts are told apart whatever their lengths", () => {
  expect(hash.timingSafeEqual("abc", "abc")).toBe(true);
  for (const other of ["abd", "ab", "abcd", "", "ABC"]) {
    expect(hash.timingSafeEqual("abc", other)).toBe(false);
  }
});

it.each([
  ["a bearer token", { Authorization: "Bearer KEY" }],
  ["basic authentication", { Authorization: `Basic ${btoa("app:KEY")}` }],
  ["a cookie", { Cookie: "X-API-Key=KEY" }],
])("%s opens nothing", async (_name, headers) => {
  const company = await givenCompany();
  const sent = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace("KEY", company.apiKey)]),
  );
  const answer = await call(MERCHANT_PATH, { headers: sent });
  await expectProblem(answer, { status: 401, code: "INVALID_CREDENTIALS" });
});

it("credentials in the query open nothing", async () => {
  const { clientId, apiKey } = await givenCompany();
  const answer = await call(`${MERCHANT_PATH}?X-Client-Id=${clientId}&X-API-Key=${apiKey}`);
  await expectProblem(answer, { status: 401, code: "INVALID_CREDENTIALS" });
});

/** One after the other, so that each measure is of one request. */
async function inTurn<Item, Result>(
  items: Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await run(item));
  return results;
}
