import { beforeAll, expect, it } from "vitest";
import {
  chargesOf,
  givenApproved,
  givenSubscription,
  liveUntil,
  openShop,
  subscriptionOf,
} from "../../../../../support/builders/charges/subscriptions.ts";
import type { Shop } from "../../../../../support/builders/companies/clocked-shop.ts";
import { expectClean, keyOf } from "../../../../../support/builders/console/page-checks.ts";
import { visit, type Visit } from "../../../../../support/builders/console/visit.ts";
import { SUBSCRIPTION_FORM } from "./form.ts";

const PATH = "/console/subscriptions";
let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
});

async function open(path: string, options: Visit = {}) {
  const page = await visit(shop.company, path, { deps: shop.deps, ...options });
  if (page.html !== "") expectClean(page.html);
  return page;
}

const press = (path: string, form: Record<string, string> = {}) =>
  open(path, { form: { idempotencyKey: crypto.randomUUID(), ...form } });

it("a subscription is made once by a form that is sent twice, and its page has the payer's link", async () => {
  const empty = await open(`${PATH}/new`);
  expect(empty.html).toContain("nas outras, o primeiro dia possível é");
  const form = { ...SUBSCRIPTION_FORM, idempotencyKey: keyOf(empty.html) };
  const made = await open(PATH, { form });
  const again = await open(PATH, { form });
  const location = made.headers.get("Location") ?? "";
  expect([made.status, again.headers.get("Location")]).toEqual([303, location]);
  const page = await open(location);
  expect(page.html).toContain("A assinatura foi criada");
  expect(page.html).toContain("/a/");
  expect(page.html).toMatch(/R\$\s49,90/);
  const list = await open(PATH, { language: "en" });
  expect(list.html).toContain("Awaits approval");
  expect((await open(`${PATH}?status=paused`)).html).not.toContain("Maria da Silva");
});

it("a day that a bank refuses says why at its field, and what was typed stays", async () => {
  const { status, html } = await press(PATH, { ...SUBSCRIPTION_FORM, firstDueDate: "2026-12-02" });
  expect(status).toBe(400);
  const error = /id="firstDueDate-error"[^>]*>(.*?)<\/p>/s.exec(html)?.[1];
  expect(error).toContain(
    "Um banco recusaria este dia. O banco aceita o envio até dois dias úteis antes do débito.",
  );
  expect(error).toContain("Fonte: manual da Celcoin; Cielo, EBANX e Woovi (código FCD2)");
  const english = await open(PATH, {
    form: { ...SUBSCRIPTION_FORM, firstDueDate: "2026-12-02", idempotencyKey: crypto.randomUUID() },
    language: "en",
  });
  expect(english.html).toContain("Source: manual of Celcoin");
  expect(html).toContain('value="Clube do livro"');
  const wrong = await press(PATH, { ...SUBSCRIPTION_FORM, amount: "muito" });
  expect([wrong.status, wrong.html.includes('id="amount-error"')]).toEqual([400, true]);
});

it("the first due date may be today where a code pays the first cycle, and is refused for the others", async () => {
  const { html } = await open(`${PATH}/new`);
  const picker = /<input id="firstDueDate"[^>]*>/.exec(html)?.[0];
  expect(picker).toContain('min="2026-12-01"');
  expect(html).toContain("o primeiro dia possível é 3 de dez. de 2026");
  const today = { ...SUBSCRIPTION_FORM, firstDueDate: "2026-12-01" };
  for (const journey of ["QR_AND_PAY", "QR_ON_DUE"])
    expect((await press(PATH, { ...today, journey })).status, journey).toBe(303);
  const refused = await press(PATH, today);
  expect([refused.status, refused.html.includes('id="firstDueDate-error"')]).toEqual([400, true]);
});

it("the payer is played, the subscription paused, resumed, changed and cancelled by buttons", async () => {
  const made = await givenSubscription(shop, { amount: undefined, minimumAmount: 1_000 });
  const path = `${PATH}/${made.id}`;
  expect((await press(`${path}/approve`)).status).toBe(303);
  expect((await press(`${path}/amount`, { amount: "59,90" })).status).toBe(303);
  expect(await subscriptionOf(shop, made.id)).toMatchObject({ status: "active", amount: 5_990 });
  const below = await press(`${path}/amount`, { amount: "1,00" });
  expect([below.status, below.html.includes('id="amount-error"')]).toEqual([400, true]);
  for (const [action, status] of [
    ["pause", "paused"],
    ["resume", "active"],
    ["cancel", "cancelled"],
  ] as const) {
    expect((await press(`${path}/${action}`)).status, action).toBe(303);
    expect((await subscriptionOf(shop, made.id)).status).toBe(status);
  }
  expect((await press(`${path}/pause`)).status).toBe(409);
  expect((await press(`${path}/unknown`)).status).toBe(404);
});

it("the next debit is opened before its time, once by a form that is sent twice", async () => {
  const { id } = await givenApproved(shop, { amount: undefined, minimumAmount: 1_000 });
  const path = `${PATH}/${id}`;
  const { html } = await open(path);
  expect(html).toContain("Abrir já o débito de 10 de dez. de 2026");
  for (const amount of ["muito", "1,00"]) {
    const refused = await press(`${path}/open`, { dueDate: "2026-12-10", amount });
    expect(refused.status).toBe(400);
    expect(refused.html).toContain('id="open-amount-error"');
    expect(refused.html).not.toContain('id="amount-error"');
  }
  const form = { idempotencyKey: crypto.randomUUID(), dueDate: "2026-12-10", amount: "59,90" };
  for (const status of [303, 303])
    expect((await open(`${path}/open`, { form })).status).toBe(status);
  expect(await chargesOf(shop, id)).toMatchObject([{ dueDate: "2026-12-10", amount: 5_990 }]);
  expect((await open(path)).html).toContain("Abrir já o débito de 10 de jan. de 2027");
  const viewer = await open(path, { role: "viewer" });
  expect(viewer.html).not.toContain("Abrir já");
  expect((await press(`${path}/open`, { dueDate: "2026-12-10" })).status).toBe(400);
});

it("a failed attempt says why and what to do; who may not write sees no button", async () => {
  const made = await givenApproved(shop);
  await liveUntil(shop, "2026-12-06");
  const [{ transactionId }] = await chargesOf(shop, made.id);
  const path = `${PATH}/${made.id}`;
  const charge = `${path}/charges/${transactionId}`;
  expect((await press(`${charge}/attempt`, { outcome: "over_limit" })).status).toBe(303);
  await liveUntil(shop, "2026-12-11");
  const { html } = await open(path);
  expect(html).toContain("O valor passa do limite que o cliente definiu no banco.");
  expect(html).toContain("envie um link de pagamento");
  expect(html).toContain("Por que estes dias?");
  expect(html).toMatch(/<option value="2026-12-12" disabled="">[^<]*não é dia útil</);
  expect(html).toMatch(/<option value="2026-12-14" selected="">/);
  const viewer = await open(path, { role: "viewer" });
  expect(viewer.html).not.toContain("Cancelar a assinatura");
  expect((await press(`${charge}/retry`, { date: "2027-06-01" })).status).toBe(400);
});

it("an end says why, with the bank's code and what to do", async () => {
  const own = await openShop();
  const look = async (path: string, options: Visit = {}) => {
    const page = await visit(own.company, path, { deps: own.deps, ...options });
    if (page.html !== "") expectClean(page.html);
    return page;
  };
  const act = (path: string) => look(path, { form: { idempotencyKey: crypto.randomUUID() } });
  const refused = await givenSubscription(own);
  expect((await act(`${PATH}/${refused.id}/reject`)).status).toBe(303);
  const page = await look(`${PATH}/${refused.id}`);
  expect(page.html).toContain(
    "O cliente recusou. Para voltar a debitar, crie uma nova assinatura.",
  );
  expect(page.html).toContain("código do banco: AP14");

  const { id } = await givenApproved(own);
  await liveUntil(own, "2026-12-06");
  const [{ transactionId }] = await chargesOf(own, id);
  expect((await act(`${PATH}/${id}/charges/${transactionId}/cancel`)).status).toBe(303);
  await liveUntil(own, "2026-12-07");
  const { html } = await look(`${PATH}/${id}`, { language: "en" });
  expect(html).toContain("The debit was cancelled. The company cancelled the debit.");
  expect(html).toContain("SLCR");
});

it("the button of a debit that can no longer be cancelled is gone", async () => {
  const { id } = await givenApproved(shop, { firstDueDate: "2027-01-12" });
  await shop.live({ set: "2027-01-11T21:00:00-03:00" });
  expect((await open(`${PATH}/${id}`)).html).toContain("Cancelar este débito");
  await shop.live({ set: "2027-01-11T22:00:00-03:00" });
  expect((await open(`${PATH}/${id}`)).html).not.toContain("Cancelar este débito");
});

it("what will be debited stands by day with its sum, and each bank with its share of approvals", async () => {
  const own = await openShop();
  const look = async (path: string) => {
    const { html } = await visit(own.company, path, { deps: own.deps });
    expectClean(html);
    return html;
  };
  expect(await look(`${PATH}/upcoming`)).toContain("Nenhum débito nos próximos 30 dias");
  expect(await look(`${PATH}/banks`)).toContain("Nenhuma assinatura criada no período");
  const account = { ispb: "18236120", branch: "1", account: "12345" };
  await givenApproved(own, { journey: "REQUEST", payerAccount: account });
  await givenSubscription(own);

  const outlook = await look(`${PATH}/upcoming`);
  const banks = await look(`${PATH}/banks`);

  expect(outlook).toMatch(/1 débito, R\$\s49,90/);
  expect(outlook).toContain("10 de dez. de 2026");
  expect(banks).toContain("Código ainda não lido");
  expect(banks).toContain("100%");
  const list = await look(PATH);
  expect(list).toContain(`href="${PATH}/upcoming"`);
});
