import { describe, expect, it } from "vitest";
import { call } from "../support/builders/requests/api.ts";
import { env, givenCompany } from "../support/builders/companies/company.ts";
import { callAsOperator } from "../support/builders/companies/operator.ts";
import { sharedCompany } from "../support/builders/companies/shared-company.ts";
import { settle } from "../support/builders/charges/charge-commands.ts";
import { givenTransaction } from "../support/builders/charges/transaction.ts";
import { pixApiPath, pixApiRequest } from "../support/builders/providers/psp.ts";
import { REFUSED_TARGETS } from "../support/builders/webhooks/webhook-targets.ts";
import { TestClock } from "../support/fakes/clock.ts";
import { WebhookSink } from "../support/fakes/webhook-sink.ts";
import { expectProblem } from "../support/probes/http/problem.ts";
import { attemptsOf, deliveriesOf } from "../support/probes/webhooks/webhook-rows.ts";
import config from "../../wrangler.toml?raw";

/** As deployed: loopback is for local development only. */
const deployed = { ...env, ALLOW_HTTP_LOOPBACK_WEBHOOKS: "false" };
const VECTORS = REFUSED_TARGETS.flatMap(({ targets }) => targets);

it("there are at least 45 vectors", () => {
  expect(VECTORS.length).toBeGreaterThanOrEqual(45);
});

/** Every field of a merchant's that the gateway sends requests to. */
const FIELDS: Record<string, (url: string) => { path: string; method: string; body: object }> = {
  postbackUrl: (url) => ({
    path: "/api/v1/transactions/create",
    method: "POST",
    body: { amount: 1_000, paymentMethod: "PIX", postbackUrl: url },
  }),
  "the webhook endpoint": (url) => ({
    path: "/api/v1/webhooks/endpoint",
    method: "PUT",
    body: { url },
  }),
  "another webhook endpoint": (url) => ({
    path: "/api/v1/webhooks/endpoints",
    method: "POST",
    body: { url, events: ["*"] },
  }),
  "a test webhook": (url) => ({ path: "/api/v1/webhooks/test", method: "POST", body: { url } }),
};

describe.each(Object.entries(FIELDS))("%s", (name, requestOf) => {
  it.each(REFUSED_TARGETS)("is never $family", async ({ targets }) => {
    const company = await sharedCompany();
    for (const [, url] of targets) {
      const { path, ...request } = requestOf(url);
      const answer = await call(path, { ...request, company, env: deployed });
      const fields = [name === "postbackUrl" ? "postbackUrl" : "url"];
      await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields });
    }
  });
});

it.each(REFUSED_TARGETS)("a PSP's URLs are never $family", async ({ targets }) => {
  const company = await givenCompany({ mode: "live" });
  for (const [vector, url] of targets) {
    const urls = { baseUrl: url, tokenUrl: url, payouts: { url }, callbackOrigin: url };
    const answer = await callAsOperator(pixApiPath(company), {
      method: "PUT",
      body: pixApiRequest({ ...urls, certificate: null }),
      env: deployed,
    });
    expect(answer.status, vector).toBe(400);
    expect(Object.keys(answer.body.errors).toSorted(), vector).toEqual([
      "baseUrl",
      "callbackOrigin",
      "payouts.url",
      "tokenUrl",
    ]);
  }
});

/** A company with one delivery that is due, to a name whose addresses a test decides. */
async function givenDelivery() {
  const clock = new TestClock();
  const sink = new WebhookSink(clock);
  const company = await givenCompany({ clock });
  const postbackUrl = "https://rebinding.example.com/hook";
  await settle(company, await givenTransaction(company, { postbackUrl }));
  return { clock, sink, company };
}

describe("a name that changes its addresses (DNS rebinding)", () => {
  const PUBLIC = "8.8.8.8";

  it("is asked again before each attempt, and not fetched while it is private", async () => {
    const { clock, sink, company } = await givenDelivery();
    const asked: string[] = [];
    const answers = [[PUBLIC], ["169.254.169.254"], [PUBLIC, "127.0.0.1"], ["::1"], []];
    sink.respondWith(500);
    sink.addresses = (host) => {
      asked.push(host);
      return answers[asked.length - 1] ?? [];
    };
    for (const [index] of answers.entries()) {
      await sink.deliver(company, 1);
      const [delivery] = await deliveriesOf(company);
      expect(delivery).toMatchObject({ status: "pending", attempts: index + 1 });
      clock.advance(delivery!.dueAt! - clock.now());
    }
    expect(asked).toEqual(answers.map(() => "rebinding.example.com"));
    expect(sink.received).toHaveLength(1);
    expect((await attemptsOf(company)).map(({ fault }) => fault)).toEqual([
      null,
      "private_address",
      "private_address",
      "private_address",
      "no_address",
    ]);
  });

  it("is fetched by the platform from public addresses only, when it changes after the check", () => {
    const flags = /^compatibility_flags\s*=\s*\[([^\]]*)\]/m.exec(config)?.[1];
    expect(flags).toContain('"global_fetch_strictly_public"');
  });
});

it("a redirect to a private address is not followed", async () => {
  const clock = new TestClock();
  const sink = new WebhookSink(clock);
  const company = await givenCompany({ clock });
  const postbackUrl = "https://loja.example.com/hook";
  await settle(company, await givenTransaction(company, { postbackUrl }));
  for (const status of [301, 302, 303, 307, 308]) {
    sink.respondWith(status, { Location: "http://169.254.169.254/latest/meta-data/" });
    await sink.deliver(company, 1);
    const [delivery] = await deliveriesOf(company);
    clock.advance(delivery!.dueAt! - clock.now());
  }
  expect(sink.received.map(({ url }) => url)).toEqual(Array(5).fill(postbackUrl));
  expect(sink.received.every(({ init }) => init.redirect === "manual")).toBe(true);
});
