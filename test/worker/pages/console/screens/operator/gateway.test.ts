import { expect, it } from "vitest";
import { watchService } from "../../../../../../src/api/operator/alarms/tasks.ts";
import { systemDependencies } from "../../../../../../src/dependencies.ts";
import { env, givenCompany } from "../../../../../support/builders/companies/company.ts";
import { Browser } from "../../../../../support/builders/console/browser.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import { givenOperatorPerson } from "../../../../../support/builders/console/people.ts";
import { visitAsOperator } from "../../../../../support/builders/console/visit.ts";
import { givenContradiction } from "../../../../../support/builders/reconciliation/decisions.ts";

it("the first page and the status say what waits, in both languages", async () => {
  // Other tests' violations name fields that are null.
  await env.DB.prepare("UPDATE self_checks SET violations = '[]'").run();
  await givenContradiction(await givenCompany(), { kind: "payout_unknown" });
  const { html } = await visitAsOperator("/console/operator", { role: "read" });
  expectClean(html);
  expect(html).toContain("Saques com divergência");
  expect(html).toContain("O que as empresas guardam");
  const status = await visitAsOperator("/console/operator/status", {
    role: "read",
    language: "en",
  });
  expectClean(status.html);
  expect(status.html).toContain("Unknown payout");
});

it("the status answers the operators' questions, in both languages", async () => {
  await watchService(env, systemDependencies);
  await givenContradiction(await givenCompany(), { amount: 12_345, held: 12_345 });
  const { html } = await visitAsOperator("/console/operator/status", { role: "read" });
  expectClean(html);
  for (const text of ["Pagamentos da última hora", "Pix", "Retido por divergências", "123,45"]) {
    expect(html).toContain(text);
  }
  const english = await visitAsOperator("/console/operator/status", {
    role: "read",
    language: "en",
  });
  expectClean(english.html);
  for (const text of ["Money that is stuck", "Arrived at the first attempt", "Open charges"]) {
    expect(english.html).toContain(text);
  }
});

it("a move is shown with its stage, and an unknown database is refused", async () => {
  const company = await givenCompany();
  const admin = new Browser((await givenOperatorPerson("admin")).cookie);
  const path = `/console/operator/moves/${company.id}`;
  expectClean((await admin.ask("/console/operator/moves")).html);
  expectClean((await admin.ask(path)).html);
  const form = { company: String(company.id), to: "DB_9" };
  const refused = await admin.ask("/console/operator/moves", { form });
  expect([refused.status, refused.html.includes("INVALID_STATE")]).toEqual([409, true]);
  await env.DB.prepare(
    `INSERT INTO placements (company_id, database, move, source, target, stage, at_table, after_key, turn, lease_until)
     VALUES (?, 'DB', 1, 'DB', 'DB_2', 'copying', 'events', '', 1, 0)`,
  )
    .bind(company.id)
    .run();
  const moving = await admin.ask(path, { language: "en" });
  await env.DB.prepare("DELETE FROM placements WHERE company_id = ?").bind(company.id).run();
  expectClean(moving.html);
  expect(moving.html).toContain("Stage 2 of 7");
  expect(moving.html).toContain("Roll the move back");
});

it("the first page begins with the alarms, their money and their page of the runbook", async () => {
  await givenContradiction(await givenCompany(), { amount: 54_321, held: 54_321 });
  await env.DB.prepare("DELETE FROM alarms").run();
  await env.DB.batch(
    ["contradiction_open", "database_slow"].map((id) =>
      env.DB.prepare(
        `INSERT INTO alarms (id, severity, detail, findings, since) VALUES (?, 'critical', 'Found.', '[]', 1)`,
      ).bind(id),
    ),
  );
  const { html } = await visitAsOperator("/console/operator", { role: "read" });
  await env.DB.prepare("DELETE FROM alarms").run();
  expectClean(html);
  const held = await env.DB.prepare(
    "SELECT sum(held) AS held FROM contradictions WHERE status <> 'decided' AND held > 0",
  ).first<number>("held");
  const amount = new Intl.NumberFormat("pt-BR", { style: "currency", currency: "BRL" }).format(
    (held ?? 0) / 100,
  );
  expect(html).toContain(`Alarmes: 2. Dinheiro em risco: ${amount}.`);
  const order = ["Alarmes: 2", "Banco contradiz um lançamento", "Banco de dados lento"];
  const places = order.map((text) => html.indexOf(text));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((left, right) => left - right));
  expect(places[2]).toBeLessThan(html.indexOf("Pagamentos da última hora"));
  expect(html).toContain("docs/runbook/contradiction_open.md");
});
