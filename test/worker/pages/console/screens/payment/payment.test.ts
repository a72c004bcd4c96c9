import { expect, it } from "vitest";
import { givenCard } from "../../../../../support/builders/charges/card.ts";
import {
  givenPaid,
  givenTransaction,
  pay,
} from "../../../../../support/builders/charges/transaction.ts";
import { givenCompany } from "../../../../../support/builders/companies/company.ts";
import { env } from "../../../../../support/builders/companies/env.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import { visit } from "../../../../../support/builders/console/visit.ts";
import { systemClock } from "../../../../../../src/domain/shared/clock.ts";
import { WebhookSink } from "../../../../../support/fakes/webhook-sink.ts";
import { ENDPOINT } from "../../../../../support/builders/withdraws/withdraw-events.ts";
import { givenDisputed } from "../../../../../support/builders/operations/dispute.ts";
import {
  BOLETO_REQUEST,
  FULL_REQUEST,
} from "../../../../../support/builders/requests/full-request.ts";

const MALLORY = "<script>alert(1)</script>";

it("a PIX shows its QR code, its code to copy and its details, in both languages", async () => {
  const company = await givenCompany();
  const { id, pix } = await givenTransaction(company, {
    ...FULL_REQUEST,
    externalRef: MALLORY,
    customer: { ...FULL_REQUEST.customer, name: MALLORY },
    metadata: JSON.stringify({ note: MALLORY }),
  });
  const portuguese = await visit(company, `/console/payments/${id}`);
  expect(portuguese.status).toBe(200);
  expect(portuguese.html).toContain("Aguardando pagamento");
  expect(portuguese.html).toContain(`data-copy="${pix.qrcode}"`);
  expect(portuguese.html).toContain("<svg");
  expect(portuguese.html).toContain("Camiseta");
  expect(portuguese.html).not.toContain(MALLORY);
  expect(portuguese.html).toContain("&lt;script&gt;");
  expectClean(portuguese.html);
  const english = await visit(company, `/console/payments/${id}`, { language: "en" });
  expect(english.html).toContain("Awaiting payment");
  expectClean(english.html);
});

it("the payer is masked until a person with pii:read asks; 403 for others", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company, FULL_REQUEST);
  const path = `/console/payments/${id}`;
  const masked = await visit(company, path);
  expect(masked.html).toContain("***.982.247-**");
  expect(masked.html).not.toContain("52998224725");
  const shown = await visit(company, `${path}/payer`, { form: {} });
  expect(shown.html).toContain("52998224725");
  expect(shown.headers.get("Cache-Control")).toBe("no-store");
  const support = await visit(company, path, { role: "support" });
  expect(support.html).toContain("***.982.247-**");
  expect(support.html).not.toContain(`${path}/payer`);
  const refused = await visit(company, `${path}/payer`, { role: "support", form: {} });
  expect(refused.status).toBe(403);
  expect(refused.html).not.toContain("52998224725");
});

it("a client who paid for himself has one name on the page; who else paid stays masked, also in the fragment", async () => {
  const company = await givenCompany();
  const document = { number: "52998224725", type: "CPF" };
  for (const [customer, shown] of [
    [{ name: "Caio Reis", document }, "Caio Reis"],
    [{ name: "Caio Reis" }, "C*** R***"],
  ] as const) {
    const { id } = await givenTransaction(company, { customer });
    await pay(company, id);
    const { html } = await visit(company, `/console/payments/${id}`);
    expect(html).toContain(`${shown} pagou`);
    const fragment = await visit(company, `/console/payments/${id}/status`);
    for (const seen of [html, fragment.html]) expect(seen).toContain(`por ${shown}<`);
  }
});

it("the status fragment is not sent again until the payment comes, and then says so", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company);
  const { html } = await visit(company, `/console/payments/${id}`);
  const path = /data-refresh="([^"]+)"/.exec(html)?.[1] ?? "";
  const first = await visit(company, path);
  expect((await visit(company, path)).headers.get("ETag")).toBe(first.headers.get("ETag"));
  expect(first.html).not.toContain("<html");
  await pay(company, id);
  const later = await visit(company, path);
  expect(later.headers.get("ETag")).not.toBe(first.headers.get("ETag"));
  expect(later.html).toContain("Este pagamento mudou.");
  expect(later.html).toContain("Pago");
  expectClean(later.html);
});

it("a paid one has its receipt as PDF, its postings and no code to pay", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  const { html } = await visit(company, `/console/payments/${id}`);
  expect(html).toContain("pagamento creditado");
  expect(html).toMatch(/o banco diz que foi pago em .*<code>/);
  expect(html).toMatch(
    /href="\/console\/statement\/postings\?from=&amp;to=&amp;after=\d+">Ver na prova/,
  );
  expect(html).toMatch(new RegExp(`href="/console/events/evt_${company.id}_\\d+"`));
  expect(html).not.toContain('id="pix-code"');
  expectClean(html);
  const receipt = await visit(company, `/console/payments/${id}/receipt.pdf`);
  expect(receipt.headers.get("Content-Type")).toBe("application/pdf");
  expect(receipt.html.startsWith("%PDF")).toBe(true);
});

it("a boleto has its line and slip, a card its last digits, a dispute its link", async () => {
  const company = await givenCompany();
  const boleto = await givenTransaction(company, BOLETO_REQUEST);
  const ofBoleto = await visit(company, `/console/payments/${boleto.id}`);
  expect(ofBoleto.html).toContain(`data-copy="${boleto.boleto.digitableLine}"`);
  expect(ofBoleto.html).toContain(boleto.boleto.pdfUrl);
  const card = await givenCard(company);
  expect((await visit(company, `/console/payments/${card.id}`)).html).toContain("visa, final 4242");
  const dispute = await givenDisputed(company);
  const ofDispute = await visit(company, `/console/payments/${dispute.transactionId}`);
  expect(ofDispute.html).toContain(`/console/disputes/${encodeURIComponent(dispute.id)}`);
  expectClean(ofBoleto.html + ofDispute.html);
});

it("a webhook attempt is shown and sent again by those who may", async () => {
  const company = await givenCompany({ webhookUrl: ENDPOINT });
  const { id } = await givenPaid(company, 2_500);
  const sink = new WebhookSink(systemClock);
  sink.respondWith(503);
  await sink.deliverAll(company);
  const path = `/console/payments/${id}`;
  const { html } = await visit(company, path, { role: "developer" });
  expect(html).toContain("Webhook, tentativa 1");
  expect(html).toContain("Resposta HTTP 503");
  expectClean(html);
  const form = { delivery: /name="delivery" value="([^"]+)"/.exec(html)?.[1] ?? "" };
  const sent = await visit(company, `${path}/resend`, { role: "developer", form });
  expect(sent.headers.get("Location")).toBe(`${path}?done=resend`);
  expect((await visit(company, path, { role: "support" })).html).not.toContain('name="delivery"');
  const refused = await visit(company, `${path}/resend`, { role: "support", form });
  expect(refused.status).toBe(403);
});

it("404: a payment of nobody or of another company", async () => {
  const company = await givenCompany();
  const other = await givenTransaction(await givenCompany());
  expect((await visit(company, `/console/payments/${other.id}`)).status).toBe(404);
});

it("an open charge is sent by WhatsApp, e-mail, link, QR image and print; a paid one by none", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company, { ...FULL_REQUEST, externalRef: "pedido-7" });
  const path = `/console/payments/${id}`;
  const { html } = await visit(company, path);
  const [, said = ""] = /href="https:\/\/wa\.me\/\?text=([^"]+)"/.exec(html) ?? [];
  expect(decodeURIComponent(said)).toMatch(/^Olá! Pague R\$\s123,45 a .* copia e cola: 0002/);
  expect(html).toMatch(/href="mailto:\?subject=[^"]+body=[^"]+"/);
  expect((await visit(company, `${path}/qr.png`)).headers.get("Content-Type")).toBe("image/png");
  const sheet = await visit(company, `${path}/print`);
  expectClean(sheet.html);
  expect(sheet.html).toContain('class="sign a4"');
  await pay(company, id);
  expect((await visit(company, path)).html).not.toContain("wa.me");
  for (const file of ["qr.png", "print"]) {
    expect((await visit(company, `${path}/${file}`)).status).toBe(404);
  }
});

it("from the next day on the message by WhatsApp reminds", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company, BOLETO_REQUEST);
  const yesterday = Date.now() - 24 * 60 * 60_000;
  await env.DB.prepare("UPDATE transactions SET created_at = ? WHERE id = ?")
    .bind(yesterday, id)
    .run();
  const { html } = await visit(company, `/console/payments/${id}`);
  expect(html).toContain("Lembrar pelo WhatsApp");
  const [, said = ""] = /href="https:\/\/wa\.me\/\?text=([^"]+)"/.exec(html) ?? [];
  expect(decodeURIComponent(said)).toMatch(/^Olá! Um lembrete: a cobrança de R\$\s/);
});

it("a paid one says when, by whom and what is received, and keeps its ids folded", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  const { html } = await visit(company, `/console/payments/${id}`);
  expect(html).toMatch(/<strong>Pago em [^<]+<\/strong>/);
  expect(html).toContain("<dt>Você recebe</dt>");
  const folded = html.indexOf('<details class="section technical">');
  expect(html.indexOf(`<code>${id}</code>`)).toBeGreaterThan(folded);
  expect(html).toContain(`data-copy="${id}"`);
  expectClean(html);
});
