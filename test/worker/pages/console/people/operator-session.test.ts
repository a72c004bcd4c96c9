import { expect, it } from "vitest";
import { env, givenCompany } from "../../../../support/builders/companies/company.ts";
import { Browser } from "../../../../support/builders/console/browser.ts";
import { givenOperatorPerson, joinCompany } from "../../../../support/builders/console/people.ts";

it("a person who is only an operator comes to the operator's page, and to no company's", async () => {
  const browser = new Browser((await givenOperatorPerson("read")).cookie);
  expect((await browser.ask("/console")).headers.get("Location")).toBe("/console/operator");
  const home = await browser.ask("/console/operator", { language: "en" });
  expect(home.status).toBe(200);
  for (const text of ["Signed in as Olga, Reader.", "Companies", "Contradictions"]) {
    expect(home.html).toContain(text);
  }
  expect(home.html).not.toContain("/console/operator/people");
  expect(home.html).not.toMatch(/undefined|NaN|>null</);
  for (const path of ["/console/payments", "/console/withdraws", "/console/audit"]) {
    expect((await browser.ask(path)).status, path).toBe(403);
  }
  expect((await browser.ask("/console/account")).status).toBe(200);
});

it("a person who is both changes between the company and the gateway", async () => {
  const { cookie, userId } = await givenOperatorPerson("admin");
  const company = await givenCompany();
  await joinCompany(userId, company, "viewer");
  const browser = new Browser(cookie);
  const choose = async (choice: string) =>
    (await browser.ask("/console/company", { form: { company: choice } })).headers.get("Location");
  const home = await browser.ask("/console");
  expect(home.status).toBe(200);
  expect(home.html).toContain('value="operator"');
  expect(await choose("operator")).toBe("/console/operator");
  expect((await browser.ask("/console")).headers.get("Location")).toBe("/console/operator");
  expect((await browser.ask("/console/account")).html).toContain("/console/operator/people");
  expect(await choose(String(company.id))).toBe("/console");
  expect((await browser.ask("/console")).status).toBe(200);
});

it("only an operator chooses the gateway", async () => {
  const { cookie, userId } = await givenOperatorPerson("admin");
  await joinCompany(userId, await givenCompany(), "viewer");
  await env.DB.prepare("UPDATE operators SET removed_at = 1 WHERE user_id = ?").bind(userId).run();
  const browser = new Browser(cookie);
  const chosen = await browser.ask("/console/company", { form: { company: "operator" } });
  expect(chosen.status).toBe(404);
  expect((await browser.ask("/console/operator")).status).toBe(403);
  expect((await browser.ask("/console")).status).toBe(200);
});
