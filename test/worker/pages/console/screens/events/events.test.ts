import { expect, it } from "vitest";
import { givenTransaction, pay } from "../../../../../support/builders/charges/transaction.ts";
import { givenCompany } from "../../../../../support/builders/companies/company.ts";
import type { Page } from "../../../../../support/builders/console/browser.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import { visit } from "../../../../../support/builders/console/visit.ts";
import {
  dueEvents,
  givenHistory,
} from "../../../../../support/builders/webhooks/webhook-history.ts";

const PATH = "/console/events";
const URL_OF_SHOP = "https://loja.example.com/hook";

const viewer = { role: "viewer" } as const;

it("the log leads to each event, its object, its deliveries and its body", async () => {
  const company = await givenCompany();
  const metadata = "<script>order";
  const { id } = await givenTransaction(company, { postbackUrl: URL_OF_SHOP, metadata });
  await pay(company, id);
  const event = `${PATH}/evt_${company.id}_1`;
  for (const language of ["pt-BR", "en"] as const) {
    const list = await visit(company, PATH, { ...viewer, language });
    expectClean(list.html);
    expect(list.html).toContain(`href="${event}"`);
    expect(list.html).toContain(`href="/console/payments/${id}"`);
    const { html } = await visit(company, event, { ...viewer, language });
    expectClean(html);
    expect(html).toContain(`href="/console/payments/${id}"`);
    expect(html).toContain(`/console/webhooks/deliveries/dlv_${company.id}_1_postback`);
    expect(html).toContain("&lt;script&gt;order");
    expect(html).not.toContain(metadata);
  }
});

const numbersOn = ({ html }: Page) =>
  [...html.matchAll(/<code>evt_\d+_(\d+)<\/code>/g)].map(([, number]) => Number(number));
const nextOn = ({ html }: Page) => /href="([^"]+)" rel="next"/.exec(html)?.[1] ?? "";

it("a longer log has pages, newest first, that end where it ends; a filter may find nothing", async () => {
  const company = await givenCompany();
  await givenHistory(company, dueEvents(120, Date.now(), URL_OF_SHOP, "delivered"));
  const first = await visit(company, PATH, viewer);
  expect(nextOn(first)).toMatch(/\?after=\d+$/);
  const second = await visit(company, nextOn(first), viewer);
  expectClean(second.html);
  const third = await visit(company, nextOn(second), viewer);
  const numbers = [first, second, third].flatMap(numbersOn);
  expect(numbers).toEqual(Array.from({ length: 120 }, (_, index) => 120 - index));
  expect(third.html).not.toContain('rel="next"');
  const none = await visit(company, `${PATH}?type=withdraw.paid`, viewer);
  expect(none.html).toContain('class="empty"');
});

it("an unknown event is not found, an unknown type is refused", async () => {
  const company = await givenCompany();
  expect((await visit(company, `${PATH}/1`, viewer)).status).toBe(404);
  expect((await visit(company, `${PATH}?type=x`, viewer)).status).toBe(400);
});
