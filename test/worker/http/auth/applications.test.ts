import { describe, expect, it } from "vitest";
import { credentialsVersionOf } from "../../../../src/db/companies/credentials-version.ts";
import { createApp } from "../../../../src/app.ts";
import { givenApplication } from "../../../support/builders/companies/application.ts";
import { issueKey, revokeKey } from "../../../support/builders/companies/credentials.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { freshIsolate } from "../../../support/builders/companies/isolate.ts";
import { call, type Answer } from "../../../support/builders/requests/api.ts";
import { createTransaction } from "../../../support/builders/charges/transaction.ts";
import { requestWithdraw } from "../../../support/builders/withdraws/withdraw.ts";
import { changedBefore } from "../../../support/faults/changed-before.ts";
import { withD1 } from "../../../support/faults/faulty-env.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { countRoundTrips } from "../../../support/probes/database/round-trips.ts";
import { expectNoSideEffects } from "../../../support/probes/ledger/footprint.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const LIST = "/api/Transaction/company/transactions";
const UNAUTHORIZED = { status: 401, code: "INVALID_CREDENTIALS" };
const HOUR_MS = 3_600_000;

const from = (address: string) => ({ "CF-Connecting-IP": address });

/** Reads with an isolate of its own, which caches credentials from the first success on. */
function reader(company: TestCompany, clock = new TestClock()) {
  const deps = { ...freshIsolate(), platformClock: clock };
  return (headers: Record<string, string> = {}): Promise<Answer> =>
    call(LIST, { company, deps, headers });
}

/** A 401 without what differs from request to request. */
function commonPart({ body }: Answer): unknown {
  const { traceId: _traceId, instance: _instance, ...rest } = body;
  return rest;
}

describe("an application with networks", () => {
  const networks = ["203.0.113.0/24", "2001:db8::/32"];

  it("is admitted from them, and from elsewhere is refused as any wrong key is", async () => {
    const company = await givenApplication(await givenCompany(), { networks });
    const wrong = await call(LIST, {
      headers: { "X-Client-Id": company.clientId, "X-API-Key": "sk_test_unknown" },
    });
    const read = reader(company);
    // The first round reads the credentials, the second has them cached.
    for (let round = 0; round < 2; round++) {
      for (const address of ["203.0.113.255", "2001:db8:ffff::1", "::ffff:203.0.113.9"]) {
        expect((await read(from(address))).status).toBe(200);
      }
      for (const headers of [
        from("203.0.114.0"),
        from("2001:db9::1"),
        from("not an address"),
        {},
        { "X-Forwarded-For": "203.0.113.9" },
        { ...from("198.51.100.1"), "X-Forwarded-For": "203.0.113.9" },
        { ...from("198.51.100.1"), Forwarded: "for=203.0.113.9", "X-Real-IP": "203.0.113.9" },
      ]) {
        const refused = await read(headers);
        await expectProblem(refused, UNAUTHORIZED);
        expect(commonPart(refused)).toEqual(commonPart(wrong));
      }
    }
  });

  it("moves no money from elsewhere, also with cached credentials", async () => {
    const company = await givenCompany({ balance: 10_000 });
    const application = await givenApplication(company, { networks });
    const deps = freshIsolate();
    const withdraw = (address: string) =>
      requestWithdraw(application, {}, { deps, headers: from(address) });
    expect((await withdraw("203.0.113.9")).status).toBe(201);
    await expectNoSideEffects(company, async () => {
      await expectProblem(await withdraw("198.51.100.1"), UNAUTHORIZED);
    });
  });
});

describe("an application with an end", () => {
  it("is refused from that millisecond on, also with cached credentials", async () => {
    const clock = new TestClock();
    const company = await givenApplication(await givenCompany(), {
      expiresAt: clock.now() + 1_000,
    });
    const read = reader(company, clock);
    expect((await read()).status).toBe(200);
    clock.advance(999);
    expect((await read()).status).toBe(200);
    clock.advance(1);
    await expectProblem(await read(), UNAUTHORIZED);
    await expectProblem(await reader(company, clock)(), UNAUTHORIZED);
  });
});

describe("a key of another application of the same company", () => {
  it("INVALID_CREDENTIALS: opens nothing, cached or not", async () => {
    const company = await givenCompany();
    const other = await givenApplication(company);
    const deps = freshIsolate();
    for (let round = 0; round < 2; round++) {
      for (const [mine, theirs] of [
        [company, other],
        [other, company],
      ] as const) {
        const headers = { "X-Client-Id": mine.clientId, "X-API-Key": theirs.apiKey };
        await expectProblem(await call(LIST, { deps, headers }), UNAUTHORIZED);
        expect((await call(LIST, { deps, company: mine })).status).toBe(200);
      }
    }
  });

  it("INVALID_CREDENTIALS: stays refused when it is issued while credentials are cached", async () => {
    const company = await givenCompany();
    const other = await givenApplication(company);
    const deps = freshIsolate();
    expect((await call(LIST, { deps, company })).status).toBe(200);
    const headers = { "X-Client-Id": company.clientId, "X-API-Key": await issueKey(other) };
    await expectProblem(await call(LIST, { deps, headers }), UNAUTHORIZED);
  });
});

describe("a key that is revoked between its check and the write", () => {
  it.each(["cached", "fresh"])(
    "INVALID_CREDENTIALS: creates no charge with %s credentials",
    async (kind) => {
      const company = await givenCompany();
      const application = await givenApplication(company);
      const deps = freshIsolate();
      if (kind === "cached") await call(LIST, { company: application, deps });
      const environment = changedBefore(/insert into "transactions"/, () =>
        revokeKey(application.apiKey),
      );
      await expectNoSideEffects(company, async () => {
        const answer = await createTransaction(application, {}, { deps, env: environment });
        await expectProblem(answer, UNAUTHORIZED);
      });
    },
  );

  it("INVALID_CREDENTIALS: shows nothing that was read meanwhile", async () => {
    const company = await givenCompany();
    const application = await givenApplication(company);
    const deps = freshIsolate();
    expect((await call(LIST, { company: application, deps })).status).toBe(200);
    const environment = changedBefore(/credentials_version/, () => revokeKey(application.apiKey));
    const answer = await call(LIST, { company: application, deps, env: environment });
    await expectProblem(answer, UNAUTHORIZED);
  });
});

const lastUsedAt = ({ clientId }: TestCompany) =>
  env.DB.prepare("SELECT last_used_at AS at FROM api_keys WHERE client_id = ?")
    .bind(clientId)
    .first<number>("at");

/** Requests with fresh credentials each, and the statements that record a use. */
function recordingReader(company: TestCompany, clock: TestClock) {
  const uses: string[] = [];
  const environment = withD1(env, (label, run) => {
    if (/update "api_keys" set "last_used_at"/.test(label)) uses.push(label);
    return run();
  });
  const read = async () => {
    const waiting: Promise<unknown>[] = [];
    const context = {
      waitUntil: (work: Promise<unknown>) => void waiting.push(work),
      passThroughOnException: () => undefined,
      props: {},
    };
    const answer = await createApp({ ...freshIsolate(), platformClock: clock }).fetch(
      new Request(`https://localhost${LIST}`, { headers: company.credentials }),
      environment,
      context,
    );
    expect(answer.status).toBe(200);
    await answer.text();
    await Promise.all(waiting);
  };
  return { read, uses };
}

describe("the last use of a key", () => {
  it("is written once an hour, not for each request, and raises no version", async () => {
    const company = await givenApplication(await givenCompany());
    const clock = new TestClock();
    const first = clock.now();
    const version = await credentialsVersionOf(env, company.id);
    const { read, uses } = recordingReader(company, clock);
    for (let requests = 0; requests < 5; requests++) {
      await read();
      clock.advance(60_000);
    }
    expect(uses).toHaveLength(1);
    expect(await lastUsedAt(company)).toBe(first);
    clock.advance(HOUR_MS);
    await read();
    expect(uses).toHaveLength(2);
    expect(await lastUsedAt(company)).toBe(clock.now());
    expect(await credentialsVersionOf(env, company.id)).toBe(version);
  });

  it("is not of a key that was refused", async () => {
    const company = await givenApplication(await givenCompany(), { networks: ["10.0.0.0/8"] });
    await expectProblem(await call(LIST, { company }), UNAUTHORIZED);
    expect(await lastUsedAt(company)).toBeNull();
  });

  it("costs requests with cached credentials nothing", async () => {
    const company = await givenApplication(await givenCompany());
    const deps = freshIsolate();
    await call(LIST, { company, deps });
    const trips = countRoundTrips();
    await call(LIST, { company, deps, env: trips.env });
    expect(trips.lap().trips.filter((label) => /api_keys/.test(label))).toEqual([]);
  });
});
