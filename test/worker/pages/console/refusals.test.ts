import { expect, it } from "vitest";
import { TITLES } from "../../../../src/domain/shared/problem.ts";
import { FIELD_RULES } from "../../../../src/lib/fields/rules.ts";
import { consoleApp } from "../../../../src/pages/console/app.tsx";
import en from "../../../../src/pages/shared/refusals/en.json";
import ptBr from "../../../../src/pages/shared/refusals/pt-br.json";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { Browser } from "../../../support/builders/console/browser.ts";
import { givenOperatorPerson, givenSession } from "../../../support/builders/console/people.ts";
import { ENGLISH } from "../../../support/probes/english.ts";

/** The API's own sentences, as far as they have no values; the shortest are part of other words. */
const OF_THE_API = [...Object.values(FIELD_RULES), ...Object.values(TITLES), "Invalid fields"]
  .map((sentence) => sentence.replace(/\{.*$/s, ""))
  .filter((sentence) => sentence.length > "is required".length);

/** A wrong value in every field that a form of the console may have. */
const WRONG: Record<string, string> = {
  ...Object.fromEntries(Object.keys(ptBr.fields).map((name) => [name, "x\u0001".repeat(300)])),
  amount: "0,01",
  name: "",
  email: "ana",
  role: "king",
  percent: "-1",
  idempotencyKey: "?",
};

const POSTS = [...new Set(consoleApp.routes.filter(isPost).map(({ path }) => path))]
  .filter((path) => !path.includes("/passkeys/") && !path.endsWith("/sign-out"))
  .toSorted();

function isPost({ method }: { method: string }): boolean {
  return method === "POST";
}

/** The text that a person sees, without what stands in code or is marked as English. */
function visibleText(html: string): string {
  const body = html.slice(html.indexOf("<main"));
  return body
    .replaceAll(/<(script|style|code|textarea|option)\b[^>]*>.*?<\/\1>/gs, " ")
    .replaceAll(/<(\w+)[^>]* lang="en"[^>]*>.*?<\/\1>/gs, " ")
    .replaceAll(/<[^>]+>/g, "\n")
    .replaceAll(/\s*\n\s*/g, "\n");
}

it.each([
  ["empty", {}],
  ["wrong", WRONG],
])("%s forms are refused in Portuguese, on every page that posts", async (_, form) => {
  const company = await givenCompany();
  const nowMs = Date.now();
  const member = new Browser(await givenSession(company, "owner", { nowMs }));
  const operator = new Browser((await givenOperatorPerson("admin", { nowMs })).cookie);
  const refused: string[] = [];
  for (const path of POSTS) {
    const isOperators = path.startsWith("/console/operator/");
    const id = isOperators ? String(company.id) : "1";
    const { status, html } = await (isOperators ? operator : member).ask(
      path.replace(":field", "refundApprovalAbove").replaceAll(/:\w+/g, id),
      { form },
    );
    if (status < 400 || html === "") continue;
    refused.push(path);
    const text = visibleText(html);
    expect(text.trim(), path).not.toBe("");
    for (const sentence of OF_THE_API) expect(text, path).not.toContain(sentence);
    expect(
      text.split("\n").filter((line) => ENGLISH.test(line)),
      path,
    ).toEqual([]);
  }
  expect(refused.length).toBeGreaterThan(POSTS.length / 2);
});

/** A wrong value of every filter that a page of the console may have. */
const FILTERS = new URLSearchParams(
  Object.fromEntries(
    ["from", "to", "paidFrom", "status", "reason", "approval", "type", "paymentMethod", "after"]
      .concat(["amountFrom", "endToEndId", "month", "day", "q", "companyId", "sheet", "method"])
      .map((name) => [name, "yesterday"]),
  ),
);

it("wrong filters are refused in Portuguese, on every page", async () => {
  const company = await givenCompany();
  const nowMs = Date.now();
  const member = new Browser(await givenSession(company, "owner", { nowMs }));
  const operator = new Browser((await givenOperatorPerson("admin", { nowMs })).cookie);
  const paths = new Set(
    consoleApp.routes.filter(({ method }) => method === "GET").map(({ path }) => path),
  );
  const refused: string[] = [];
  for (const path of paths) {
    if (path.includes("*")) continue;
    const isOperators = path.startsWith("/console/operator");
    const id = isOperators ? String(company.id) : "1";
    const filled = path.replaceAll(/:\w+(?:\{[^}]*\})?/g, id);
    const { status, html } = await (isOperators ? operator : member).ask(
      `${filled}?${FILTERS.toString()}`,
    );
    if (status < 400 || !html.includes("<main")) continue;
    refused.push(path);
    const text = visibleText(html);
    for (const sentence of OF_THE_API) expect(text, path).not.toContain(sentence);
    expect(
      text.split("\n").filter((line) => ENGLISH.test(line)),
      path,
    ).toEqual([]);
  }
  expect(refused.length).toBeGreaterThan(10);
});

it("the first wrong field has the focus, and its sentence describes it", async () => {
  const company = await givenCompany();
  const browser = new Browser(await givenSession(company, "owner", { nowMs: Date.now() }));
  const form = { amount: "1,00", pixKey: "x".repeat(300), description: "x".repeat(300) };
  const { status, html } = await browser.ask("/console/withdraws/new", { form });
  expect(status).toBe(400);
  expect(html.match(/autofocus/g)).toHaveLength(1);
  expect(html).toMatch(/<input [^>]*name="amount"[^>]* autofocus/);
  expect(html).toMatch(/<input [^>]*name="amount"[^>]* aria-describedby="amount-error"/);
  expect(html).toContain("O valor precisa ser de no mínimo R$\u00a010,00.");
  const english = await browser.ask("/console/withdraws/new", { form, language: "en" });
  expect(english.html).toContain(en.title);
});

it("a wrong group of boxes or choice has the focus, and its sentence describes it", async () => {
  const company = await givenCompany();
  const browser = new Browser(await givenSession(company, "owner", { nowMs: Date.now() }));
  const keys = await browser.ask("/console/keys", { form: { name: "ERP", idempotencyKey: "1" } });
  expect(keys.status).toBe(400);
  expect(keys.html).toMatch(
    /<fieldset id="scopes" aria-describedby="scopes-error" autofocus[^>]* tabindex="-1"/,
  );
  expect(keys.html).toContain(`<p class="error" id="scopes-error">${ptBr.rules.nameOne}`);
  const form = { amount: "20,00", pixKey: "51998259765", pixKeyType: "FAX" };
  const { html } = await browser.ask("/console/withdraws/new", { form });
  expect(html).toMatch(/<select id="pixKeyType"[^>]* aria-invalid="true" autofocus/);
  expect(html).toContain('<p class="error" id="pixKeyType-error">');
});
