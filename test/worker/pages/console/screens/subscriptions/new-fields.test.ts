import { beforeAll, expect, it } from "vitest";
import { openShop, subscriptionOf } from "../../../../../support/builders/charges/subscriptions.ts";
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

const press = (form: Record<string, string>) =>
  open(PATH, { form: { idempotencyKey: crypto.randomUUID(), ...SUBSCRIPTION_FORM, ...form } });

const errorOf = (html: string, field: string) =>
  new RegExp(`id="${field}-error"[^>]*>(.*?)</p>`, "s").exec(html)?.[1];

const REQUEST = { journey: "REQUEST", ispb: "18236120", branch: "1", account: "12345" };

it("the payer's town, the order, the account's owner and other retry days are sent and shown", async () => {
  const made = await press({
    ...REQUEST,
    city: "3550308",
    externalRef: "pedido-77",
    ownerDocument: "111.444.777-35",
    retryDays: "2, 4 e 6",
  });
  const location = made.headers.get("Location") ?? "";
  const id = /[\w-]{36}/.exec(location)?.[0] ?? "";
  expect(await subscriptionOf(shop, id)).toMatchObject({
    externalRef: "pedido-77",
    customer: { city: "3550308" },
    payerAccount: { document: { number: "11144477735", type: "CPF" } },
    retry: [2, 4, 6],
  });
  const { html } = await open(location);
  for (const text of ["3550308", "11144477735", "2, 4, 6 dias depois do vencimento"])
    expect(html).toContain(text);
});

it("each of them that is wrong is refused at its field, and stays typed", async () => {
  const wrong = {
    city: "São Paulo",
    externalRef: "x".repeat(61),
    ownerDocument: "123",
  };
  const { status, html } = await press({ ...REQUEST, ...wrong });
  expect(status).toBe(400);
  for (const [field, typed] of Object.entries(wrong)) {
    expect(errorOf(html, field), field).toBeDefined();
    expect(html).toContain(`value="${typed}"`);
  }
  for (const retryDays of ["0", "8", "3, 1", "1, 2, 3, 4", "nunca"]) {
    const refused = await press({ retryDays });
    expect(refused.status, retryDays).toBe(400);
    expect(errorOf(refused.html, "retryDays"), retryDays).toContain(
      "Informe até três dias, de 1 a 7",
    );
  }
});
