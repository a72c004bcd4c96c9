import { expect, it } from "vitest";
import {
  chargesOf,
  decide,
  givenApproved,
  liveUntil,
  openShop,
} from "../../../../../support/builders/charges/subscriptions.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import { visit, type Visit } from "../../../../../support/builders/console/visit.ts";

const PATH = "/console/subscriptions/recovered";

it("what failed and was recovered stands by month, and a retry policy is tested", async () => {
  const shop = await openShop();
  const look = async (path: string, options: Visit = {}) => {
    const page = await visit(shop.company, path, { deps: shop.deps, ...options });
    expectClean(page.html);
    return page;
  };
  const empty = (await look(PATH)).html;
  expect(empty).toContain("Nenhum débito falhou nos últimos 12 meses.");
  const { id } = await givenApproved(shop);
  await liveUntil(shop, "2026-12-06");
  const [{ transactionId }] = await chargesOf(shop, id);
  await decide(shop, transactionId, "no_balance");
  await liveUntil(shop, "2026-12-13");

  const { html } = await look(PATH);
  expect(html).toMatch(/dez\. de 2026<[\s\S]*R\$\s49,90 \(1\)[\s\S]*R\$\s0,00 \(0\)/);
  expect(html).toContain("um destes dias teve menos de 20 tentativas");
  expect(html).toContain('value="1, 3, 5"');
  const other = (await look(`${PATH}?retry=2%2C+4+e+6`)).html;
  expect(other.match(/data-heading="Dias depois">\d/g)).toEqual(
    [2, 4, 6].map((day) => `data-heading="Dias depois">${day}`),
  );
  const wrong = await look(`${PATH}?retry=nunca`);
  expect([wrong.status, wrong.html.includes('id="retry-error"')]).toEqual([400, true]);
  expect(wrong.html).toContain('value="nunca"');
  const list = await look("/console/subscriptions");
  expect(list.html).toContain(`href="${PATH}"`);
  expect((await look(PATH, { language: "en" })).html).toContain("Recovered by a retry");
});
