import { describe, expect, it } from "vitest";
import { SCOPES } from "../../../../src/domain/shared/company.ts";
import { givenApplication } from "../../../support/builders/companies/application.ts";
import { issueKey, revokeKey, setScopes } from "../../../support/builders/companies/credentials.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { callAsMember, givenMember } from "../../../support/builders/console/members.ts";
import type { Answer } from "../../../support/builders/requests/api.ts";
import {
  issueKeyOf,
  makeApplication,
  patchApplication,
  removeApplication,
  revokeKeyOf,
  shownApplications,
  shownKeys,
  statusesOf,
} from "../../../support/builders/requests/applications.ts";
import { changedBefore } from "../../../support/faults/changed-before.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const FORBIDDEN = { status: 403, code: "FORBIDDEN" };
const INVALID_STATE = { status: 409, code: "INVALID_STATE" };
const UNAUTHORIZED = { status: 401, code: "INVALID_CREDENTIALS" };
const DAY_MS = 86_400_000;
const ADDRESS = { "CF-Connecting-IP": "203.0.113.7" };

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const withdrawing = { scopes: ["withdraws:write"] };

/** A request changes nothing of the company's applications and keys. */
async function expectUnchanged<Any>(company: TestCompany, request: () => Promise<Any>) {
  const state = async () => {
    const applications = await shownApplications(company);
    const keys = await Promise.all(applications.map(({ id }) => shownKeys(company, id)));
    return { applications, keys: keys.flat().map(({ lastUsedAt: _, ...key }) => key) };
  };
  const before = await state();
  const answer = await request();
  expect(await state()).toEqual(before);
  return answer;
}

describe("a person with some scopes", () => {
  it("makes, changes and holds no application that has more", async () => {
    const company = await givenCompany();
    const developer = await givenMember(company, "developer");
    const [key] = await shownKeys(company, company.clientId);
    const application = `/api/v1/applications/${company.clientId}`;
    const more = { name: "ERP", scopes: ["webhooks:read", "withdraws:write"] };
    for (const [method, path, body] of [
      ["POST", "/api/v1/applications", more],
      ["PATCH", application, { name: "mine" }],
      ["PATCH", application, { scopes: ["webhooks:read"] }],
      ["DELETE", application, undefined],
      ["POST", `${application}/keys`, {}],
      ["DELETE", `${application}/keys/${key?.id}`, undefined],
    ] as const) {
      const answer = await expectUnchanged(company, () =>
        callAsMember(company, developer, path, { method, body }),
      );
      expect([method, path, answer.status, answer.body.code]).toEqual([
        method,
        path,
        403,
        "FORBIDDEN",
      ]);
      expect(answer.body.detail).toContain("scopes");
    }
  });

  it("makes one with these scopes, and gives it no more later", async () => {
    const company = await givenCompany();
    const developer = await givenMember(company, "developer");
    const path = "/api/v1/applications";
    const body = { name: "ERP", scopes: ["webhooks:read"] };
    const made = await callAsMember(company, developer, path, { method: "POST", body });
    expect(made.status).toBe(201);
    const own = `${path}/${made.body.data.id}`;
    const issued = await callAsMember(company, developer, `${own}/keys`, {
      method: "POST",
      body: {},
    });
    expect(issued.status).toBe(201);
    const given = await expectUnchanged(company, () =>
      callAsMember(company, developer, own, { method: "PATCH", body: { scopes: ["pii:read"] } }),
    );
    expect([given.status, given.body.code]).toEqual([403, "FORBIDDEN"]);
  });
});

describe("an application with some scopes", () => {
  it("gives these scopes and no other", async () => {
    const company = await givenCompany();
    const limited = await givenApplication(company, { scopes: ["keys:write", "balance:read"] });
    expect((await makeApplication(limited, { scopes: ["balance:read"] })).status).toBe(201);
    for (const scope of SCOPES.filter((each) => !["keys:write", "balance:read"].includes(each))) {
      const answer = await expectUnchanged(company, () =>
        makeApplication(limited, { scopes: ["balance:read", scope] }),
      );
      await expectProblem(answer, FORBIDDEN);
      await expectProblem(await patchApplication(limited, limited.clientId, { scopes: [scope] }), {
        ...FORBIDDEN,
      });
    }
  });

  it("neither changes, deletes nor issues or revokes keys of an application that has more", async () => {
    const company = await givenCompany();
    const limited = await givenApplication(company, { scopes: ["keys:write", "balance:read"] });
    const [{ id: keyId }] = (await shownKeys(company, company.clientId)) as [any];
    for (const request of [
      () => patchApplication(limited, company.clientId, { name: "Mine" }),
      () => patchApplication(limited, company.clientId, { scopes: ["keys:write"] }),
      () => removeApplication(limited, company.clientId),
      () => issueKeyOf(limited, company.clientId),
      () => revokeKeyOf(limited, company.clientId, keyId),
    ]) {
      await expectProblem(await expectUnchanged(company, request), FORBIDDEN);
    }
  });

  it("manages an application that has no more than it has", async () => {
    const company = await givenCompany();
    const limited = await givenApplication(company, { scopes: ["keys:write", "balance:read"] });
    const other = await givenApplication(company, { scopes: ["balance:read"] });
    expect((await patchApplication(limited, other.clientId, { name: "Both" })).status).toBe(200);
    expect((await issueKeyOf(limited, other.clientId)).status).toBe(201);
    const [{ id: keyId }] = (await shownKeys(company, other.clientId)) as [any];
    expect((await revokeKeyOf(limited, other.clientId, keyId)).status).toBe(200);
    expect((await removeApplication(limited, other.clientId)).status).toBe(200);
  });
});

describe("an application with an end and networks", () => {
  const networks = ["203.0.113.0/24"];
  const given = async () => {
    const company = await givenCompany();
    const expiresAt = Date.parse(inDays(10));
    return { company, limited: await givenApplication(company, { networks, expiresAt }) };
  };
  const options = { headers: ADDRESS };

  it.each([
    ["without an end", { networks }],
    ["with a later end", { networks, expiresAt: inDays(11) }],
    ["without networks", { expiresAt: inDays(9) }],
    ["with a wider network", { networks: ["203.0.112.0/23"], expiresAt: inDays(9) }],
  ])("FORBIDDEN: makes none %s", async (_, body) => {
    const { company, limited } = await given();
    const answer = await expectUnchanged(company, () => makeApplication(limited, body, options));
    await expectProblem(answer, FORBIDDEN);
    await expectProblem(
      await patchApplication(
        limited,
        limited.clientId,
        { networks: null, ...body, expiresAt: null },
        options,
      ),
      FORBIDDEN,
    );
  });

  it("makes one that is limited as much, and limits itself further", async () => {
    const { limited } = await given();
    const body = { networks: ["203.0.113.0/25"], expiresAt: inDays(9) };
    expect((await makeApplication(limited, body, options)).status).toBe(201);
    const narrowed = await patchApplication(limited, limited.clientId, body, options);
    expect(narrowed).toMatchObject({ status: 200, body: { data: body } });
    const widened = await patchApplication(limited, limited.clientId, { networks }, options);
    await expectProblem(widened, FORBIDDEN);
  });

  it("neither issues keys of, nor deletes, an application without them", async () => {
    const { company, limited } = await given();
    await expectProblem(await issueKeyOf(limited, company.clientId, {}, options), FORBIDDEN);
    await expectProblem(await removeApplication(limited, company.clientId, options), FORBIDDEN);
  });
});

describe("an application with spending limits", () => {
  const spendingLimits = { dailyLimit: 10_000, pixKeys: ["maria@example.com"], until: null };

  it("FORBIDDEN: gives no other application withdraws, with or without spending limits", async () => {
    const company = await givenCompany();
    const limited = await givenApplication(company, { spendingLimits });
    for (const body of [withdrawing, { ...withdrawing, spendingLimits }]) {
      const answer = await expectUnchanged(company, () => makeApplication(limited, body));
      await expectProblem(answer, FORBIDDEN);
    }
    expect((await makeApplication(limited, { scopes: ["balance:read"] })).status).toBe(201);
  });

  it("FORBIDDEN: does not lift its own spending limits, also not in two steps", async () => {
    const company = await givenCompany();
    const limited = await givenApplication(company, { spendingLimits });
    const change = (body: object) => patchApplication(limited, limited.clientId, body);
    await expectProblem(await change({ spendingLimits: null }), FORBIDDEN);
    await expectProblem(
      await change({ spendingLimits: { ...spendingLimits, dailyLimit: 10_001 } }),
      FORBIDDEN,
    );
    expect(
      (await change({ spendingLimits: { ...spendingLimits, dailyLimit: 5_000 } })).status,
    ).toBe(200);
    expect((await change({ spendingLimits: null, scopes: ["keys:write"] })).status).toBe(202);
    await expectProblem(await change(withdrawing), FORBIDDEN);
  });

  it("FORBIDDEN: issues itself no key of an application that withdraws without one", async () => {
    const company = await givenCompany();
    const limited = await givenApplication(company, { spendingLimits });
    await expectProblem(await issueKeyOf(limited, company.clientId), FORBIDDEN);
    const twin = await givenApplication(company, { spendingLimits });
    await expectProblem(await issueKeyOf(limited, twin.clientId), FORBIDDEN);
    expect((await issueKeyOf(limited, limited.clientId)).status).toBe(201);
  });
});

describe("an application does not lock itself out", () => {
  it.each([
    ["deletes itself", (one: TestCompany) => removeApplication(one, one.clientId)],
    [
      "gives up its keys:write",
      (one: TestCompany) => patchApplication(one, one.clientId, { scopes: ["balance:read"] }),
    ],
    [
      "leaves its own networks",
      (one: TestCompany) =>
        patchApplication(one, one.clientId, { networks: ["10.0.0.0/8"] }, { headers: ADDRESS }),
    ],
    [
      "revokes the key that it comes with",
      async (one: TestCompany) => {
        const [{ id }] = (await shownKeys(one, one.clientId)) as [any];
        return revokeKeyOf(one, one.clientId, id);
      },
    ],
  ])("INVALID_STATE: when it %s", async (_, request) => {
    const company = await givenCompany();
    await expectProblem(await expectUnchanged(company, () => request(company)), INVALID_STATE);
  });

  it("not even when two delete each other", async () => {
    const company = await givenCompany();
    const other = await givenApplication(company);
    const answers = await Promise.all([
      removeApplication(company, other.clientId),
      removeApplication(other, company.clientId),
    ]);
    expect(statusesOf(answers)).toEqual([200, 401]);
  });
});

describe("a change between authentication and the write", () => {
  const REQUESTS: [
    string,
    RegExp,
    (one: TestCompany, environment: typeof env) => Promise<Answer>,
  ][] = [
    [
      "a new application",
      /insert into "applications"/,
      (one, environment) => makeApplication(one, {}, { env: environment }),
    ],
    [
      "a changed application",
      /update "applications"/,
      (one, environment) =>
        patchApplication(one, one.clientId, { name: "x" }, { env: environment }),
    ],
    [
      "a new key",
      /insert into "api_keys"/,
      (one, environment) => issueKeyOf(one, one.clientId, {}, { env: environment }),
    ],
  ];

  it.each(REQUESTS)(
    "INVALID_CREDENTIALS: a revoked key writes no %s",
    async (_, statement, send) => {
      const company = await givenCompany();
      const other = await givenApplication(company);
      const environment = changedBefore(statement, () => revokeKey(other.apiKey));
      const [before] = [await shownApplications(company)];
      await expectProblem(await send(other, environment), UNAUTHORIZED);
      expect(await shownApplications(company)).toEqual(before);
      expect(await shownKeys(company, other.clientId)).toHaveLength(1);
    },
  );

  it.each(REQUESTS)("FORBIDDEN: a removed scope writes no %s", async (_, statement, send) => {
    const company = await givenCompany();
    const environment = changedBefore(statement, () => setScopes(company, ["balance:read"]));
    await expectProblem(await send(company, environment), FORBIDDEN);
  });

  it("FORBIDDEN: a scope that the caller has just lost is not given", async () => {
    const company = await givenCompany();
    const environment = changedBefore(/insert into "applications"/, () =>
      setScopes(company, ["keys:write"]),
    );
    const answer = await makeApplication(
      company,
      { scopes: ["withdraws:write"] },
      { env: environment },
    );
    await expectProblem(answer, FORBIDDEN);
    expect(await shownApplications(company)).toHaveLength(1);
  });

  it("is made with fresh credentials if it takes nothing from the caller", async () => {
    const company = await givenCompany();
    const environment = changedBefore(/insert into "applications"/, () => issueKey(company));
    expect((await makeApplication(company, {}, { env: environment })).status).toBe(201);
    expect(await shownApplications(company)).toHaveLength(2);
  });
});
