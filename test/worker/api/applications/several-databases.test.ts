import { beforeAll, expect, it } from "vitest";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import {
  givenSecondDatabase,
  moveTo,
  newIsolate,
  useShards,
} from "../../../support/builders/companies/sharded.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { issueKeyOf, makeApplication } from "../../../support/builders/requests/applications.ts";

beforeAll(givenSecondDatabase);

/** A new application with a key, made by an isolate that has seen nothing before. */
async function givenMade(company: TestCompany): Promise<Record<string, string>> {
  const made = await makeApplication(company, {}, { env: newIsolate() });
  expect(made.status).toBe(201);
  const { clientId } = made.body.data;
  const issued = await issueKeyOf(company, clientId, {}, { env: newIsolate() });
  expect(issued.status).toBe(201);
  return { "X-Client-Id": clientId, "X-API-Key": issued.body.data.key };
}

async function expectAdmitted(company: TestCompany, credentials: Record<string, string>) {
  const path = `/api/Balance/balance/${company.id}?currency=BRL`;
  expect((await call(path, { headers: credentials, env: newIsolate() })).status).toBe(200);
}

it("an application of a company in another database is admitted by every isolate", async () => {
  const company = await givenCompany();
  await useShards(company);
  await moveTo(newIsolate(), company, "DB_2");
  await expectAdmitted(company, await givenMade(company));
});

it("an application that is made while its company is moved is admitted afterwards", async () => {
  const company = await givenCompany();
  await useShards(company);
  const made: Record<string, string>[] = [];
  await moveTo(newIsolate(), company, "DB_2", async (before) => {
    const isEarly = before !== null && ["copying", "comparing"].includes(before.stage ?? "");
    if (isEarly && made.length < 2) made.push(await givenMade(company));
  });
  expect(made.length).toBeGreaterThan(0);
  for (const credentials of made) await expectAdmitted(company, credentials);
});
