import { expect, it } from "vitest";
import { givenTransaction, pay } from "../../../../../support/builders/charges/transaction.ts";
import { givenCompany } from "../../../../../support/builders/companies/company.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import { visit } from "../../../../../support/builders/console/visit.ts";
import { DAY, givenHosts } from "../../../../../support/builders/webhooks/failing-host.ts";
import { depsWithSink } from "../../../../../support/builders/webhooks/test-events.ts";
import { TestClock } from "../../../../../support/fakes/clock.ts";
import { WebhookSink } from "../../../../../support/fakes/webhook-sink.ts";

const PATH = "/console/webhooks";
const ENDPOINT = "https://loja.example.com/hook";

const developer = { role: "developer" } as const;

/** A company with a paid charge, whose webhook its server received. */
async function givenReceived() {
  const clock = new TestClock();
  const sink = new WebhookSink(clock);
  const company = await givenCompany({ clock });
  const { id } = await givenTransaction(company, { postbackUrl: ENDPOINT });
  await pay(company, id);
  sink.respond = () => new Response("<script>ok", { status: 200 });
  await sink.deliver(company, 1);
  const [received] = sink.received;
  const delivery = `${PATH}/deliveries/dlv_${company.id}_1_postback`;
  return { company, received: received!, delivery, deps: depsWithSink(sink, clock) };
}

it("a developer sets the endpoint, and a refused URL stays in its field", async () => {
  const company = await givenCompany();
  const set = await visit(company, PATH, { ...developer, form: { url: ENDPOINT } });
  expect([set.status, set.headers.get("Location")]).toEqual([303, `${PATH}?done=saved`]);
  for (const language of ["pt-BR", "en"] as const) {
    const { html } = await visit(company, `${PATH}?done=saved`, { ...developer, language });
    expectClean(html);
    expect(html).toContain(`value="${ENDPOINT}"`);
  }
  const refused = await visit(company, PATH, { ...developer, form: { url: 'http://"<script>' } });
  expect(refused.status).toBe(400);
  expect(refused.html).toContain('value="http://&quot;&lt;script&gt;"');
});

it("a host that fails for five days shows as switched off, without forms for a viewer", async () => {
  const { company, failFor } = await givenHosts();
  await failFor(6 * DAY);
  const { html } = await visit(company, PATH, { role: "viewer" });
  expectClean(html);
  expect(html).toContain("Desligado desde");
  expect(html).not.toContain(`action="${PATH}`);
});

it("a test event leads to its delivery with what the server answered", async () => {
  const clock = new TestClock();
  const sink = new WebhookSink(clock).respondWith(503);
  const company = await givenCompany({ clock, webhookUrl: ENDPOINT });
  const deps = depsWithSink(sink, clock);
  const { headers } = await visit(company, `${PATH}/test`, { ...developer, deps, form: {} });
  const location = headers.get("Location") ?? "";
  expect(location).toContain(`${PATH}/deliveries/dlv_${company.id}_`);
  const { html } = await visit(company, location, { ...developer, language: "en" });
  expectClean(html);
  expect(html).toContain("503");
});

it("a test without an endpoint is refused", async () => {
  const company = await givenCompany();
  const refused = await visit(company, `${PATH}/test`, { ...developer, form: {} });
  expect(refused.status).toBe(409);
  expect(refused.html).toContain("INVALID_STATE");
});

it("a rotated secret is shown once, and the earlier ones end on request", async () => {
  const company = await givenCompany();
  const path = `${PATH}/secret`;
  expectClean((await visit(company, path, developer)).html);
  const rotated = await visit(company, path, { ...developer, form: { overlapHours: "1" } });
  expect(rotated.html).toContain("whsec_");
  expect(rotated.headers.get("Cache-Control")).toContain("no-store");
  const refused = await visit(company, path, { ...developer, form: { overlapHours: "169" } });
  expect(refused.status).toBe(400);
  expect(refused.html).toContain('value="169"');
  const ended = await visit(company, `${path}/end-previous`, { ...developer, form: {} });
  expect(ended.headers.get("Location")).toBe(`${PATH}?done=ended`);
});

it("a delivery shows its attempts and body, and whoever may resends it", async () => {
  const { company, delivery } = await givenReceived();
  for (const language of ["pt-BR", "en"] as const) {
    const list = await visit(company, `${PATH}/deliveries?status=delivered`, { language });
    expectClean(list.html);
    expect(list.html).toContain(`href="${delivery}"`);
    const { html } = await visit(company, delivery, { language });
    expectClean(html);
    expect(html).toContain("&lt;script&gt;ok");
    expect(html).toContain("transaction.paid");
  }
  expect((await visit(company, delivery, { role: "viewer" })).html).not.toContain("/resend");
  const resent = await visit(company, `${delivery}/resend`, { ...developer, form: {} });
  expect(resent.headers.get("Location")).toBe(`${delivery}?done=resent`);
  expect((await visit(company, delivery, developer)).html).toContain("Pendente");
});

it("a delivery that does not exist is not found, and another company's is refused", async () => {
  const company = await givenCompany();
  const { delivery } = await givenReceived();
  expect((await visit(company, `${PATH}/deliveries/1`)).status).toBe(404);
  expect((await visit(company, delivery)).status).toBe(403);
});

it("the debugger tells a valid webhook from a changed one, and never shows the secret", async () => {
  const { company, received, deps } = await givenReceived();
  const path = `${PATH}/verify`;
  expectClean((await visit(company, path)).html);
  const headers = Object.entries(received.headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\r\n");
  const secret = company.webhookSecret;
  const form = { headers, body: received.rawBody, secret };
  const valid = await visit(company, path, { deps, form });
  expect(valid.html).toContain("O webhook confere");
  expect(valid.html).not.toContain(secret);
  const json = { ...form, headers: JSON.stringify(received.headers), body: "{}" };
  const changed = await visit(company, path, { deps, language: "en", form: json });
  expect(changed.html).toContain("notice bad");
  expect(changed.html).toMatch(/<code>(?:changed|truncated)_body<\/code>/);
});
