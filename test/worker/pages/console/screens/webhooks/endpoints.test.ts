import { expect, it } from "vitest";
import { givenCompany } from "../../../../../support/builders/companies/company.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import { visit } from "../../../../../support/builders/console/visit.ts";
import { givenEndpoint } from "../../../../../support/builders/webhooks/endpoints.ts";
import { depsWithSink } from "../../../../../support/builders/webhooks/test-events.ts";
import { TestClock } from "../../../../../support/fakes/clock.ts";
import { WebhookSink } from "../../../../../support/fakes/webhook-sink.ts";

const WEBHOOKS = "/console/webhooks";
const PATH = `${WEBHOOKS}/endpoints`;
const SHOP = "https://loja.example.com/hook";
const ERP = "https://erp.example.com/hook";

const developer = { role: "developer" } as const;
const LANGUAGES = ["pt-BR", "en"] as const;

it("a developer adds an endpoint, whose secret is shown once", async () => {
  const company = await givenCompany();
  for (const language of LANGUAGES) {
    expectClean((await visit(company, `${PATH}/new`, { ...developer, language })).html);
  }
  const form = { url: ERP, description: "ERP", events: "transaction.paid" };
  const made = await visit(company, PATH, { ...developer, form });
  expect(made.status).toBe(200);
  expectClean(made.html);
  expect(made.html).toContain("whsec_");
  expect(made.headers.get("Cache-Control")).toContain("no-store");
  for (const language of LANGUAGES) {
    const list = await visit(company, WEBHOOKS, { ...developer, language });
    expectClean(list.html);
    expect(list.html).toContain(`href="${PATH}/endpoint_2"`);
    expect(list.html).toContain(ERP);
    const detail = await visit(company, `${PATH}/endpoint_2`, { ...developer, language });
    expectClean(detail.html);
    expect(detail.html).toContain("transaction.paid");
    expect(detail.html).not.toContain("whsec_");
  }
});

it("what the gateway refuses stays in its field", async () => {
  const company = await givenCompany();
  const refused = await visit(company, PATH, { ...developer, form: { url: 'http://"<script>' } });
  expect(refused.status).toBe(400);
  expectClean(refused.html);
  expect(refused.html).toContain('value="http://&quot;&lt;script&gt;"');
  expect(refused.html).toContain('id="events-error"');
});

it("an endpoint is changed, tested and given a new secret", async () => {
  const clock = new TestClock();
  const sink = new WebhookSink(clock).respondWith(503);
  const company = await givenCompany({ clock });
  const { id, secret } = await givenEndpoint(company, { url: ERP });
  const path = `${PATH}/${id}`;
  const shown = await visit(company, `${path}/change`, developer);
  expectClean(shown.html);
  expect(shown.html).toContain(`value="${ERP}"`);
  const form = { url: `${ERP}/2`, description: "ERP", events: "withdraw.paid" };
  const changed = await visit(company, path, { ...developer, form });
  expect([changed.status, changed.headers.get("Location")]).toEqual([303, `${path}?done=saved`]);
  const saved = await visit(company, `${path}?done=saved`, developer);
  expect(saved.html).toContain(`${ERP}/2`);
  const refused = await visit(company, path, { ...developer, form: { ...form, url: "x" } });
  expect(refused.status).toBe(400);

  const deps = depsWithSink(sink, clock);
  const tested = await visit(company, `${path}/test`, { ...developer, deps, form: {} });
  const delivery = await visit(company, tested.headers.get("Location") ?? "", developer);
  expectClean(delivery.html);
  expect(delivery.html).toContain("Endereço 2");

  expectClean((await visit(company, `${path}/secret`, developer)).html);
  const wrong = await visit(company, `${path}/secret`, {
    ...developer,
    form: { overlapHours: "x" },
  });
  expect(wrong.status).toBe(400);
  const rotated = await visit(company, `${path}/secret`, {
    ...developer,
    form: { overlapHours: "1" },
  });
  expect(rotated.html).toContain("whsec_");
  expect(rotated.html).not.toContain(secret);
});

it("an endpoint goes after a question, also the first one", async () => {
  const company = await givenCompany({ webhookUrl: SHOP });
  await givenEndpoint(company, { url: ERP });
  for (const id of ["endpoint", "endpoint_2"]) {
    const question = await visit(company, `${PATH}/${id}/delete`, developer);
    expectClean(question.html);
    const gone = await visit(company, `${PATH}/${id}/delete`, { ...developer, form: {} });
    expect(gone.headers.get("Location")).toBe(`${WEBHOOKS}?done=deleted`);
    expect((await visit(company, `${PATH}/${id}`, developer)).status).toBe(404);
  }
});

it("a viewer sees the endpoints without a way to change them", async () => {
  const company = await givenCompany({ webhookUrl: SHOP });
  const viewer = { role: "viewer" } as const;
  expect((await visit(company, WEBHOOKS, viewer)).html).not.toContain(`${PATH}/new`);
  const { html } = await visit(company, `${PATH}/endpoint`, viewer);
  expectClean(html);
  expect(html).not.toMatch(/<form class="action"|\/change"|\/delete"/);
});
