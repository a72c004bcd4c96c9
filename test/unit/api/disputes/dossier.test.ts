import { PDFDocument } from "@cantoo/pdf-lib";
import { expect, it } from "vitest";
import {
  dossierDocument,
  DOSSIER_MAX,
  type DossierParts,
} from "../../../../src/api/disputes/dossier/document.ts";
import { dossierPdf } from "../../../../src/api/disputes/dossier/pdf.ts";
import { dossierSections, dossierText } from "../../../../src/api/disputes/dossier/sections.ts";
import {
  EXAMPLE_DISPUTE,
  EXAMPLE_TRANSACTION,
} from "../../../../src/domain/events/api-examples.ts";
import { LOCAL_SECRETS_KEY } from "../../../../src/lib/local-key.ts";
import { signDocument } from "../../../../src/webhooks/signing/signed-document.ts";

const NOW = Date.UTC(2026, 10, 22, 15);
const COMPANY = { id: 1, name: "Loja da Conceição", providerCompanyId: "a1b2", publicUrl: null };

/** A dossier with so many movements, each with an event. */
function partsWith(count: number): DossierParts {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const { companyId, amount, currency, paymentMethod, createdAt, expiresAt } = EXAMPLE_TRANSACTION;
  return {
    company: COMPANY,
    dispute: {
      ...EXAMPLE_DISPUTE,
      evidence: {
        text: `Entregue 🎁 à cliente.\n${"x".repeat(14_000)}`,
        links: ["https://loja.example.com/pedidos/1001"],
        delivery: { transportadora: "Correios", peso: 2 },
        submittedAt: NOW,
      },
    },
    charge: {
      record: { ...EXAMPLE_TRANSACTION, status: "paid", paidAt: NOW, paidAmount: amount },
      creation: { companyId, amount, currency, paymentMethod, createdAt, expiresAt, answer: null },
      history: {
        eventSequence: count,
        entries: [],
        movements: numbers.map((number) => ({
          number,
          at: NOW + number,
          type: "dispute_opened" as const,
          postings: [
            { account: "available" as const, amount: -1 },
            { account: "blocked" as const, amount: 1 },
          ],
          hash: "ab".repeat(32),
        })),
        hasMore: false,
      },
    },
    log: {
      events: numbers.map((sequence) => ({
        companySequence: sequence,
        type: "transaction.disputed" as const,
        objectId: EXAMPLE_TRANSACTION.id,
        sequence,
        createdAt: NOW + sequence,
      })),
      deliveries: [],
    },
    showsWebhooks: true,
  };
}

const signed = (parts: DossierParts) =>
  signDocument([LOCAL_SECRETS_KEY], COMPANY.providerCompanyId, dossierDocument(parts, NOW), NOW);

it("a dossier keeps the oldest and the newest half of a long list, and counts the rest", () => {
  const document = dossierDocument(partsWith(301), NOW);
  const kept = document.postings.map(({ movement }) => movement);
  expect(kept).toHaveLength(DOSSIER_MAX.postings);
  expect([kept[0], kept[49], kept[50], kept[99]]).toEqual([1, 50, 252, 301]);
  expect(document.timeline).toHaveLength(DOSSIER_MAX.timeline);
  expect(document.leftOut).toEqual({ timeline: 403, postings: 201, webhooks: 201, items: 0 });
});

it("the PDF's texts are Portuguese, on São Paulo's clock", async () => {
  const sections = dossierSections(await signed(partsWith(1)));
  const texts = Object.fromEntries(
    sections.flatMap(({ entries }) => entries).map(({ label, text }) => [label, text]),
  );
  expect(sections.map(({ title }) => title)).toEqual([
    "Contestação",
    "Transação",
    "Pagador",
    "Itens",
    "Provas do recebedor",
    "Linha do tempo",
    "Lançamentos contábeis, com o hash de cada um",
    "Notificações (webhooks) ao recebedor",
    "Assinatura",
  ]);
  expect(texts).toMatchObject({
    Motivo: "MED: fundada suspeita de fraude",
    Situação: "paga",
    "Paga em": "22/11/2026, 12:00:00 (Brasília)",
    "Entrega: peso": "2",
    "Nº 1": expect.stringContaining(
      "bloqueio por contestação (disponível -R$ 0,01; bloqueado R$ 0,01)",
    ),
  });
});

it("the text has what people read, the merchant's word first, and none of the books", async () => {
  const text = dossierText(await signed(partsWith(400)));
  const titles = text.split("\n\n").map((section) => section.split("\n")[0]);
  expect(titles).toEqual(["Provas do recebedor", "Itens", "Pagador", "Transação", "Contestação"]);
  expect(text).toContain("\nEntrega: peso: 2\n");
  expect(text).toContain("\nMotivo: MED: fundada suspeita de fraude\n");
  expect(text).not.toContain("Lançamento");
});

it("the largest PDF has some pages and is below 400 kB", async () => {
  const bytes = await dossierPdf(await signed(partsWith(400)), []);
  expect(bytes.length).toBeLessThan(400_000);
  const pages = (await PDFDocument.load(bytes)).getPageCount();
  expect(pages).toBeGreaterThan(8);
  expect(pages).toBeLessThan(20);
});
