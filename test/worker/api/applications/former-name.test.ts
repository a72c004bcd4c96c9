import { expect, it } from "vitest";
import { canonicalJson, sha256Hex } from "../../../../src/lib/hash.ts";
import { env, givenCompany } from "../../../support/builders/companies/company.ts";
import {
  makeApplication,
  patchApplication,
  shownApplications,
} from "../../../support/builders/requests/applications.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

/** `mandate` is the name of `spendingLimits` until 2.0. */
const LIMITS = { dailyLimit: 10_000, pixKeys: ["maria@example.com"], until: null };
const DIFFERENT = { status: 400, code: "VALIDATION_FAILED", fields: ["mandate"] };
const HEADERS = { "Idempotency-Key": "app_erp" };

it("an application has its spending limits under both names, whichever was sent", async () => {
  const company = await givenCompany();
  const former = await makeApplication(company, { mandate: LIMITS });
  const named = await makeApplication(company, { spendingLimits: LIMITS });
  const both = await makeApplication(company, { spendingLimits: LIMITS, mandate: LIMITS });
  for (const { body } of [former, named, both])
    expect(body.data).toMatchObject({ spendingLimits: LIMITS, mandate: LIMITS });
  await expectDocumented("POST /api/v1/applications", former);

  const { id } = named.body.data;
  const tightened = { ...LIMITS, dailyLimit: 1 };
  const changed = await patchApplication(company, id, { mandate: tightened });
  expect(changed.body.data).toMatchObject({ spendingLimits: tightened, mandate: tightened });
});

it("VALIDATION_FAILED: two values under the two names change nothing", async () => {
  const company = await givenCompany();
  const before = await shownApplications(company);
  for (const mandate of [null, { ...LIMITS, dailyLimit: 1 }]) {
    const refused = await makeApplication(company, { spendingLimits: LIMITS, mandate });
    await expectProblem(refused, DIFFERENT);
  }
  const [{ id }] = before as [{ id: string }];
  const change = { spendingLimits: null, mandate: LIMITS };
  await expectProblem(await patchApplication(company, id, change), DIFFERENT);
  expect(await shownApplications(company)).toEqual(before);
});

it("a request that was answered under an idempotency key before the new name is repeated", async () => {
  const company = await givenCompany();
  const request = { name: "ERP", scopes: ["balance:read"] };
  const first = await makeApplication(
    company,
    { ...request, mandate: LIMITS },
    { headers: HEADERS },
  );
  const asStored = { networks: null, expiresAt: null, mandate: LIMITS, refundDailyLimit: null };
  const row = await env.DB.prepare(
    "SELECT request_hash AS hash FROM applications WHERE client_id = ?",
  )
    .bind(first.body.data.id)
    .first();
  const stored = { ...asStored, name: "ERP", scopes: "balance:read" };
  expect(row).toEqual({ hash: await sha256Hex(canonicalJson(stored)) });

  const again = await makeApplication(
    company,
    { ...request, spendingLimits: LIMITS },
    { headers: HEADERS },
  );
  expect(again.headers.get("Idempotent-Replayed")).toBe("true");
  expect(again).toMatchObject({ status: 201, text: first.text });
});

it("limits that wait under their former name hold in time, and are refused by either name", async () => {
  const clock = new TestClock();
  const company = await givenCompany();
  const made = await makeApplication(
    company,
    { spendingLimits: LIMITS },
    { deps: { platformClock: clock } },
  );
  const { id } = made.body.data;
  const effectiveAt = clock.now() + 1_000;
  const waiting = [{ field: "mandate", from: LIMITS, to: null, effectiveAt, by: company.clientId }];
  const wait = () =>
    env.DB.prepare("UPDATE applications SET pending_settings = ? WHERE client_id = ?")
      .bind(JSON.stringify(waiting), id)
      .run();
  const shown = async () =>
    (
      await call("/api/v1/applications", { company, deps: { platformClock: clock } })
    ).body.items.find((each: { id: string }) => each.id === id);

  await wait();
  expect((await shown()).pending).toMatchObject([{ field: "spendingLimits", to: null }]);
  for (const name of ["mandate", "spendingLimits"]) {
    await wait();
    const path = `/api/v1/applications/${id}/pending/${name}`;
    const refused = await call(path, { method: "DELETE", company, deps: { platformClock: clock } });
    expect(refused.body.data).toMatchObject({ spendingLimits: LIMITS, pending: [] });
  }
  await wait();
  clock.advance(1_000);
  expect(await shown()).toMatchObject({ spendingLimits: null, mandate: null, pending: [] });
});
