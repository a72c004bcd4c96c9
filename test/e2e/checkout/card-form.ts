import type { Frame, Page } from "playwright-core";

/** A page, or a checkout's frame in another one. */
export type Shown = Page | Frame;

const INPUTS = ["Número do cartão", "Nome impresso no cartão", "Validade", "Código (CVV)"];

/** The first page of a link, of which the card is chosen. */
export async function typePayer(page: Shown): Promise<void> {
  await page.getByLabel("Nome completo").fill("Maria da Silva");
  await page.getByLabel("CPF ou CNPJ").fill("529.982.247-25");
  await page.getByLabel("Cartão de crédito").check();
}

/** The same of a live company, whose card has a page of its own, and what the houses ask for. */
export async function typeLivePayer(page: Shown): Promise<void> {
  await typePayer(page);
  await page.getByLabel("E-mail").fill("maria@example.com");
  await page.getByLabel("Celular com DDD").fill("(11) 98765-4321");
  await page.getByRole("button", { name: "Continuar para pagar" }).click();
}

export async function typeCard(
  page: Shown,
  number: string,
  { expiry = "12/30", cvv = "123" } = {},
): Promise<void> {
  const values = [number, "MARIA DA SILVA", expiry, cvv];
  for (const [at, label] of INPUTS.entries()) await page.getByLabel(label).fill(values[at] ?? "");
}

export const pay = (page: Shown) => page.getByRole("button", { name: "Pagar com cartão" }).click();

/** What stands in the inputs of the card. */
export const typedIn = (page: Shown) =>
  Promise.all(INPUTS.map((label) => page.getByLabel(label).inputValue()));

/** All that a page keeps or shows, its inputs' values left out. */
export const rememberedBy = (page: Shown) =>
  page.evaluate<string>(`JSON.stringify([
    location.href, history.state, document.cookie, { ...localStorage }, { ...sessionStorage },
    document.documentElement.outerHTML, performance.getEntries().map(({ name }) => name)])`);
