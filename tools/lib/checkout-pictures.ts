import { picturesPage } from "./pictures-page.ts";

export const CHECKOUT_THEMES = ["light", "dark"] as const;

const CUSTOMER = { name: "Maria", document: { number: "52998224725", type: "CPF" } };

/** Each page of a charge, with the request of the charge and what happens to it. */
export const CHECKOUT_PAGES: Record<string, { title: string; body: object; actions: string[] }> = {
  open: {
    title: "open",
    body: { paymentMethod: "PIX", pix: { expiresInSeconds: 900 } },
    actions: [],
  },
  paid: { title: "paid", body: { paymentMethod: "PIX" }, actions: ["pay"] },
  expired: { title: "expired", body: { paymentMethod: "PIX" }, actions: ["expire"] },
  boleto: {
    title: "a boleto",
    body: { paymentMethod: "BOLETO", customer: CUSTOMER },
    actions: [],
  },
};

/** The Markdown of docs/generated/checkout.md. */
export function checkoutPage(): string {
  const titles = Object.entries(CHECKOUT_PAGES).map(([name, { title }]) => [name, title] as const);
  return picturesPage(
    "docs:checkout",
    CHECKOUT_THEMES,
    [...titles, ["link", "a payment link, by card"] as const].map(([name, title]) => ({
      title,
      files: CHECKOUT_THEMES.map((theme) => `checkout/${name}-${theme}.png`),
    })),
  );
}
