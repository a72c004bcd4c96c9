import { formatCnpj, formatCpf } from "@brazilian-utils/brazilian-utils";
import { reaisText } from "../../../domain/shared/money.ts";
import { methodOf } from "../../../methods/registry.ts";
import type { Signed } from "../../../webhooks/signing/signed-document.ts";
import type { DossierDocument } from "./document.ts";
import {
  ACCOUNT_LABELS,
  CREATE_STATUS_WORDS,
  DELIVERY_WORDS,
  DISPUTE_WORDS,
  MOVEMENT_WORDS,
  OPERATION_WORDS,
  OUTCOME_WORDS,
  REASON_WORDS,
} from "./labels.ts";

/** A line of the PDF: what it is about at the left, its text at the right. */
interface Entry {
  label: string;
  text: string;
}

/** A part of the PDF. */
export interface Section {
  title: string;
  entries: Entry[];
}

type SignedDossier = Signed<DossierDocument>;
type TimelineItem = DossierDocument["timeline"][number];
type Postings = DossierDocument["postings"][number]["postings"];

const CLOCK = new Intl.DateTimeFormat("pt-BR", {
  timeZone: "America/Sao_Paulo",
  dateStyle: "short",
  timeStyle: "medium",
});
const NONE = "não informado";

/** The dossier in the order in which a bank reads it. */
export function dossierSections(dossier: SignedDossier): Section[] {
  const { leftOut } = dossier;
  return [
    ...caseSections(dossier),
    {
      title: "Linha do tempo",
      entries: withLeftOut(dossier.timeline.map(timelineEntry), leftOut.timeline),
    },
    {
      title: "Lançamentos contábeis, com o hash de cada um",
      entries: withLeftOut(postingEntries(dossier), leftOut.postings),
    },
    {
      title: "Notificações (webhooks) ao recebedor",
      entries: withLeftOut(webhookEntries(dossier), leftOut.webhooks),
    },
    { title: "Assinatura", entries: signatureEntries(dossier) },
  ].filter(({ entries }) => entries.length > 0);
}

/** The dossier as a text for a bank that takes nothing else, the merchant's word first, without books and signature. */
export function dossierText(dossier: SignedDossier): string {
  return caseSections(dossier)
    .filter(({ entries }) => entries.length > 0)
    .toReversed()
    .map(({ title, entries }) =>
      [title, ...entries.map(({ label, text }) => `${label}: ${text}`)].join("\n"),
    )
    .join("\n\n");
}

/** What is disputed, and what the merchant says to it. */
function caseSections(dossier: SignedDossier): Section[] {
  return [
    { title: "Contestação", entries: disputeEntries(dossier) },
    { title: "Transação", entries: transactionEntries(dossier) },
    { title: "Pagador", entries: payerEntries(dossier) },
    { title: "Itens", entries: withLeftOut(itemEntries(dossier), dossier.leftOut.items) },
    { title: "Provas do recebedor", entries: evidenceEntries(dossier) },
  ];
}

/** A time on São Paulo's clock; `não informado` for none. */
function shownTime(iso: string | null): string {
  return iso === null ? NONE : `${CLOCK.format(Date.parse(iso))} (Brasília)`;
}

function disputeEntries({ dispute, company }: SignedDossier): Entry[] {
  return [
    { label: "Recebedor", text: company.name },
    { label: "Identificador", text: dispute.id },
    { label: "Motivo", text: REASON_WORDS[dispute.reason] },
    { label: "Valor contestado", text: reaisText(dispute.amount) },
    { label: "Valor bloqueado", text: reaisText(dispute.held) },
    { label: "Situação", text: DISPUTE_WORDS[dispute.status] },
    { label: "Aberta em", text: shownTime(dispute.openedAt) },
    { label: "Prazo para provas", text: shownTime(dispute.deadline) },
    ...(dispute.paymentId === null
      ? []
      : [{ label: "Pagamento", text: `${dispute.paymentId}, não esperado por nenhuma cobrança` }]),
  ];
}

function transactionEntries({ transaction }: SignedDossier): Entry[] {
  if (transaction === null) return [];
  const { paidAmount, paidAt = null, endToEndId } = transaction;
  return present([
    ["Identificador", transaction.id],
    ["Referência", transaction.externalRef],
    ["Forma de pagamento", methodOf(transaction.paymentMethod).label],
    ["Valor", reaisText(transaction.amount)],
    ["Valor pago", paidAmount === null ? "" : reaisText(paidAmount)],
    ["Valor devolvido", reaisText(transaction.refundedAmount)],
    ["Situação", CREATE_STATUS_WORDS[transaction.status]],
    ["Criada em", shownTime(transaction.createdAt)],
    ["Paga em", paidAt === null ? "" : shownTime(paidAt)],
    ["EndToEndId", endToEndId ?? ""],
    ["NSU", transaction.externalNsu ?? ""],
    ["Endereço IP", transaction.ip ?? ""],
  ]);
}

function payerEntries({ payer }: SignedDossier): Entry[] {
  if (payer === null) return [];
  const { street, streetNumber, complement, neighborhood, city, state, zipCode } = payer.address;
  const address = [street, streetNumber, complement, neighborhood, city, state, zipCode];
  const { paidBy } = payer;
  return present([
    ["Nome", payer.name],
    ["CPF/CNPJ", shownDocument(payer.documentNumber)],
    ["E-mail", payer.email],
    ["Telefone", payer.phone],
    ["Endereço", joined(address)],
    ["Quem pagou, pelo PSP", joined([paidBy?.name, paidBy?.documentMasked, paidBy?.ispb])],
  ]);
}

function itemEntries({ items }: SignedDossier): Entry[] {
  return items.map(({ title, quantity = 1, unitPrice, externalRef }, index) => ({
    label: `Item ${index + 1}`,
    text: joined([
      title,
      `quantidade ${quantity}`,
      unitPrice === undefined ? "" : `${reaisText(unitPrice)} cada`,
      externalRef,
    ]),
  }));
}

function evidenceEntries({ evidence }: SignedDossier): Entry[] {
  if (evidence === null) return [{ label: "Provas", text: "nenhuma enviada" }];
  const { text, links, delivery, files, submittedAt } = evidence;
  return present([
    ["Enviadas em", shownTime(submittedAt)],
    ["Declaração", text ?? ""],
    ...links.map((link): [string, string] => ["Link", link]),
    ...Object.entries(delivery ?? {}).map(([name, value]): [string, string] => [
      `Entrega: ${name}`,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
    ...files.map(({ name, bytes, sha256 }): [string, string] => [
      "Arquivo",
      `${name}, ${bytes} bytes\nSHA-256 ${sha256}`,
    ]),
  ]);
}

function timelineEntry(item: TimelineItem): Entry {
  return { label: shownTime(item.at).replace(" (Brasília)", ""), text: timelineText(item) };
}

function timelineText(item: TimelineItem): string {
  switch (item.kind) {
    case "created":
      return `Cobrança criada: ${reaisText(item.amount)}, ${methodOf(item.paymentMethod).label}`;
    case "answered":
      return joined([`Resposta do provedor: ${CREATE_STATUS_WORDS[item.status]}`, item.reason]);
    case "payment":
      return `Pagamento recebido: ${reaisText(item.amount)}, ${item.paymentId}`;
    case "operation":
      return `${OPERATION_WORDS[item.operation]} ${OUTCOME_WORDS[item.status]}: ${reaisText(item.amount)}`;
    case "dispute":
      return `Contestação ${OUTCOME_WORDS[item.status]}: ${reaisText(item.amount)}, ${item.id}`;
    case "move":
      return `Situação: de ${CREATE_STATUS_WORDS[item.from]} para ${CREATE_STATUS_WORDS[item.to]}`;
    case "movement":
      return `Lançamento ${item.number}: ${MOVEMENT_WORDS[item.type]}`;
    case "event":
      return `Evento ${item.type}, ${item.id}`;
    case "attempt":
      return `Tentativa ${item.number} de entregar ${item.eventId}`;
    case "reminder":
      return `Lembrete ${item.number} por e-mail ${item.status === "sent" ? "enviado" : "não enviado"}`;
  }
}

function postingEntries({ postings }: SignedDossier): Entry[] {
  return postings.map(({ movement, at, type, postings: lines, hash }) => ({
    label: `Nº ${movement}`,
    text: [
      `${shownTime(at)}: ${MOVEMENT_WORDS[type]} (${postingText(lines)})`,
      `SHA-256 ${hash}`,
    ].join("\n"),
  }));
}

function postingText(lines: Postings): string {
  return lines
    .map(({ account, amount }) => `${ACCOUNT_LABELS[account]} ${reaisText(amount)}`)
    .join("; ");
}

function webhookEntries({ webhooks }: SignedDossier): Entry[] {
  return (webhooks ?? []).map(({ id, type, at, deliveries }) => ({
    label: id,
    text: [
      `${shownTime(at)}: ${type}`,
      ...deliveries.map(({ target, status, attempts, tries }) => {
        const last = tries.at(-1);
        const answer = last === undefined ? "" : `última resposta ${last.httpStatus ?? last.fault}`;
        return joined([`${target}: ${DELIVERY_WORDS[status]}`, `tentativas: ${attempts}`, answer]);
      }),
    ].join("\n"),
  }));
}

function signatureEntries({ signature, createdAt }: SignedDossier): Entry[] {
  return [
    { label: "Gerado em", text: shownTime(createdAt) },
    { label: "Algoritmo", text: "Ed25519 sobre o JSON canônico (RFC 8785)" },
    { label: "Chave", text: signature.keyId },
    { label: "Valor", text: signature.value },
    { label: "Documento", text: "O JSON assinado está anexado a este PDF como dossie.json." },
  ];
}

function withLeftOut(entries: Entry[], leftOut: number): Entry[] {
  if (leftOut === 0) return entries;
  return [...entries, { label: "", text: `${leftOut} do meio da lista não estão aqui.` }];
}

function present(entries: [label: string, text: string][]): Entry[] {
  return entries.filter(([, text]) => text !== "").map(([label, text]) => ({ label, text }));
}

function joined(parts: (string | null | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== null && part !== "").join(", ");
}

/** A masked document stays as it is. */
function shownDocument(number: string): string {
  if (/^\d{11}$/.test(number)) return formatCpf(number);
  return /^[A-Z\d]{12}\d{2}$/.test(number) ? formatCnpj(number, { version: 2 }) : number;
}
