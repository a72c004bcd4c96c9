import { expect, it } from "vitest";
import { env, givenCompany } from "../../../support/builders/companies/company.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import {
  makeApplication,
  patchApplication,
} from "../../../support/builders/requests/applications.ts";

const LIMITS = { dailyLimit: 10_000, pixKeys: null, until: null };

it("a repeated request announces limits once that were loosened under their former name", async () => {
  const company = await givenCompany();
  const { body } = await makeApplication(company, { spendingLimits: LIMITS });
  const { id } = body.data;
  // As the release before stores and announces a loosened limit.
  const effectiveAt = Date.now() + 86_400_000;
  const waiting = { field: "mandate", from: LIMITS, to: null, effectiveAt };
  await env.DB.prepare("UPDATE applications SET pending_settings = ? WHERE client_id = ?")
    .bind(JSON.stringify([{ ...waiting, by: company.clientId }]), id)
    .run();
  await callsTo(company.id).announceSettingsChange({
    companyId: company.id,
    applicationId: id,
    changes: [waiting],
    requestedBy: { kind: "application", id: company.clientId, name: "ERP" },
  } as never);

  const repeated = await patchApplication(company, id, { mandate: null });
  expect(repeated.body.data.pending).toMatchObject([
    { field: "spendingLimits", effectiveAt: new Date(effectiveAt).toISOString() },
  ]);

  const row = await env.DB.prepare(
    "SELECT count(*) AS count FROM events WHERE company_id = ? AND type = 'company.settings_changing'",
  )
    .bind(company.id)
    .first();
  expect(row).toEqual({ count: 1 });
});

it("limits that wait are stored under the name that the release before reads, as their column is", async () => {
  const company = await givenCompany();
  const { body } = await makeApplication(company, { spendingLimits: LIMITS });
  await patchApplication(company, body.data.id, { spendingLimits: null });
  const row = await env.DB.prepare(
    "SELECT pending_settings AS pending FROM applications WHERE client_id = ?",
  )
    .bind(body.data.id)
    .first<{ pending: string }>();
  const fields = (JSON.parse(row?.pending ?? "[]") as { field: string }[]).map(
    ({ field }) => field,
  );
  expect(fields).toEqual(["mandate"]);
});
