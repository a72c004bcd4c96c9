/** `npm run docs:checkout`: pictures of the payer's page on a small phone, and docs/generated/checkout.md. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHECKOUT_PAGES, CHECKOUT_THEMES, checkoutPage } from "../lib/checkout-pictures.ts";
import { launchChromium } from "../lib/chromium.ts";
import { Merchant } from "../lib/merchant.ts";
import { NARROW, takePicture } from "../lib/pictures.ts";
import { ROOT } from "../lib/wrangler.ts";
import { startService } from "../lib/service.ts";

const FOLDER = join(ROOT, "docs/images/checkout");
const BRAND = { name: "Padaria Pão Quente", color: "#b3261e", logoUrl: null };
const RETURN_URL = "https://padaria.example.com/obrigado";
/** A finger points, so the QR code is folded. */
const PHONE = { locale: "pt-BR", viewport: NARROW, isMobile: true, hasTouch: true };
const ITEMS = [
  { title: "Pão de queijo", unitPrice: 345, quantity: 12, tangible: true },
  { title: "Entrega", unitPrice: 450, quantity: 1, tangible: false },
];
/** A link whose payer chooses a card. */
const LINK = {
  name: "Curso de confeitaria",
  amount: 30_000,
  paymentMethods: ["PIX", "CREDIT_CARD"],
  maxInstallments: 3,
};

const stateDir = mkdtempSync(join(tmpdir(), "centavo-screenshots-"));
mkdirSync(FOLDER, { recursive: true });
const service = await startService({ stateDir });
const browser = await launchChromium("pt_BR.UTF-8");
try {
  const merchant = new Merchant(service.base);
  await merchant.call("PUT", "/api/v1/company/settings", { brand: BRAND });
  for (const [name, { body, actions }] of Object.entries(CHECKOUT_PAGES)) {
    const request = { amount: 4_590, items: ITEMS, returnUrl: RETURN_URL, ...body };
    const { id, secureUrl } = (await merchant.create(request, `picture_${name}`)).body.data;
    for (const action of actions) {
      await merchant.call("POST", `/api/v1/sandbox/transactions/${id}/${action}`);
    }
    for (const colorScheme of CHECKOUT_THEMES) {
      const page = await browser.newPage({ ...PHONE, colorScheme });
      await page.goto(secureUrl);
      await takePicture(page, join(FOLDER, `${name}-${colorScheme}.png`));
      await page.close();
    }
  }
  const { url } = (await merchant.call("POST", "/api/v1/payment-links", LINK)).body.data;
  for (const colorScheme of CHECKOUT_THEMES) {
    const page = await browser.newPage({ ...PHONE, colorScheme });
    await page.goto(url);
    await page.getByLabel("Cartão de crédito").check();
    await takePicture(page, join(FOLDER, `link-${colorScheme}.png`));
    await page.close();
  }
  writeFileSync(join(ROOT, "docs/generated/checkout.md"), checkoutPage());
} finally {
  await browser.close();
  await service.stop();
  rmSync(stateDir, { recursive: true, force: true });
}
