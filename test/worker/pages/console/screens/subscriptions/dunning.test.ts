import { beforeAll, expect, it } from "vitest";
import {
  givenSubscription,
  openShop,
  subscriptionOf,
} from "../../../../../support/builders/charges/subscriptions.ts";
import type { Shop } from "../../../../../support/builders/companies/clocked-shop.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
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

const press = (path: string, form: Record<string, string>) =>
  open(path, { form: { idempotencyKey: crypto.randomUUID(), ...form } });

const errorOf = (html: string, field: string) =>
  new RegExp(`id="${field}-error"[^>]*>(.*?)</p>`, "s").exec(html)?.[1];

const POLICY = { dunningLink: "email", dunningThen: "pause", dunningDays: "10" };

it("what follows an unpaid cycle is said in the form, and stands on the page", async () => {
  const { html } = await open(`${PATH}/new`);
  expect(html).toContain("Cobrança de débitos não pagos");
  const form = { ...SUBSCRIPTION_FORM, ...POLICY, email: "maria@example.com" };
  const made = await press(PATH, form);
  const location = made.headers.get("Location") ?? "";
  const id = /[\w-]{36}/.exec(location)?.[0] ?? "";
  const dunning = { link: "email", days: 10, then: "pause" };
  expect(await subscriptionOf(shop, id)).toMatchObject({ dunning });
  const page = await open(location);
  expect(page.html).toContain(
    "Link por e-mail ao cliente (Pix). Depois de 10 dias sem pagamento, a assinatura é pausada.",
  );
});

it("a link by e-mail without an address is refused at the address, and a wrong day at its field", async () => {
  const { status, html } = await press(PATH, { ...SUBSCRIPTION_FORM, ...POLICY });
  expect([status, errorOf(html, "email")]).toEqual([400, "Preencha também este campo."]);
  expect(html).toMatch(/<option value="email" selected="">/);
  const form = { ...SUBSCRIPTION_FORM, ...POLICY, dunningLink: "event" };
  for (const dunningDays of ["0", "31", "dez"]) {
    const wrong = await press(PATH, { ...form, dunningDays });
    expect(wrong.status).toBe(400);
    expect(errorOf(wrong.html, "dunningDays"), dunningDays).toBeDefined();
    expect(wrong.html).toContain(`value="${dunningDays}"`);
  }
});

it("a boleto and a saved card are chosen in the form, and an unknown card is refused at its field", async () => {
  const policy = { ...SUBSCRIPTION_FORM, ...POLICY, dunningLink: "event", dunningMethod: "BOLETO" };
  const made = await press(PATH, policy);
  const page = await open(made.headers.get("Location") ?? "");
  expect(page.html).toContain("Link por webhook, para a empresa enviar (boleto).");
  const wrong = await press(PATH, { ...policy, dunningCard: "card_0" });
  expect([wrong.status, errorOf(wrong.html, "dunningCard")]).toEqual([
    400,
    "Este cliente não tem esse cartão guardado.",
  ]);
  expect(wrong.html).toContain('value="card_0"');
});

it("it is changed on the page, and ended", async () => {
  const { id } = await givenSubscription(shop);
  const path = `${PATH}/${id}`;
  const before = await open(path);
  expect(before.html).toMatch(/Cobrança de débitos não pagos<\/dt><dd>Nenhuma</);
  expect(before.html).toMatch(/<option value="email" disabled="">[^<]*não tem e-mail\)</);
  const policy = { dunningLink: "event", dunningThen: "cancel", dunningDays: "1" };
  expect((await press(`${path}/dunning`, policy)).status).toBe(303);
  const dunning = { link: "event", days: 1, then: "cancel" };
  expect(await subscriptionOf(shop, id)).toMatchObject({ dunning });
  expect((await open(path)).html).toContain(
    "Depois de 1 dia sem pagamento, a assinatura é cancelada.",
  );
  const wrong = await press(`${path}/dunning`, { ...policy, dunningDays: "99" });
  expect(wrong.status).toBe(400);
  expect(errorOf(wrong.html, "dunningDays")).toBeDefined();
  expect(wrong.html).toContain('value="99"');
  const noEmail = await press(`${path}/dunning`, { ...policy, dunningLink: "email" });
  expect([noEmail.status, errorOf(noEmail.html, "dunningLink")]).toEqual([
    400,
    "Esta assinatura não tem o e-mail do cliente.",
  ]);
  const none = { dunningLink: "none", dunningThen: "none", dunningDays: "7" };
  expect((await press(`${path}/dunning`, none)).status).toBe(303);
  expect((await open(path)).html).toMatch(/Cobrança de débitos não pagos<\/dt><dd>Nenhuma</);
});
