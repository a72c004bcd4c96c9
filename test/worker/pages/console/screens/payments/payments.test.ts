import { expect, it } from "vitest";
import {
  givenPaid,
  givenTransaction,
} from "../../../../../support/builders/charges/transaction.ts";
import { givenCompany } from "../../../../../support/builders/companies/company.ts";
import { visit } from "../../../../../support/builders/console/visit.ts";

const PAYER = { name: "Maria <script>", document: { type: "CPF", number: "52998224725" } };

it("the list shows each payment with its status, and escapes what a merchant wrote", async () => {
  const company = await givenCompany();
  await givenPaid(company, 1_000);
  await givenTransaction(company, { amount: 2_500, customer: PAYER, externalRef: "pedido-7" });
  const { status, html } = await visit(company, "/console/payments");
  expect(status).toBe(200);
  expect(html).toContain("pedido-7");
  expect(html).toContain("Maria &lt;script&gt;");
  expect(html).toMatch(/R\$\s10,00/);
  expect(html).toContain("Aguardando");
  expect(html).not.toMatch(/undefined|NaN|>null</);
});

it("filters stand in the address, amounts in reais", async () => {
  const company = await givenCompany();
  await givenTransaction(company, { amount: 1_000, externalRef: "low" });
  await givenTransaction(company, { amount: 123_456, externalRef: "high" });
  const path = "/console/payments?amountFrom=1.234,56&status=PENDING";
  const { html } = await visit(company, path, { language: "en" });
  expect(html).toContain("high");
  expect(html).not.toContain(">low<");
  expect(html).toContain('value="1.234,56"');
});

it("VALIDATION_FAILED: a refused filter stays typed, with the problem at its field", async () => {
  const company = await givenCompany();
  const path = "/console/payments?amountFrom=many&from=yesterday&externalRef=pedido-7";
  const { status, html } = await visit(company, path);
  expect(status).toBe(400);
  expect(html).toContain("VALIDATION_FAILED");
  expect(html).toMatch(/value="many"[^>]*aria-invalid="true"/);
  expect(html).toMatch(/value="yesterday"[^>]*aria-invalid="true"/);
  expect(html).toContain('value="pedido-7"');
  expect(html).toContain('class="filter-fold" open');
  const payer = await visit(company, "/console/payments", { form: { document: "52998224726" } });
  expect(payer.status).toBe(400);
  expect(payer.html).toMatch(/value="52998224726"[^>]*aria-invalid="true"/);
});

it("a payment is found by its id", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company, { externalRef: "wanted" });
  await givenTransaction(company, { externalRef: "other" });
  const { html } = await visit(company, `/console/payments?id=${id}`);
  expect(html).toContain(">wanted<");
  expect(html).not.toContain(">other<");
});

it("a payer is found by a posted document, never by an address", async () => {
  const company = await givenCompany();
  await givenTransaction(company, { customer: PAYER, externalRef: "hers" });
  const found = await visit(company, "/console/payments", { form: { document: "52998224725" } });
  expect(found.status).toBe(200);
  expect(found.html).toContain("hers");
  const { html } = await visit(company, "/console/payments", { role: "support" });
  expect(html).not.toContain('name="document"');
});

it("the list without a change is not sent again", async () => {
  const company = await givenCompany();
  await givenTransaction(company);
  const first = await visit(company, "/console/payments?fragment=1");
  expect(first.headers.get("ETag")).not.toBeNull();
  expect(first.html).not.toContain("<html");
  const again = await visit(company, "/console/payments?fragment=1");
  expect(again.headers.get("ETag")).toBe(first.headers.get("ETag"));
});

it("the CSV has the same filters", async () => {
  const company = await givenCompany();
  await givenTransaction(company, { externalRef: "one" });
  await givenTransaction(company, { externalRef: "two" });
  const { headers, html } = await visit(company, "/console/payments.csv?externalRef=two");
  expect(headers.get("Content-Type")).toContain("text/csv");
  expect(headers.get("Content-Disposition")).toContain("cobrancas.csv");
  expect(html).toContain(";Aguardando;");
  expect(html).toContain("two");
  expect(html).not.toContain("one");
});

it("filters that are set are chips, payments are found by their day, and sums are shown", async () => {
  const company = await givenCompany();
  await givenPaid(company, 1_000);
  await givenTransaction(company, { amount: 2_500, externalRef: "unpaid" });
  const { html } = await visit(company, "/console/payments?paidFrom=2000-01-01&paymentMethod=PIX");
  expect(html).not.toContain("unpaid");
  expect(html).toMatch(/href="\/console\/payments\?paidFrom=2000-01-01"[^>]*>Forma: Pix ×/);
  expect(html).toMatch(/Nesta página: 1 cobranças, R\$\s10,00 cobrados, R\$\s10,00 pagos/);
  expect(html).toContain("/refund");
  expect(html).toContain("/receipt.pdf");
});
