import { expect, it } from "vitest";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { Browser } from "../../../support/builders/console/browser.ts";
import {
  beginSession,
  givenPerson,
  givenSession,
} from "../../../support/builders/console/people.ts";

const END_OTHERS = "/console/account/sessions/end-others";
const FORM = "application/x-www-form-urlencoded";

it("a post from another site is refused whatever its type, and ends no session", async () => {
  const { userId } = await givenPerson(await givenCompany(), "viewer");
  const [here, there] = [await beginSession(userId, {}), await beginSession(userId, {})];
  for (const [origin, type] of [
    ["https://evil.example", FORM],
    ["null", FORM],
    ["http://evil.localhost:8787", FORM],
    ["http://localhost:8787.evil.example", FORM],
    ["https://evil.example", "text/plain"],
    ["https://evil.example", "multipart/form-data; boundary=x"],
    ["https://evil.example", "application/json"],
    ["https://evil.example", "application/octet-stream"],
    ["https://evil.example", "x/y, text/plain"],
  ] as const) {
    const headers = { Origin: origin, "Content-Type": type };
    const { status } = await new Browser(here).ask(END_OTHERS, { form: {}, headers });
    expect([403, 415], `${origin} ${type}`).toContain(status);
  }
  expect((await new Browser(there).ask("/console/account")).status).toBe(200);
});

it("the script's JSON from another origin is refused, and so is any other type there", async () => {
  const browser = new Browser(await givenSession(await givenCompany(), "owner"));
  const json = { response: {} };
  for (const headers of [
    { Origin: "https://evil.example" },
    { Origin: "null" },
    { "Content-Type": "application/octet-stream" },
  ]) {
    const { status } = await browser.ask("/console/passkeys/register", { json, headers });
    expect([403, 415]).toContain(status);
  }
  const odd = await browser.ask("/console/passkeys/register", {
    json: { response: null, name: 5 },
  });
  expect(odd.status).toBe(400);
});

it("too large, broken and untyped bodies are refused with a page, and no page fails", async () => {
  const browser = new Browser(await givenSession(await givenCompany(), "owner"));
  const large = { email: "x".repeat(100_000), password: "x" };
  expect((await new Browser().ask("/console/sign-in", { form: large })).status).toBe(413);
  const ask = async (path: string, type: string) => {
    const headers = { "Content-Type": type };
    return (await browser.ask(path, { form: { name: "x" }, headers })).status;
  };
  expect(await ask("/console/keys", "text/plain")).toBe(415);
  expect(await ask("/console/keys", "multipart/form-data")).toBe(400);
  expect(await ask("/console/team/invitations", "multipart/form-data; boundary=z")).toBe(400);
});
