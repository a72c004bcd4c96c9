import { rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { unzipSync } from "fflate";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PersonRole } from "../../../src/domain/access/person-role.ts";
import { Merchant } from "../../../tools/lib/merchant.ts";
import { startService, type Service } from "../../../tools/lib/service.ts";
import { openPage } from "../../support/browser/browser.ts";
import { SignedIn } from "../../support/browser/signed-in.ts";
import { Walk } from "../../support/browser/walk.ts";
import { givenStateDir } from "../state-dir.ts";

/**
 * The ten tasks of a shop's day, by the words on the screen. Each begins on the first page of who does it, signed in,
 * and may cost no more clicks, fields and pages than it says.
 */

const HOME = { owner: "/console", operator: "/console/operator", cashier: "/console/cashier" };
const PHONE = { width: 360, height: 740 };
const WINDOW = { width: 1280, height: 800 };
const PAID = { "Maria da Silva": 30_953, "João Souza": 15_000, "Ana Lima": 90_000 };

const stateDir = await givenStateDir("console-walks");
const people = new SignedIn();
let service: Service;

beforeAll(async () => {
  service = await startService({ stateDir });
  const merchant = new Merchant(service.base);
  for (const [name, amount] of Object.entries(PAID)) {
    const body = { amount, paymentMethod: "PIX", customer: { name } };
    const { body: created } = await merchant.create(body, `walk_${amount}`);
    expect((await merchant.pay(created.data.id)).status).toBe(200);
  }
  const settings = { withdrawApprovalAbove: 5_000 };
  expect((await merchant.call("PUT", "/api/v1/company/settings", settings)).status).toBe(200);
});

afterAll(async () => {
  await service.stop();
  rmSync(stateDir, { recursive: true, force: true });
});

/** The first page of a person who is signed in. */
async function at(
  walk: Walk,
  role: PersonRole | "operator",
  options: BrowserContextOptions = { viewport: WINDOW },
): Promise<Page> {
  const path = role === "operator" || role === "cashier" ? HOME[role] : HOME.owner;
  const page = await people.open(service.base, { role, path }, { locale: "pt-BR", ...options });
  await walk.begin(page);
  return page;
}

const link = (page: Page, name: string | RegExp) =>
  page.getByRole("link", { name, exact: typeof name === "string" });
const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: typeof name === "string" });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });
const mainText = async (page: Page) => (await page.textContent("main")) ?? "";

test("find a payment by the payer's name", async () => {
  const walk = new Walk();
  const page = await at(walk, "support");
  await walk.fill(page.getByRole("searchbox"), "maria da silva");
  await walk.go(link(page, /^Maria da Silva/));
  expect(await page.textContent("h1")).toMatch(/309,53/);
  walk.end({ clicks: 1, fields: 1, pages: 2 });
});

test("find a payment by its value", async () => {
  const walk = new Walk();
  const page = await at(walk, "support");
  await walk.fill(page.getByRole("searchbox"), "309,53");
  await walk.enter(page.getByRole("searchbox"));
  expect(await mainText(page)).toContain("Maria da Silva");
  walk.end({ clicks: 1, fields: 1, pages: 2 });
});

test("charge and send it by WhatsApp", async () => {
  const walk = new Walk();
  const page = await at(walk, "support");
  const sent = page.context().waitForEvent("request", (asked) => asked.url().includes("wa.me"));
  await page.context().route("https://wa.me/**", (route) => route.fulfill({ body: "" }));
  await walk.go(link(page, "Cobrar"));
  await walk.fill(field(page, "Valor, em reais"), "45,90");
  await walk.fill(field(page, "Nome"), "Rita Alves");
  await walk.go(button(page, "Criar a cobrança"));
  await walk.click(link(page, "WhatsApp"));
  const message = new URL((await sent).url()).searchParams.get("text");
  expect(message).toMatch(/R\$\s45,90.*\/checkout\//);
  walk.end({ clicks: 3, fields: 2, pages: 3 });
});

test("give a payment back", async () => {
  const walk = new Walk();
  const page = await at(walk, "finance");
  await walk.fill(page.getByRole("searchbox"), "joão souza");
  await walk.go(link(page, /^João Souza/));
  await walk.go(link(page, "Devolver ou estornar"));
  await walk.go(button(page, "Continuar"));
  await walk.go(button(page, /^Confirmar a devolução/));
  await page.getByText("Todo o valor voltou ao pagador").waitFor();
  walk.end({ clicks: 4, fields: 1, pages: 5 });
});

test("withdraw, with the approval of a second person", async () => {
  const walk = new Walk();
  const owner = await at(walk, "owner");
  await walk.go(link(owner, "Sacar"));
  await walk.fill(field(owner, "Valor em reais"), "100,00");
  await walk.fill(field(owner, "Chave Pix"), "quem@example.com");
  await walk.go(button(owner, "Conferir"));
  await walk.go(button(owner, /^Sacar R\$/));
  const finance = await at(walk, "finance");
  await walk.go(link(finance, /^Decidir saque/));
  await walk.go(button(finance, /^Aprovar R\$/));
  expect(await mainText(finance)).toContain("Saque aprovado");
  walk.end({ clicks: 5, fields: 2, pages: 7 });
});

test("send the month to the accountant in one archive", async () => {
  const walk = new Walk();
  const page = await at(walk, "finance");
  await walk.go(link(page, "Dinheiro"));
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    walk.click(link(page, "Contador")),
  ]);
  expect(download.suggestedFilename()).toMatch(/^contador-\d{4}-\d\d\.zip$/);
  const files = unzipSync(await readFile(await download.path()));
  expect(Object.keys(files).length).toBeGreaterThan(4);
  walk.end({ clicks: 2, fields: 0, pages: 2 });
});

test("answer a dispute, with a file", async () => {
  const merchant = new Merchant(service.base);
  const body = { amount: 12_000, paymentMethod: "PIX", customer: { name: "Caio Reis" } };
  const { id } = (await merchant.create(body, "walk_dispute")).body.data;
  await merchant.pay(id);
  expect((await merchant.call("POST", `/api/v1/sandbox/transactions/${id}/dispute`)).status).toBe(
    200,
  );
  const walk = new Walk();
  const page = await at(walk, "support");
  await walk.go(link(page, /^Enviar provas/));
  await walk.fill(field(page, "O que aconteceu"), "Entregue em mãos no mesmo dia.");
  await walk.go(button(page, "Enviar provas"));
  const note = { name: "nota.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.4\n") };
  await walk.attach(field(page, "Arquivo"), note);
  await walk.go(button(page, "Enviar arquivo"));
  expect(await mainText(page)).toContain("Arquivo enviado. Ele está no dossiê.");
  walk.end({ clicks: 3, fields: 2, pages: 4 });
});

test("invite a person, who reaches the first page", async () => {
  const walk = new Walk();
  const owner = await at(walk, "owner");
  await walk.go(link(owner, "Empresa"));
  await walk.go(link(owner, "Equipe"));
  await walk.fill(field(owner, "E-mail"), "nova@example.com");
  await walk.choose(field(owner, "Papel"), "Atendimento");
  await walk.go(button(owner, "Criar link de convite"));
  const address = (await owner.textContent("main .notice code")) ?? "";
  const guest = await openPage(service.base, { locale: "pt-BR", viewport: PHONE });
  await guest.goto(new URL(address).pathname);
  await walk.begin(guest);
  await walk.fill(field(guest, "Seu nome"), "Nova Pessoa");
  await walk.fill(field(guest, "Crie uma senha"), "uma senha bem comprida");
  await walk.go(button(guest, "Aceitar o convite"));
  expect(await guest.textContent("h1")).toBe("Hoje");
  walk.end({ clicks: 4, fields: 4, pages: 6 });
});

test("a cashier charges, sees that it arrived and closes the shift", async () => {
  const walk = new Walk();
  const phone = await at(walk, "cashier", { viewport: PHONE });
  await walk.go(button(phone, "Abrir turno"));
  await walk.fill(field(phone, "Valor (R$)"), "25,00");
  await walk.go(button(phone, "Cobrar por Pix"));
  await new Merchant(service.base).pay(phone.url().split("/").at(-1) ?? "");
  await phone.locator(".arrival-state", { hasText: "Chegou" }).waitFor();
  await walk.go(link(phone, "Nova cobrança"));
  await walk.go(link(phone, "Meu turno"));
  await walk.go(button(phone, "Fechar turno"));
  expect(await mainText(phone)).toMatch(/R\$\s25,00/);
  walk.end({ clicks: 5, fields: 1, pages: 6 });
});

test("an operator freezes a company; both sides read why, first of all", async () => {
  const walk = new Walk();
  const operator = await at(walk, "operator");
  await walk.go(link(operator, "Empresas"));
  await walk.go(link(operator, "Loja Exemplo"));
  await walk.go(link(operator, "Administrar"));
  const freeze = operator.locator("section", { hasText: "O que congelar" });
  await walk.fill(freeze.getByLabel("Motivo"), "Suspeita de fraude no dia 3");
  await walk.go(freeze.getByRole("button", { name: "Congelar" }));
  walk.end({ clicks: 4, fields: 1, pages: 5 });
  const seen = new Walk();
  for (const role of ["operator", "owner"] as const) {
    const page = await at(seen, role);
    const why = page.getByText(/Suspeita de fraude no dia 3/).first();
    expect((await why.boundingBox())?.y, role).toBeLessThan(WINDOW.height);
  }
  seen.end({ clicks: 0, fields: 0, pages: 2 });
});
