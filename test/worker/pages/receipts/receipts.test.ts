import { createApp } from "../../../../src/app.ts";
import { env } from "../../../support/builders/companies/env.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { expectClean } from "../../../support/builders/console/page-checks.ts";
import { refund } from "../../../support/builders/operations/refund.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { countRoundTrips } from "../../../support/probes/database/round-trips.ts";

const app = createApp();
/** A request with a body that is not JSON, and the answer as it came. */
const ask = (path: string, init?: RequestInit) =>
  app.fetch(new Request(`https://localhost${path}`, init), env);

/** The page that says whether a receipt is genuine. */
const check = async (fields: Record<string, string | File>) => {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return (await ask("/receipts/check", { method: "POST", body })).text();
};

const file = (bytes: Uint8Array<ArrayBuffer>) => new File([bytes], "comprovante.pdf");

let company: TestCompany;
let paid: { id: string; secureId: string };

beforeAll(async () => {
  company = await givenCompany();
  const document = { number: "52998224725", type: "CPF" };
  const customer = { name: "Maria <b>Silva</b>", email: "maria@example.com", document };
  paid = await givenTransaction(company, { customer });
  await pay(company, paid.id);
});

describe("a receipt's page", () => {
  it("shows whoever has its link what was paid, and no more of the payer than masks", async () => {
    const trips = countRoundTrips();
    const { status, text, headers } = await call(`/r/${paid.secureId}`, { env: trips.env });
    expect(status).toBe(200);
    expect(trips.lap().trips).toHaveLength(1);
    expectClean(text);
    expect(text).toMatch(/R\$\s25,00/);
    expect(text).toContain("***.982.247-**");
    for (const hidden of ["Silva", "maria@example.com", "52998224725"]) {
      expect(text).not.toContain(hidden);
    }
    expect(headers.get("X-Robots-Tag")).toBe("noindex");
    expect(headers.get("Referrer-Policy")).toBe("no-referrer");
    const english = await call(`/r/${paid.secureId}`, { headers: { "Accept-Language": "en" } });
    expectClean(english.text);
    expect(english.text).toContain("Payment receipt");
  });

  it("says that the payment was returned", async () => {
    const { id, secureId } = await givenTransaction(company);
    await pay(company, id);
    await refund(company, id, 1_000);
    const { text } = await call(`/r/${secureId}`);
    expect(text).toContain("este pagamento foi devolvido");
    expect(text).toMatch(/R\$\s10,00/);
  });

  it("does not exist for a charge that is not paid, for a UUID, or for another random half", async () => {
    const open = await givenTransaction(company);
    const forged = paid.secureId.slice(0, -1) + (paid.secureId.endsWith("a") ? "b" : "a");
    for (const id of [open.secureId, paid.id, forged, "x"]) {
      for (const path of ["", "/receipt.pdf", "/receipt.json"]) {
        expect((await call(`/r/${id}${path}`)).status).toBe(404);
      }
    }
  });
});

describe("the check of a receipt", () => {
  it("calls the PDF and the JSON of the page genuine, and a changed one not", async () => {
    expect((await call("/receipts/verify")).text).toContain("Este comprovante é verdadeiro?");
    const json = await (await ask(`/r/${paid.secureId}/receipt.json`)).text();
    const pdf = new Uint8Array(await (await ask(`/r/${paid.secureId}/receipt.pdf`)).arrayBuffer());
    for (const sent of [{ text: json }, { file: file(pdf) }]) {
      const html = await check(sent);
      expectClean(html);
      expect(html).toContain("Verdadeiro.");
      expect(html).toContain(`nº ${company.id} `);
    }
    const changed = pdf.slice();
    changed[600] = (changed[600]! + 1) % 256;
    const forgeries: Record<string, string | File>[] = [
      { text: json.replace("2500", "9500") },
      { file: file(changed) },
      { text: "não é um comprovante" },
      { text: "[".repeat(50_000) },
      { text: json.replace("{", '{"type":"withdraw",') },
    ];
    for (const sent of forgeries) {
      const html = await check(sent);
      expectClean(html);
      expect(html).toContain("Não é verdadeiro.");
    }
  });

  it("asks again where nothing was sent, and refuses what is too large", async () => {
    expect(await check({ text: "  " })).not.toContain('role="alert"');
    const body = new FormData();
    body.append("file", new File([new Uint8Array(600 * 1024)], "a.pdf"));
    expect((await ask("/receipts/check", { method: "POST", body })).status).toBe(413);
  });
});
