import { beforeAll, describe, expect, it } from "vitest";
import { SCOPES, type Scope } from "../../../../src/domain/shared/company.ts";
import {
  OPERATOR_ROLES,
  PERMISSIONS_OF_ROLE,
  type OperatorRole,
} from "../../../../src/domain/operators/operator.ts";
import { call, type Answer } from "../../../support/builders/requests/api.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import {
  expireKey,
  issueKey,
  revokeKey,
  setScopes,
} from "../../../support/builders/companies/credentials.ts";
import { OPERATOR_ROUTES } from "../../../support/probes/http/operator-routes.ts";
import {
  ROUTE_PERMISSIONS,
  PUBLIC_ROUTES,
  type ForeignAccess,
  type RoutePermission,
} from "../../../support/probes/http/route-permissions.ts";
import { expectNoSideEffects } from "../../../support/probes/ledger/footprint.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { routesOf } from "../../../support/probes/http/routes.ts";
import {
  createTransaction,
  givenPaid,
  givenTransaction,
} from "../../../support/builders/charges/transaction.ts";
import {
  APPROVER_CREDENTIALS,
  givenOperator,
  OPERATOR_CREDENTIALS,
  type TestOperator,
} from "../../../support/builders/companies/operator.ts";
import { requestWithdraw } from "../../../support/builders/withdraws/withdraw.ts";
import { LOCAL_OPERATOR_KEY } from "../../../../tools/lib/local-operators.ts";

const permissions = Object.entries(ROUTE_PERMISSIONS);
const permissionsOf = (...kinds: ForeignAccess[]) =>
  permissions.filter(([, { foreignAccess }]) => kinds.includes(foreignAccess));

function request(
  name: string,
  guard: RoutePermission,
  options: { credentials: Record<string, string>; id?: string },
): Promise<Answer> {
  const [method = "", path = ""] = name.split(" ");
  const named = path.replace(/:\w+/, options.id ?? "1").replaceAll(/:\w+/g, "1");
  return call(named + (guard.query ?? ""), {
    method,
    company: { credentials: options.credentials },
    ...(guard.body === undefined ? {} : { body: guard.body }),
    headers: { "Idempotency-Key": "k_security" },
  });
}

/** A body without what differs from request to request. */
function commonPart(answer: Answer): unknown {
  const { traceId: _traceId, instance: _instance, ...rest } = answer.body;
  return rest;
}

async function givenBusyCompany(): Promise<{ company: TestCompany; transactionId: string }> {
  const company = await givenCompany({ balance: 12_345 });
  const { id } = await givenTransaction(company, {
    externalRef: "secret-ref",
    customer: { name: "Secret Payer", email: "secret@example.com" },
  });
  await requestWithdraw(company, { description: "secret withdraw", pixKey: "secret@example.com" });
  return { company, transactionId: id };
}

it("every route is declared as guarded, operator-only or public", () => {
  const names = routesOf().map((route) => `${route.method} ${route.path}`);
  const known = [
    ...Object.keys(ROUTE_PERMISSIONS),
    ...Object.keys(OPERATOR_ROUTES),
    ...PUBLIC_ROUTES,
  ];
  expect(names.toSorted()).toEqual(known.toSorted());
});

/** Companies that only refused requests name, and an operator of each role: shared, because nothing changes them. */
let ours: TestCompany;
let theirs: TestCompany;
let busy: { company: TestCompany; transactionId: string };
let expired: string;
let revoked: string;
let operators: Record<OperatorRole, TestOperator>;
/** A company with all scopes but one, by that scope. */
const companiesWithout = new Map<Scope, TestCompany>();

beforeAll(async () => {
  [ours, theirs, busy] = [await givenCompany(), await givenCompany(), await givenBusyCompany()];
  expired = await issueKey(ours, { expiresAt: Date.now() - 1 });
  revoked = await issueKey(ours, { revokedAt: Date.now() - 1 });
  const made: [OperatorRole, TestOperator][] = [];
  for (const role of OPERATOR_ROLES) made.push([role, await givenOperator(role)]);
  operators = Object.fromEntries(made) as Record<OperatorRole, TestOperator>;
});

async function companyWithout(scope: Scope, orScope?: Scope): Promise<TestCompany> {
  if (orScope !== undefined) {
    const company = await givenCompany();
    await setScopes(
      company,
      SCOPES.filter((each) => each !== scope && each !== orScope),
    );
    return company;
  }
  const known = companiesWithout.get(scope);
  if (known !== undefined) return known;
  const company = await givenCompany();
  await setScopes(
    company,
    SCOPES.filter((each) => each !== scope),
  );
  companiesWithout.set(scope, company);
  return company;
}

/** Every invalid credential gets the same response, and has no effect on the company. */
async function expectSameRefusal(
  company: TestCompany,
  wrong: Record<string, string>[],
  ask: (credentials: Record<string, string>) => Promise<Answer>,
): Promise<void> {
  const answers = await expectNoSideEffects(company, () => Promise.all(wrong.map(ask)));
  for (const answer of answers) {
    await expectProblem(answer, { status: 401, code: "INVALID_CREDENTIALS" });
    expect(commonPart(answer)).toEqual(commonPart(answers[0]!));
  }
}

describe.each(Object.entries(OPERATOR_ROUTES))("%s", (name, { permission, self, body }) => {
  const [method = "", path = ""] = name.split(" ");
  const as = (company: TestCompany, credentials: Record<string, string>, id = "1") =>
    call(
      path
        .replace(":companyId", String(company.id))
        .replace(":id", id)
        .replace(":account", "first")
        .replace(/:(paymentId|operationId|keyId)/, "1"),
      {
        method,
        company: { credentials },
        ...(body === undefined ? {} : { body }),
      },
    );

  it("INVALID_CREDENTIALS: every invalid operator credential gets the same response", async () => {
    const operator = { "X-Client-Id": "operator" };
    const wrong: Record<string, string>[] = [
      {},
      operator,
      ours.credentials,
      { ...operator, "X-API-Key": "" },
      { ...operator, "X-API-Key": ours.apiKey },
      { ...operator, "X-API-Key": `${LOCAL_OPERATOR_KEY} ` + LOCAL_OPERATOR_KEY },
      { ...operator, "X-API-Key": LOCAL_OPERATOR_KEY.slice(0, -1) },
      { "X-Client-Id": ours.clientId, "X-API-Key": LOCAL_OPERATOR_KEY },
      { "X-API-Key": LOCAL_OPERATOR_KEY },
      { ...operator, "X-API-Key": APPROVER_CREDENTIALS["X-API-Key"] },
      { ...APPROVER_CREDENTIALS, "X-API-Key": LOCAL_OPERATOR_KEY },
    ];
    await expectSameRefusal(ours, wrong, (credentials) => as(ours, credentials));
  });

  const allowed = OPERATOR_ROLES.filter((role) => PERMISSIONS_OF_ROLE[role].includes(permission));
  const refused = OPERATOR_ROLES.filter((role) => !allowed.includes(role));

  it(`accepts both local operators and the roles ${allowed.join(", ")}`, async () => {
    const company = await givenCompany();
    const accepted = [
      OPERATOR_CREDENTIALS,
      APPROVER_CREDENTIALS,
      ...allowed.map((role) => operators[role].credentials),
    ];
    for (const credentials of accepted) {
      expect([401, 403, 500]).not.toContain((await as(company, credentials)).status);
    }
  });

  it(`FORBIDDEN: the role is ${refused.join(", ")}`, async () => {
    const answers = await expectNoSideEffects(ours, () =>
      Promise.all(refused.map((role) => as(ours, operators[role].credentials))),
    );
    for (const answer of answers) {
      await expectProblem(answer, { status: 403, code: "FORBIDDEN" });
    }
    if (self !== true) return;
    for (const role of refused) {
      // His own, because these routes may end his key.
      const { credentials, clientId } = await givenOperator(role);
      expect([401, 403, 500]).not.toContain((await as(ours, credentials, clientId)).status);
    }
  });
});

describe.each(permissions)("%s", (name, guard) => {
  it("INVALID_CREDENTIALS: every invalid credential gets the same response", async () => {
    const id = { "X-Client-Id": ours.clientId };
    const wrong: Record<string, string>[] = [
      {},
      id,
      { "X-API-Key": ours.apiKey },
      { "X-Client-Id": "", "X-API-Key": ours.apiKey },
      { ...id, "X-API-Key": "" },
      { "X-Client-Id": "app_unknown", "X-API-Key": ours.apiKey },
      { ...id, "X-API-Key": "sk_test_unknown" },
      { ...id, "X-API-Key": theirs.apiKey },
      { ...id, "X-API-Key": `${ours.apiKey} ${ours.apiKey}` },
      { ...id, "X-API-Key": ours.apiKey.slice(0, -1) },
      { ...id, "X-API-Key": ours.apiKey.toUpperCase() },
      { ...id, "X-API-Key": expired },
      { ...id, "X-API-Key": revoked },
      { ...id, "X-API-Key": "x".repeat(10_000) },
      { "X-Client-Id": `${ours.clientId}' OR '1'='1`, "X-API-Key": ours.apiKey },
      { Authorization: `Bearer ${ours.apiKey}` },
    ];
    await expectSameRefusal(ours, wrong, (credentials) => request(name, guard, { credentials }));
  });

  const scopes = guard.scope === "any" ? [] : [guard.scope, ...(guard.furtherScopes ?? [])];

  it.each(scopes)("FORBIDDEN: the scope %s is missing", async (missing) => {
    const company = await companyWithout(missing, guard.orScope);
    const { credentials } = company;
    const answer = await expectNoSideEffects(company, () => request(name, guard, { credentials }));
    await expectProblem(answer, { status: 403, code: "FORBIDDEN" });
  });

  it(`needs only the scopes ${scopes.join(", ")}`, async () => {
    const company = await givenCompany();
    const enough = guard.scope === "any" ? (["pii:read"] satisfies Scope[]) : scopes;
    await setScopes(company, guard.orScope === undefined ? enough : [guard.orScope]);
    const answer = await request(name, guard, {
      credentials: company.credentials,
      id: guard.foreignAccess === "company" ? String(company.id) : "1",
    });
    expect([401, 403, 500]).not.toContain(answer.status);
  });
});

it.each(permissionsOf("transaction"))(
  "FORBIDDEN: %s is called for another company's transaction",
  async (name, guard) => {
    const { company, transactionId } = busy;
    const unknown = `${transactionId.slice(0, 24)}ffffff${transactionId.slice(-6)}`;
    for (const id of [transactionId, transactionId.toUpperCase(), unknown]) {
      const answer = await expectNoSideEffects(company, () =>
        request(name, guard, { credentials: ours.credentials, id }),
      );
      await expectProblem(answer, { status: 403, code: "FORBIDDEN" });
      expect(answer.text.toLowerCase()).not.toContain("secret");
    }
  },
);

it.each(permissionsOf("company"))(
  "FORBIDDEN: %s is called for another company",
  async (name, guard) => {
    const answer = await request(name, guard, {
      credentials: ours.credentials,
      id: String(busy.company.id),
    });
    await expectProblem(answer, { status: 403, code: "FORBIDDEN" });
    expect(answer.text).not.toMatch(/113\.45|11345|12345/);
  },
);

it.each(permissionsOf("withdraw"))(
  "NOT_FOUND: %s is called for another company's withdraw",
  async (name, guard) => {
    const answer = await expectNoSideEffects(busy.company, () =>
      request(name, guard, { credentials: ours.credentials }),
    );
    await expectProblem(answer, { status: 404, code: "NOT_FOUND" });
  },
);

it("a withdraw's number identifies the caller's own withdraw, never another company's", async () => {
  const company = await givenCompany({ balance: 5_000 });
  await requestWithdraw(company, { description: "mine" });
  const answer = await call("/api/Withdraw/1", { company });
  expect(answer.body).toMatchObject({ companyId: company.id, description: "mine" });
  expect(answer.body.companyId).not.toBe(busy.company.id);
});

it.each(permissionsOf("none"))("%s returns no data of another company", async (name, guard) => {
  const company = await givenCompany();
  const answer = await expectNoSideEffects(busy.company, () =>
    request(name, guard, { credentials: company.credentials }),
  );
  expect(answer.text.toLowerCase()).not.toMatch(/secret[- @]/);
  expect(answer.text).not.toContain(busy.transactionId);
});

it.each(permissions.filter(([, { sandbox }]) => sandbox === true))(
  "FORBIDDEN: %s is called by a live company",
  async (name, guard) => {
    const live = await givenCompany({ mode: "live" });
    const answer = await expectNoSideEffects(live, () =>
      request(name, guard, { credentials: live.credentials }),
    );
    await expectProblem(answer, { status: 403, code: "FORBIDDEN" });
  },
);

const read = (company: TestCompany, key: string, options = {}) =>
  call("/api/v1/webhooks/endpoint", {
    headers: { "X-Client-Id": company.clientId, "X-API-Key": key },
    ...options,
  });

describe("API keys", () => {
  it("are both valid when a company has two", async () => {
    const company = await givenCompany();
    const second = await issueKey(company);
    expect((await read(company, company.apiKey)).status).toBe(200);
    expect((await read(company, second)).status).toBe(200);
  });

  it("are rejected from the next request after their revocation, and other keys stay valid", async () => {
    const company = await givenCompany();
    const second = await issueKey(company);
    await revokeKey(company.apiKey);
    expect((await read(company, company.apiKey)).status).toBe(401);
    expect((await read(company, second)).status).toBe(200);
  });

  it("are valid until they expire, and not at that millisecond or later", async () => {
    const company = await givenCompany();
    const clock = new TestClock();
    await expireKey(company.apiKey, clock.now() + 1_000);
    expect((await read(company, company.apiKey, { deps: { platformClock: clock } })).status).toBe(
      200,
    );
    clock.advance(1_000);
    expect((await read(company, company.apiKey, { deps: { platformClock: clock } })).status).toBe(
      401,
    );
  });

  it("appear in no response", async () => {
    const company = await givenCompany();
    const answer = await createTransaction(company);
    expect(answer.text).not.toContain(company.apiKey);
    const refused = await read(company, "sk_test_visible");
    expect(refused.text).not.toContain("sk_test_visible");
  });
});

it("a removed scope is missing from the next request on", async () => {
  const company = await givenCompany();
  expect((await createTransaction(company)).status).toBe(200);
  await setScopes(company, ["transactions:read"]);
  expect((await createTransaction(company)).status).toBe(403);
});

it("the public status needs no credentials and ignores invalid ones", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 1_000);
  const path = `/api/checkout/status/${id}`;
  const headers = { "X-Client-Id": "nobody", "X-API-Key": "nothing" };
  expect((await call(path)).status).toBe(200);
  expect((await call(path, { headers })).status).toBe(200);
});
