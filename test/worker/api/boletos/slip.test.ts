import { describe, expect, it, vi } from "vitest";
import { parseSecureId, secureIdOf } from "../../../../src/domain/shared/ids.ts";
import { call } from "../../../support/builders/requests/api.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { changeStoredBoleto } from "../../../support/builders/charges/stored-boleto.ts";
import { cancel, simulate } from "../../../support/builders/operations/refund.ts";
import { givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";

const SCRIPT = `<script>alert("1")</script>'&`;

const BOLETO = {
  amount: 123_456,
  paymentMethod: "BOLETO",
  customer: { name: "Zoé Conceição", document: { number: "12345678909", type: "CPF" } },
  shipping: { address: { street: "Rua das Flores", streetNumber: "10", city: "São Paulo" } },
};

const HEADERS = {
  "Cache-Control": "private, no-cache",
  "X-Robots-Tag": "noindex",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

async function givenBoleto(company: TestCompany, changes: Record<string, unknown> = {}) {
  const { id, secureId, boleto } = await givenTransaction(company, { ...BOLETO, ...changes });
  return { id, secureId, boleto, path: new URL(boleto.url).pathname };
}

describe("a person with the link can open the slip", () => {
  it("as a page, at the url in the create response", async () => {
    const { boleto, path, secureId } = await givenBoleto(await givenCompany());
    expect(path).toBe(`/boletos/${secureId}`);
    const answer = await call(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toMatch(/^text\/html; charset=utf-8/i);
    expect(Object.fromEntries(answer.headers)).toMatchObject(lowerCased(HEADERS));
    expect(answer.headers.get("Content-Security-Policy")).toMatch(/^default-src 'none'; style-src/);
    expect(answer.headers.get("Content-Security-Policy")).not.toContain("script");
    for (const words of [
      boleto.formattedLine,
      boleto.qrcode,
      boleto.ourNumber,
      "R$ 1.234,56",
      "Zoé Conceição",
      "123.456.789-09",
      "Rua das Flores, 10",
      `href="/boletos/${secureId}.pdf"`,
    ]) {
      expect(answer.text).toContain(words);
    }
  });

  it("as a PDF, at the pdfUrl in the create response", async () => {
    const { boleto } = await givenBoleto(await givenCompany());
    const answer = await call(new URL(boleto.pdfUrl).pathname);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("Content-Type")).toBe("application/pdf");
    expect(answer.headers.get("Content-Disposition")).toBe('inline; filename="boleto.pdf"');
    expect(Object.fromEntries(answer.headers)).toMatchObject(lowerCased(HEADERS));
    expect(answer.text).toMatch(/^%PDF-1\.\d/);
    expect(answer.text.trimEnd()).toMatch(/%%EOF$/);
  });

  it("without a code to pay once it is paid", async () => {
    const company = await givenCompany();
    const { id, boleto, path } = await givenBoleto(company);
    expect((await pay(company, id)).status).toBe(200);
    const { text } = await call(path);
    expect(text).toContain("PAGO");
    expect(text).not.toContain(boleto.formattedLine);
    expect(text).not.toContain(boleto.qrcode);
  });

  it("without a code to pay once it has expired", async () => {
    const company = await givenCompany();
    const { id, boleto, path } = await givenBoleto(company);
    const move = { method: "POST", company };
    expect((await call(`/api/v1/sandbox/transactions/${id}/expire`, move)).status).toBe(200);
    const { text } = await call(path);
    expect(text).toContain("EXPIRADO");
    expect(text).not.toContain(boleto.formattedLine);
  });
});

describe("once nothing is left to pay, the payer is masked", () => {
  it.each([
    ["paid", (company: TestCompany, id: string) => pay(company, id)],
    ["cancelled", cancel],
    ["expired", (company: TestCompany, id: string) => simulate(company, id, "expire")],
  ])("on the slip of a %s boleto", async (_state, end) => {
    const company = await givenCompany();
    const { id, path } = await givenBoleto(company);
    await end(company, id);
    const { text } = await call(path);
    expect(text).toContain("Z*** C***");
    expect(text).toContain("***.456.789-**");
    for (const hidden of ["Conceição", "123.456.789-09", "12345678909", "Rua das Flores"]) {
      expect(text, hidden).not.toContain(hidden);
    }
  });
});

it("the log names the transaction of the slip but not its secret link", async () => {
  const { id, secureId, boleto, path } = await givenBoleto(await givenCompany());
  const logged = vi.spyOn(console, "log").mockImplementation(() => undefined);
  for (const shown of [path, new URL(boleto.pdfUrl).pathname, `/api/checkout/status/${secureId}`]) {
    expect((await call(shown)).status).toBe(200);
  }
  const lines = logged.mock.calls.map(([line]) => String(line));
  logged.mockRestore();
  expect(lines.map((line) => JSON.parse(line).path)).toEqual([
    `/boletos/${id}`,
    `/boletos/${id}.pdf`,
    `/api/checkout/status/${id}`,
  ]);
  expect(lines.join()).not.toContain(secureId);
});

it("user input is rendered as text, never as markup", async () => {
  const company = await givenCompany();
  await env.DB.prepare("UPDATE companies SET name = ? WHERE id = ?").bind(SCRIPT, company.id).run();
  const address = Object.fromEntries(
    ["street", "streetNumber", "complement", "zipCode", "neighborhood", "city"].map((field) => [
      field,
      `${field}${SCRIPT}`,
    ]),
  );
  const { id, path, boleto } = await givenBoleto(company, {
    customer: { ...BOLETO.customer, name: `name${SCRIPT}` },
    shipping: { address },
    boleto: { instructions: `instructions${SCRIPT}`, documentNumber: "<b>n</b>" },
  });
  // The message of a bank is not trusted either.
  await changeStoredBoleto(id, (stored) => ({
    ...stored,
    registered: { ...stored.registered!, ourNumber: SCRIPT, qrcode: SCRIPT },
  }));

  const { text } = await call(path);
  expect(text).not.toContain("<script");
  expect(text).not.toContain("<b>");
  const escaped = "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;";
  for (const field of ["name", "instructions", ...Object.keys(address)]) {
    expect(text).toContain(`${field}${escaped}`);
  }
  // Texts: the company's name three times, the sequence twice, the code once, the eight above,
  // and the payer's name twice.
  expect(text.split(escaped).length - 1).toBe(3 + 2 + 1 + 8 + 1);
  expect((await call(new URL(boleto.pdfUrl).pathname)).status).toBe(200);
});

describe("NOT_FOUND: the slip is not shown", () => {
  it("for an id that is unknown or is not the secret id", async () => {
    const company = await givenCompany();
    const { id, secureId } = await givenBoleto(company);
    const pix = await givenTransaction(company);
    const { secureRandom } = parseSecureId(pix.secureId)!;
    for (const name of [
      id,
      pix.secureId,
      secureIdOf(id, secureRandom),
      secureId.slice(0, -1),
      "%00",
    ]) {
      for (const path of [`/boletos/${name}`, `/boletos/${name}.pdf`]) {
        await expectProblem(await call(path), { status: 404, code: "NOT_FOUND" });
      }
    }
  });

  it("before the provider has registered it", async () => {
    const { id, path } = await givenBoleto(await givenCompany());
    await changeStoredBoleto(id, (boleto) => ({ ...boleto, registered: null }));
    await expectProblem(await call(path), { status: 404, code: "NOT_FOUND" });
  });
});

function lowerCased(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

it.each(["", ".pdf"])("a slip%s that has not changed is not sent again", async (form) => {
  const company = await givenCompany();
  const { id, path } = await givenBoleto(company);
  const first = await call(`${path}${form}`);
  const headers = { "If-None-Match": first.headers.get("ETag") ?? "" };
  const again = await call(`${path}${form}`, { headers });
  expect({ status: again.status, text: again.text }).toEqual({ status: 304, text: "" });
  expect(Object.fromEntries(again.headers)).toMatchObject({ "cache-control": "private, no-cache" });
  await pay(company, id);
  expect((await call(`${path}${form}`, { headers })).status).not.toBe(304);
});
