import { beforeAll, expect, it } from "vitest";
import {
  formOf,
  givenLink,
  LINKS,
  sendForm,
} from "../../../support/builders/charges/payment-links.ts";
import { givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { visit } from "../../../support/builders/console/visit.ts";
import { env } from "../../../support/builders/companies/env.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { countRoundTrips } from "../../../support/probes/database/round-trips.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const SETTINGS = "/api/v1/company/settings";
const SHOP = "https://shop.example";
const OTHER = "https://loja.example:8443";
const EMBED = `?embed=${encodeURIComponent(SHOP)}`;

let company: TestCompany;

beforeAll(async () => {
  company = await givenCompany();
  const answer = await allow([SHOP, "HTTPS://Loja.Example:8443", SHOP]);
  expect(answer.body.embedOrigins).toEqual([SHOP, OTHER]);
  await expectDocumented(`PUT ${SETTINGS}`, answer);
});

const allow = (embedOrigins: unknown, allowed = "true") =>
  call(SETTINGS, {
    method: "PUT",
    company,
    body: { embedOrigins },
    env: { ...env, ALLOW_HTTP_LOOPBACK_WEBHOOKS: allowed },
  });

async function ancestorsOf(path: string, options = {}): Promise<string> {
  const { headers } = await call(path, options);
  const policy = headers.get("Content-Security-Policy") ?? "";
  const [, ancestors = ""] = /frame-ancestors ([^;]*)/.exec(policy) ?? [];
  expect(headers.get("X-Frame-Options"), path).toBe(ancestors === "'none'" ? "DENY" : null);
  return ancestors;
}

it("only the payers' pages of the company may be framed, and only by the origins it lists", async () => {
  const { id, secureId } = await givenTransaction(company);
  const link = await givenLink(company, { amount: 1_000 });
  const gone = await givenLink(company);
  await call(`${LINKS}/${gone.id}`, { company, method: "PATCH", body: { active: false } });
  for (const path of [`/checkout/${secureId}`, `/l/${link.slug}`, `/l/${gone.slug}${EMBED}`]) {
    expect(await ancestorsOf(path), path).toBe(`${SHOP} ${OTHER}`);
  }
  await pay(company, id);
  const stranger = await givenTransaction(await givenCompany());
  for (const path of [
    `/r/${secureId}`,
    `/boletos/${secureId}`,
    `/checkout/${stranger.secureId}${EMBED}`,
    `/checkout/nothing${EMBED}`,
    `/l/nothing${EMBED}`,
    "/receipts/verify",
    "/console",
  ]) {
    expect(await ancestorsOf(path), path).toBe("'none'");
  }
});

it("a page speaks only to the origin in its address, if that is listed", async () => {
  const trips = countRoundTrips();
  const { secureId } = await givenTransaction(company);
  const open = (embed: string) => call(`/checkout/${secureId}${embed}`, { env: trips.env });
  trips.lap();
  expect((await open(EMBED)).text).toContain(`data-parent="${SHOP}"`);
  expect(trips.lap().trips).toHaveLength(1);
  for (const asked of ["", "?embed=*", "?embed=https://evil.example", `?embed=${SHOP}/`]) {
    expect((await open(asked)).text, asked).not.toContain("data-parent");
  }
});

it("in a frame, receipt and slip open in a tab, and the way back leaves the frame", async () => {
  const { id, secureId } = await givenTransaction(company, {
    returnUrl: "https://loja.example.com/fim",
  });
  await pay(company, id);
  const framed = (await call(`/checkout/${secureId}${EMBED}`)).text;
  expect(framed).toMatch(/href="\/r\/[^"]+" target="_blank" rel="noopener"/);
  expect(framed).toMatch(/\/return" rel="noreferrer" target="_top"/);
  expect((await call(`/checkout/${secureId}`)).text).not.toContain("target=");
});

it("a link stays in the frame from its form to the charge", async () => {
  const { slug } = await givenLink(company, { amount: 1_000 });
  const { text, headers } = await call(`/l/${slug}${EMBED}`);
  expect(text).toContain(`action="/l/${slug}${EMBED}"`);
  // Without it, a browser would send no origin with the form (docs/checkout.md).
  expect(headers.get("Referrer-Policy")).toBe("same-origin");
  const sent = await sendForm(`${slug}${EMBED}`, formOf(text));
  expect(sent.status).toBe(303);
  expect(sent.headers.get("Location")).toMatch(/^\/checkout\/[\w-]{43}\?embed=https%3A%2F%2Fshop/);
});

it("any page may load the element, which a browser keeps for a day and then asks for by its tag", async () => {
  const { status, headers, text } = await call("/checkout.js");
  expect(status).toBe(200);
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "public, max-age=86400",
    "cross-origin-resource-policy": "cross-origin",
    "access-control-allow-origin": "*",
  });
  expect(text.length).toBeLessThan(10_000);
  expect(text).not.toMatch(/innerHTML|eval|, "\*"/);
  const tag = headers.get("ETag") ?? "";
  for (const known of [tag, `W/${tag}`]) {
    const again = await call("/checkout.js", { headers: { "If-None-Match": known } });
    expect([again.status, again.text]).toEqual([304, ""]);
  }
});

it.each([
  ["http://shop.example"],
  ["https://shop.example/"],
  ["https://shop.example/loja"],
  ["https://*.shop.example"],
  ["https://shop.example;x"],
  ["https://10.0.0.1"],
  ["https://user@shop.example"],
  ["javascript:alert(1)"],
  ["*"],
  ["null"],
  [""],
])("VALIDATION_FAILED: %j frames nothing", async (origin) => {
  const answer = await allow([SHOP, origin]);
  const fields = ["embedOrigins.1"];
  await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields });
});

it("VALIDATION_FAILED: eleven origins, and none in a deployed service is on loopback", async () => {
  const many = Array.from({ length: 11 }, (_, at) => `https://shop${at}.example`);
  const fields = ["embedOrigins"];
  await expectProblem(await allow(many), { status: 400, code: "VALIDATION_FAILED", fields });
  const loopback = ["http://127.0.0.1:5500", "http://localhost"];
  await expectProblem(await allow(loopback, "false"), {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: ["embedOrigins.0", "embedOrigins.1"],
  });
  expect((await allow([...loopback, SHOP, OTHER])).body.embedOrigins).toHaveLength(4);
});

it("the console's form saves the origins, and names a line that is wrong", async () => {
  const owner = await givenCompany();
  const path = "/console/settings/embed";
  const refused = await visit(owner, path, { form: { embedOrigins: `${SHOP}\n<b>` } });
  expect(refused.status).toBe(400);
  expect(refused.html).toContain(`${SHOP}\n&lt;b&gt;</textarea>`);
  expect(refused.html).toContain("2: Informe só o site");
  const saved = await visit(owner, path, { form: { embedOrigins: `${SHOP}\r\n\r\n${OTHER}\r\n` } });
  expect(saved.headers.get("Location")).toBe("/console/settings?done=embed");
  const { body } = await call(SETTINGS, { company: owner });
  expect(body.embedOrigins).toEqual([SHOP, OTHER]);
  const emptied = await visit(owner, path, { form: { embedOrigins: "" } });
  expect(emptied.status).toBe(303);
  expect((await visit(owner, "/console/settings?done=embed")).html).toContain("Páginas que podem");
});
