import { beforeAll, expect, it } from "vitest";
import { SAVED_VIEWS_MAX } from "../../../../src/domain/charges/saved-view.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { callAsMember, givenMember } from "../../../support/builders/console/members.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const PATH = "/api/v1/saved-views";
const FILTERS = { status: "PAID", amountFrom: "100,00" };

let company: TestCompany;

beforeAll(async () => {
  company = await givenCompany();
});

it("a view is saved once under its name, renamed and deleted", async () => {
  const made = await call(PATH, { company, body: { name: " Paid ", filters: { status: "PAID" } } });
  await expectDocumented(`POST ${PATH}`, made);
  expect([made.status, made.body.data.name]).toEqual([201, "Paid"]);
  const { id } = made.body.data;
  const again = await call(PATH, { company, body: { name: "Paid", filters: FILTERS } });
  expect(again.body.data).toEqual({ ...made.body.data, filters: FILTERS });
  const other = await call(PATH, { company, body: { name: "Other", filters: {} } });
  const taken = await call(`${PATH}/${other.body.data.id}`, {
    company,
    method: "PATCH",
    body: { name: "Paid" },
  });
  await expectProblem(taken, { status: 409, code: "INVALID_STATE" });
  const rename = { company, method: "PATCH", body: { name: "Large" } };
  await expectDocumented(`PATCH ${PATH}/{id}`, await call(`${PATH}/${id}`, rename));
  expect((await call(`${PATH}/${id}`, rename)).body.data.name).toBe("Large");
  const list = await call(PATH, { company });
  await expectDocumented(`GET ${PATH}`, list);
  expect(list.body.items.map(({ name }: { name: string }) => name)).toEqual(["Large", "Other"]);
  const gone = await call(`${PATH}/${id}`, { company, method: "DELETE" });
  await expectDocumented(`DELETE ${PATH}/{id}`, gone);
  expect(gone.body.data.name).toBe("Large");
  const missing = await call(`${PATH}/${id}`, { company, method: "DELETE" });
  await expectProblem(missing, { status: 404, code: "NOT_FOUND" });
});

it("NOT_FOUND: nobody sees, renames or deletes another's view, in the company or outside", async () => {
  const [ana, bia] = [await givenMember(company, "viewer"), await givenMember(company, "owner")];
  const body = { name: "Ana's", filters: { externalRef: "order-7" } };
  const { data } = (await callAsMember(company, ana, PATH, { method: "POST", body })).body;
  expect((await callAsMember(company, ana, PATH)).body.items).toEqual([data]);
  expect((await callAsMember(company, bia, PATH)).body.items).toEqual([]);
  const path = `${PATH}/${data.id}`;
  const renamed = await callAsMember(company, bia, path, { method: "PATCH", body: { name: "x" } });
  const deleted = await callAsMember(company, bia, path, { method: "DELETE" });
  const elsewhere = await callAsMember(await givenCompany(), ana, path, { method: "DELETE" });
  expect([renamed.status, deleted.status, elsewhere.status]).toEqual([404, 404, 404]);
  expect((await callAsMember(company, ana, PATH)).body.items).toEqual([data]);
});

it(`INVALID_STATE: nobody has more than ${SAVED_VIEWS_MAX}, but a saved one still changes`, async () => {
  const member = await givenMember(company, "support");
  const save = (name: string) =>
    callAsMember(company, member, PATH, { method: "POST", body: { name, filters: FILTERS } });
  for (let number = 1; number <= SAVED_VIEWS_MAX; number += 1) {
    expect((await save(`View ${number}`)).status).toBe(201);
  }
  const refused = await save("One too many");
  expect([refused.status, refused.body.code]).toEqual([409, "INVALID_STATE"]);
  expect((await save("View 7")).status).toBe(201);
  expect((await callAsMember(company, member, PATH)).body.items).toHaveLength(SAVED_VIEWS_MAX);
});

it("VALIDATION_FAILED: an unknown status, a day that is none, and a view without a name", async () => {
  const body = { name: " ", filters: { status: "LOST", from: "yesterday" } };
  const refused = await call(PATH, { company, body });
  const fields = ["filters.from", "filters.status", "name"];
  await expectProblem(refused, { status: 400, code: "VALIDATION_FAILED", fields });
});
