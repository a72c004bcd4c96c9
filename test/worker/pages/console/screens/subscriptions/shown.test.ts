import { expect, it } from "vitest";
import {
  chargesOf,
  givenApproved,
  givenFailing,
  liveUntil,
  openShop,
} from "../../../../../support/builders/charges/subscriptions.ts";
import { runInD1 } from "../../../../../support/builders/companies/archived-rows.ts";
import { inAccount } from "../../../../../support/builders/companies/company.ts";
import type { Shop } from "../../../../../support/builders/companies/clocked-shop.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import { visit, type Visit } from "../../../../../support/builders/console/visit.ts";

const PATH = "/console/subscriptions";

async function look(shop: Shop, path: string, options: Visit = {}): Promise<string> {
  const { html } = await visit(shop.company, path, { deps: shop.deps, ...options });
  expectClean(html);
  return html;
}

/** Sources of the API begin with a capital, and have the path's parameter in braces. */
const plain = (text: string) => text.toLowerCase().replace("{txid}", "txid");

it("an authorisation of no more use is told on top, with what to do", async () => {
  const shop = await openShop();
  const { id } = await givenFailing(shop, {}, "closed");
  const before = await look(shop, `${PATH}/${id}`);
  await liveUntil(shop, "2026-12-11");
  const html = await look(shop, `${PATH}/${id}`);
  const notice = "Nenhum débito novo é feito. Para voltar a debitar, crie uma nova assinatura";
  expect([before.includes(notice), html.includes(notice)]).toEqual([false, true]);
  expect(html).toContain(`href="${PATH}/new"`);
});

it("each day of a debit has its source, as the API has it, and how sure it is", async () => {
  const shop = await openShop();
  const { id } = await givenApproved(shop);
  await liveUntil(shop, "2026-12-06");
  const html = await look(shop, `${PATH}/${id}`);
  expect(html).toContain("Regra do Banco Central: Pix API 2.9.0, cobr.ajusteDiaUtil.");
  expect(html).toContain("Manuais dos provedores: manuais da Celcoin e da Cielo.");
  const english = await look(shop, `${PATH}/${id}`, { language: "en" });
  const [{ days }] = await chargesOf(shop, id);
  for (const { source } of days)
    expect(plain(english)).toContain(`: ${plain(source.replace(/^Centavo: /, ""))}.`);
});

it("an order that the provider does not take is shown with its sentence, and whom to ask", async () => {
  const shop = await openShop();
  const { id } = await givenApproved(shop);
  await liveUntil(shop, "2026-12-06");
  const [{ transactionId }] = await chargesOf(shop, id);
  const refused = `UPDATE subscription_cycles SET debit = json_set(debit, '$.refused',
      json_object('at', 1796482800000, 'message', 'A conta não é sua.')) WHERE transaction_id = ?`;
  await runInD1(refused, transactionId);
  await inAccount(shop.company.id, (_account, { storage: { sql } }) => {
    sql.exec(refused, transactionId);
  });
  const html = await look(shop, `${PATH}/${id}`);
  expect(html).toContain("O provedor não aceitou o pedido deste débito em");
  expect(html).toContain("Confira no provedor a conta que recebe, ou fale com ele.");
  expect(html).toContain("o provedor disse: A conta não é sua.");
  const english = await look(shop, `${PATH}/${id}`, { language: "en" });
  expect(english).toContain("Check the receiving account at the provider");
});

it("a debit that is over says what to do now, and no more that another day may do", async () => {
  const shop = await openShop();
  const { id, transactionId } = await givenFailing(shop, {}, "no_balance");
  await liveUntil(shop, "2026-12-11");
  expect(await look(shop, `${PATH}/${id}`)).toContain("Outro dia pode dar certo.");
  const over = `UPDATE subscription_cycles SET debit = json_set(debit, '$.status', 'rejected', '$.end',
      json_object('kind', 'rejected', 'by', 'payer_bank', 'code', 'NO_BALANCE', 'message', 'x', 'action', 'offer_link',
        'providerCode', NULL))
    WHERE transaction_id = ?`;
  await runInD1(over, transactionId);
  await inAccount(shop.company.id, (_account, { storage: { sql } }) => {
    sql.exec(over, transactionId);
  });
  const html = await look(shop, `${PATH}/${id}`);
  expect(html).toContain("O banco rejeitou o débito.");
  expect(html).toContain("O banco não tenta de novo: envie um link de pagamento.");
  expect(html.match(/Não havia saldo na conta/g)).toHaveLength(1);
  expect(html).not.toContain("Outro dia pode dar certo.");
});
