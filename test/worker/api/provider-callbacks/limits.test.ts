import { describe, expect, it } from "vitest";
import { PSP_CALLS_MAX } from "../../../../src/api/provider-callbacks/notifications.ts";
import { newCallbackToken } from "../../../../src/api/provider-callbacks/token.ts";
import { STORED_CALLBACKS } from "../../../../src/domain/storage/stored-callbacks.ts";
import { systemRandom } from "../../../../src/domain/shared/clock.ts";
import { env } from "../../../support/builders/companies/company.ts";
import { postCallback, givenPsp, type PspSetup } from "../../../support/builders/providers/psp.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { countRoundTrips } from "../../../support/probes/database/round-trips.ts";
import { storedCallbacks } from "../../../support/probes/providers/callbacks.ts";

/** A body that counts what was read of it. */
function countedBody() {
  let read = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        read += 1;
        if (read > 100) controller.close();
        else controller.enqueue(new Uint8Array(16_384).fill(0x20));
      },
    },
    { highWaterMark: 0 },
  );
  return { body, read: () => read };
}

function notices(count: number): string {
  const pix = Array.from({ length: count }, (_, index) => ({
    endToEndId: `E1234567820261122123300000000${String(index).padStart(3, "0")}`,
    valor: "1.00",
    horario: "2026-11-22T12:33:00.000Z",
  }));
  return JSON.stringify({ pix });
}

describe("a callback with a wrong token", () => {
  it.each([
    ["no token", "wrong", 0],
    ["a token of no company", newCallbackToken(9_999_999, systemRandom), 1],
  ])("%s: its body is not read, and D1 at most once", async (_what, token, trips) => {
    const { body, read } = countedBody();
    const counted = countRoundTrips();
    const answer = await call(`/callbacks/pix-api/${token}/pix`, {
      method: "POST",
      rawBody: body,
      env: counted.env,
    });
    expect({ status: answer.status, code: answer.body.code }).toEqual({
      status: 404,
      code: "NOT_FOUND",
    });
    expect(read()).toBe(0);
    expect(counted.lap().trips).toHaveLength(trips);
  });
});

describe("one callback", () => {
  it("causes at most the named number of calls to the PSP, however many notices it has", async () => {
    const world = await givenPsp();
    const before = world.psp.requests.length;
    const { status } = await postCallback(world, world.configured.callbackUrl, notices(100));
    expect(status).toBe(200);
    const calls = world.psp.requests.length - before;
    expect(calls).toBeGreaterThan(5);
    expect(calls).toBeLessThanOrEqual(PSP_CALLS_MAX);
    expect(await storedCallbacks(world.company)).toHaveLength(100);
  });

  it("does so also if the PSP refuses each access token once", async () => {
    const world = await givenPsp();
    const fetch = world.psp.answer.bind(world.psp);
    const before = world.psp.requests.length;
    world.psp.answer = (request) => {
      if (!request.url.includes("/oauth/")) world.psp.revokeTokens();
      return fetch(request);
    };
    await postCallback(world, world.configured.callbackUrl, notices(100));
    expect(world.psp.requests.length - before).toBeLessThanOrEqual(PSP_CALLS_MAX);
  });
});

it.each([
  ["told", null, STORED_CALLBACKS.company],
  ["unreadable", { kind: "unreadable" }, STORED_CALLBACKS.companyUnreadable],
])(
  "the %s callbacks of a company's accounts have one ceiling, however many accounts it has",
  async (_what, report, ceiling) => {
    const world = await givenPsp();
    const ofAccount = report === null ? STORED_CALLBACKS.account : STORED_CALLBACKS.unreadable;
    for (let account = 0; account < ceiling / ofAccount; account += 1)
      await fill(world, `other${account}`, report, ofAccount);

    const refused = await call(new URL(world.configured.callbackUrl).pathname, {
      rawBody: report === null ? notices(1) : '{"pix":[{"surprise":"2027"}]}',
      ...world.options,
    });

    expect(refused).toMatchObject({ status: 503, body: { code: "STORAGE_UNAVAILABLE" } });
    expect(await storedCallbacks(world.company)).toHaveLength(ceiling);
    await env.DB.prepare("DELETE FROM callbacks WHERE company_id = ?").bind(world.company.id).run();
  },
);

describe("a token", () => {
  it("TOO_MANY_REQUESTS: is limited by itself, before D1 and the body are read", async () => {
    const [world, other] = [await givenPsp(), await givenPsp()];
    const keys: string[] = [];
    const limited = (setup: PspSetup) => ({
      ...setup.env,
      LIMIT_CALLBACK_TOKENS: {
        limit: async ({ key }: { key: string }) => {
          keys.push(key);
          return { success: key !== keys[0] || keys.length === 1 };
        },
      },
    });
    const send = (setup: PspSetup) => {
      const options = { ...setup.options, env: limited(setup) };
      return postCallback({ options }, setup.configured.callbackUrl, notices(1));
    };
    expect((await send(world)).status).toBe(200);
    const refused = await send(world);
    expect(refused).toMatchObject({ status: 429, body: { code: "TOO_MANY_REQUESTS" } });
    expect((await send(other)).status).toBe(200);
    expect(keys.join()).not.toContain(world.configured.callbackUrl.split("/").at(-1));
  });
});

it("TOO_MANY_REQUESTS: the accounts of a company share one limit", async () => {
  const [world, other] = [await givenPsp(), await givenPsp()];
  const send = (setup: PspSetup) => {
    const limiter = {
      limit: async ({ key }: { key: string }) => ({
        success: key !== `company-${world.company.id}`,
      }),
    };
    const options = { ...setup.options, env: { ...setup.env, LIMIT_CALLBACK_TOKENS: limiter } };
    return postCallback({ options }, setup.configured.callbackUrl, notices(1));
  };

  expect(await send(world)).toMatchObject({ status: 429, body: { code: "TOO_MANY_REQUESTS" } });
  expect((await send(other)).status).toBe(200);
});

/** Stored callbacks of an account, all with the same report; as many as it may have. */
async function fill(
  { company }: PspSetup,
  account: string,
  report: object | null = null,
  count: number = STORED_CALLBACKS.account,
) {
  await env.DB.prepare(
    `INSERT INTO callbacks (id, company_id, object_id, due_at, attempts, account, told)
     SELECT ?1 || '-' || ?4 || '-' || value, ?1, 'record:' || value, ?2, 0, ?4, ?5 FROM json_each(?3)`,
  )
    .bind(
      company.id,
      Number.MAX_SAFE_INTEGER,
      JSON.stringify(Array.from({ length: count }, (_, index) => index)),
      account,
      report === null ? null : JSON.stringify(report),
    )
    .run();
}

it.each([
  ["told", null, STORED_CALLBACKS.account],
  ["unreadable", { kind: "unreadable" }, STORED_CALLBACKS.unreadable],
])(
  "the %s callbacks of a silent account leave the company's others their room",
  async (_what, report, stored) => {
    const world = await givenPsp();
    await fill(world, "silent", report, stored);
    const body = '{"pix":[{"surprise":"2027"},{"endToEndId":"Eone"}]}';
    expect((await postCallback(world, world.configured.callbackUrl, body)).status).toBe(200);
    expect(await storedCallbacks(world.company)).toHaveLength(stored + 2);
    await env.DB.prepare("DELETE FROM callbacks WHERE company_id = ?").bind(world.company.id).run();
  },
);

it("an account with too many stored callbacks gets 503 with Retry-After, and others none", async () => {
  const [full, other] = [await givenPsp(), await givenPsp()];
  await fill(full, "first");
  const refused = await call(new URL(full.configured.callbackUrl).pathname, {
    rawBody: notices(1),
    ...full.options,
  });
  expect({ status: refused.status, code: refused.body.code }).toEqual({
    status: 503,
    code: "STORAGE_UNAVAILABLE",
  });
  expect(refused.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
  expect((await postCallback(other, other.configured.callbackUrl, notices(1))).status).toBe(200);
  await env.DB.prepare("DELETE FROM callbacks WHERE company_id = ?").bind(full.company.id).run();
});
