import { expect, it } from "vitest";
import {
  inAccount,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { call, type Call } from "../../../support/builders/requests/api.ts";
import { changeSettings, HOUR_MS } from "../../../support/builders/withdraws/approvals.ts";
import { requestWithdraw } from "../../../support/builders/withdraws/withdraw.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const PATH = "/api/v1/company/pix-keys";
/** The cool-down of keys, and the shortest one of what is loosened. */
const DAY_MS = 24 * HOUR_MS;

const add = (company: TestCompany, body: object, options: Call = {}) =>
  call(PATH, { ...options, company, body });
const list = (company: TestCompany, query = "", options: Call = {}) =>
  call(`${PATH}${query}`, { ...options, company });
const remove = (company: TestCompany, id: number | string) =>
  call(`${PATH}/${id}`, { method: "DELETE", company });

it("a key is added in its canonical form and counts after the cool-down", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });

  const answer = await add(company, { pixKey: "Maria@Example.com" });

  expect(answer.status).toBe(201);
  expect(answer.body.data).toEqual({
    id: 1,
    pixKey: "maria@example.com",
    pixKeyType: "EMAIL",
    addedAt: new Date(clock.now()).toISOString(),
    countsFrom: new Date(clock.now() + DAY_MS).toISOString(),
  });
  await expectDocumented(`POST ${PATH}`, answer);
});

it("a key that is listed keeps its times", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const first = await add(company, { pixKey: "maria@example.com" });
  const body = { allowedPixKeys: { coolDownHours: 0 } };
  await call("/api/v1/company/settings", {
    method: "PUT",
    company,
    body,
    deps: { platformClock: clock },
  });
  clock.advance(DAY_MS);
  const again = await add(
    company,
    { pixKey: "maria@example.com" },
    { deps: { platformClock: clock } },
  );
  expect([again.status, again.body]).toEqual([200, first.body]);
  const other = await add(
    company,
    { pixKey: "joao@example.com" },
    { deps: { platformClock: clock } },
  );
  expect(other.body.data.countsFrom).toBe(other.body.data.addedAt);
});

it("the audit trail says which key was removed, masked", async () => {
  const company = await givenCompany();
  await add(company, { pixKey: "maria@example.com" });
  await remove(company, 1);
  const { body } = await call("/api/v1/audit", { company });
  expect(body.items.map((entry: any) => [entry.action, entry.before, entry.after])).toEqual([
    ["pix_key.allow", null, { pixKey: "m***@example.com", pixKeyType: "EMAIL" }],
    ["pix_key.remove", { pixKey: "m***@example.com", pixKeyType: "EMAIL" }, null],
  ]);
});

it("a removed key no longer counts, and removing it again does nothing", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock, balance: 5_000 });
  await changeSettings(company, { allowedPixKeys: { enforced: true } });
  await add(company, { pixKey: "maria@example.com" });
  clock.advance(DAY_MS);
  const pay = () => requestWithdraw(company, { pixKey: "maria@example.com" });
  expect((await pay()).status).toBe(201);
  const removed = await remove(company, 1);
  expect([removed.status, removed.body]).toEqual([200, { data: { id: 1, removed: true } }]);
  await expectDocumented(`DELETE ${PATH}/{id}`, removed);
  expect((await pay()).body.code).toBe("PIX_KEY_NOT_ALLOWED");
  expect((await remove(company, 1)).status).toBe(200);
  await expectProblem(await remove(company, "maria"), { status: 404, code: "NOT_FOUND" });
});

it("the list has pages, and only the company's own keys", async () => {
  const company = await givenCompany();
  const other = await givenCompany();
  await add(other, { pixKey: "other@example.com" });
  for (const name of ["a", "b", "c"]) await add(company, { pixKey: `${name}@example.com` });

  const first = await list(company, "?limit=2");
  const second = await list(company, `?limit=2&after=${first.body.after}`);

  await expectDocumented(`GET ${PATH}`, first);
  expect(first.body).toMatchObject({ hasMore: true });
  expect(second.body).toMatchObject({ hasMore: false });
  const keys = [...first.body.items, ...second.body.items].map(({ pixKey }) => pixKey);
  expect(keys).toEqual(["a@example.com", "b@example.com", "c@example.com"]);
  expect((await list(await givenCompany())).body).toEqual({
    items: [],
    after: null,
    hasMore: false,
  });
});

it.each([
  [{ pixKey: "" }, "pixKey"],
  [{}, "pixKey"],
  [{ pixKey: "nobody" }, "pixKey"],
  [{ pixKey: "51998259765" }, "pixKeyType"],
  [{ pixKey: "maria@example.com", pixKeyType: "CPF" }, "pixKey"],
  [{ pixKey: "maria@example.com", name: "Maria" }, "name"],
])("VALIDATION_FAILED: %j is not added", async (body, field) => {
  const company = await givenCompany();
  await expectProblem(await add(company, body), {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: [field],
  });
  expect((await list(company)).body.items).toEqual([]);
});

it("INVALID_STATE: the list is full at 1,000 keys", async () => {
  const company = await givenCompany();
  await inAccount(company.id, async (account) => {
    for (let index = 0; index < 1_000; index++) {
      const key = { type: "EMAIL" as const, value: `k${index}@example.com` };
      const command = { companyId: company.id, credentialsVersion: 2 ** 50, key, coolDownHours: 0 };
      await account.addAllowedPixKey(command);
    }
  });
  const answer = await add(company, { pixKey: "one.more@example.com" });
  await expectProblem(answer, { status: 409, code: "INVALID_STATE" });
});
