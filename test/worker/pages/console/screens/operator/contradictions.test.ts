import { beforeAll, expect, it } from "vitest";
import { givenCompany } from "../../../../../support/builders/companies/company.ts";
import { Browser } from "../../../../../support/builders/console/browser.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import { givenOperatorPerson } from "../../../../../support/builders/console/people.ts";
import { givenContradiction } from "../../../../../support/builders/reconciliation/decisions.ts";
import { balanceOf } from "../../../../../support/probes/ledger/balance.ts";
import type { TestCompany } from "../../../../../support/builders/companies/env.ts";

const PATH = "/console/operator/contradictions";

let [first, second]: Browser[] = [];
let company: TestCompany;

beforeAll(async () => {
  const [one, two] = [await givenOperatorPerson("finance"), await givenOperatorPerson("finance")];
  [first, second] = [new Browser(one.cookie), new Browser(two.cookie)];
  company = await givenCompany({ balance: 50_000 });
});

it("one operator proposes a correction, and only another one approves it, once", async () => {
  const before = await givenContradiction(company, { object: "withdraw:8" });
  const id = await givenContradiction(company, { object: "withdraw:9", amount: 10_000 });
  const typed = { action: "correct", amount: "-12,34", reason: "bank statement" };
  const seen = await first!.ask(`${PATH}/${id}`);
  expectClean(seen.html);
  const wrong = await first!.ask(`${PATH}/${id}/check`, { form: { ...typed, amount: "muito" } });
  expect([wrong.status, wrong.html.includes('value="muito"')]).toEqual([400, true]);
  const check = await first!.ask(`${PATH}/${id}/check`, { form: typed });
  expectClean(check.html);
  expect(check.html).toContain("R$\u00a012,34 são debitados");
  expectClean((await first!.ask(PATH)).html);
  // The list begins with the oldest company: other files' may fill its first page.
  const own = `${PATH}?status=open&after=${before}`;
  expect((await first!.ask(own)).html).toContain(`${PATH}/${id}`);

  const proposed = await first!.ask(`${PATH}/${id}/decide`, { form: typed });
  const [proposal = ""] = (proposed.headers.get("Location") ?? "").split("?");
  expect(proposal).toMatch(/^\/console\/operator\/proposals\/[0-9a-f-]{36}$/);
  const waiting = await first!.ask(`${proposal}?done=proposed`);
  expectClean(waiting.html);
  expect(waiting.html).toContain("Outro operador precisa aprovar");
  expect(waiting.html).not.toContain(`${proposal}/approve`);
  expect((await first!.ask("/console/operator")).html).toContain(proposal);
  expect((await first!.ask(`${PATH}/${id}`)).html).toContain(proposal);
  const form = { answer: "approve", reason: "I read the statement." };
  const itself = await first!.ask(`${proposal}/approve`, { form });
  expect([itself.status, itself.html.includes("INVALID_STATE")]).toEqual([409, true]);

  const page = await second!.ask(proposal);
  expectClean(page.html);
  expect(page.html).toContain(`${proposal}/approve`);
  expect(page.html).toContain("Corrigir com um lançamento");
  expect(page.html).toMatch(/Correção<\/dt><dd[^>]*>-R\$\u00a012,34/);
  const empty = await second!.ask(`${proposal}/approve`, { form: { ...form, reason: "" } });
  expect([empty.status, empty.html.includes("Diga o motivo.")]).toEqual([400, true]);
  const decided = await second!.ask(`${proposal}/approve`, { form });
  expect(decided.headers.get("Location")).toBe(`${proposal}?done=approved`);
  expect((await second!.ask(`${proposal}/approve`, { form })).status).toBe(303);
  expect((await balanceOf(company)).accBalance).toBe(487.66);
  const history = await first!.ask(`${proposal}?done=approved`, { language: "en" });
  expectClean(history.html);
  expect(history.html).toContain("Approved.");
  expectClean((await first!.ask("/console/operator/proposals?status=approved")).html);
  expectClean((await first!.ask(`${PATH}?status=decided`)).html);
  const shown = (await first!.ask(`${PATH}/${id}`)).html;
  const [, proposer] = /Proposta por<\/dt><dd[^>]*>([^<]+)/.exec(shown) ?? [];
  const [, approver] = /Aprovada por<\/dt><dd[^>]*>([^<]+)/.exec(shown) ?? [];
  expect([proposer, approver]).toEqual(["Olga", "Olga"]);
});

it("a reason is needed, and an action that does not fit the kind is refused", async () => {
  const id = await givenContradiction(company, { object: "withdraw:10" });
  const empty = await first!.ask(`${PATH}/${id}/check`, { form: { action: "dismiss" } });
  expect([empty.status, empty.html.includes("Diga o motivo.")]).toEqual([400, true]);
  const odd = { action: "retry", reason: "try" };
  const { status, html } = await first!.ask(`${PATH}/${id}/decide`, { form: odd });
  expect([status, html.includes("INVALID_STATE")]).toEqual([409, true]);
  expect((await first!.ask(`${PATH}/99999999-1`)).status).toBe(404);
});

it("of a sum that an earlier correction explains only the end is offered, and another is refused in the person's words", async () => {
  const found = { kind: "refund_status", booked: { corrected: 1_000 } } as const;
  const id = await givenContradiction(company, { ...found, object: "payment:E11" });
  const { html } = await first!.ask(`${PATH}/${id}`);
  expectClean(html);
  expect(html).toContain('value="dismiss"');
  expect(html).not.toContain('value="correct"');
  expect(html).not.toContain('name="amount"');

  const form = { action: "correct", amount: "-5,00", reason: "bank statement" };
  const check = await first!.ask(`${PATH}/${id}/check`, { form });
  expect(check.html).toContain("Esta ação não existe");
  for (const [language, words] of [
    ["pt-BR", "Uma correção aqui não seria contada"],
    ["en", "A correction here would be counted nowhere"],
  ] as const) {
    const refused = await first!.ask(`${PATH}/${id}/decide`, { form, language });
    expect([refused.status, refused.html.includes(words)]).toEqual([409, true]);
  }
});
