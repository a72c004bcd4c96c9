import { saoPauloDay } from "../../domain/shared/business-day.ts";
import { createdAtOfTransactionId } from "../../domain/shared/ids.ts";
import { parseDocument, type DocumentType } from "../../domain/shared/document.ts";
import type { PixDetails } from "../../domain/charges/payment-details.ts";
import type { Payer } from "../../domain/charges/transaction.ts";
import { decimalReais } from "../../domain/shared/money.ts";
import type { ChargeOrder } from "../charge.ts";
import type { PixApiConfig } from "./config.ts";
import { valorTerms } from "./due-charge.ts";

export type PixOrder = Extract<ChargeOrder, { paymentMethod: "PIX" }>;
/** A charge that lasts some seconds, or one with a due date. */
export type CobKind = "cob" | "cobv";

/** The body of `PUT /cob/{txid}` or `PUT /cobv/{txid}`. */
export interface ChargeRequest {
  kind: CobKind;
  body: unknown;
}

/** `calendario.expiracao` is an int32. */
const EXPIRACAO_MAX = 2 ** 31 - 1;
const TEXT_MAX = 200;
const CEP = /^\d{8}$/;
const UF = /^[A-Z]{2}$/;

/**
 * A `cobv` of an order with a due date. Of another one a `cobv` where the config asks for it and the
 * payer is known well enough (name, document and address), else a `cob`. The payer is named only by
 * name and document both.
 */
export function chargeRequest(
  order: PixOrder,
  config: Pick<PixApiConfig, "pixKey" | "charge">,
): ChargeRequest {
  const valor = { original: decimalReais(order.amount) };
  const common = { chave: config.pixKey, ...payerTexts(order.pix ?? {}) };
  const devedor = devedorOf(order.payer);
  const endereco = enderecoOf(order.payer);
  const due = order.pix?.due;
  if (due !== undefined) {
    const { dueDate: dataDeVencimento, validityAfterDue: validadeAposVencimento } = due;
    return {
      kind: "cobv",
      body: {
        calendario: { dataDeVencimento, validadeAposVencimento },
        devedor: { ...devedor, ...endereco },
        valor: { ...valor, ...valorTerms(due) },
        ...common,
      },
    };
  }
  if (config.charge === "cobv" && devedor !== null && endereco !== null) {
    const dataDeVencimento = saoPauloDay(order.expiresAt);
    const calendario = { dataDeVencimento, validadeAposVencimento: 0 };
    return {
      kind: "cobv",
      body: { calendario, devedor: { ...devedor, ...endereco }, valor, ...common },
    };
  }
  const calendario = { expiracao: secondsToPay(order.chargeId, order.expiresAt, order.createdAt) };
  const named = devedor === null ? {} : { devedor };
  return { kind: "cob", body: { calendario, ...named, valor, ...common } };
}

/**
 * The `expiracao` of a charge that ends then (epoch ms). Not from now on: a PSP would take a repeated request
 * for a revision that makes it shorter. A charge may be made long before the time in its id.
 */
export function secondsToPay(chargeId: string, expiresAt: number, createdAt = Infinity): number {
  const from = Math.min(createdAtOfTransactionId(chargeId), createdAt);
  const seconds = Math.round((expiresAt - from) / 1_000);
  return Math.min(Math.max(seconds, 1), EXPIRACAO_MAX);
}

/** What the payer's app asks and shows. */
function payerTexts({ payerMessage, additionalInfo }: PixDetails) {
  const infoAdicionais = additionalInfo?.map(({ name, value }) => ({ nome: name, valor: value }));
  return {
    ...(payerMessage === undefined ? {} : { solicitacaoPagador: payerMessage }),
    ...(infoAdicionais === undefined ? {} : { infoAdicionais }),
  };
}

function devedorOf(payer: Payer): { nome: string; cpf?: string; cnpj?: string } | null {
  const nome = payer.name.trim().slice(0, TEXT_MAX);
  const document = parseDocument(payer.documentNumber, payer.documentType as DocumentType);
  if (nome === "" || document === null) return null;
  const { type, number } = document;
  return type === "CPF" ? { cpf: number, nome } : { cnpj: number, nome };
}

function enderecoOf({ address }: Payer) {
  const street = [address.street, address.streetNumber, address.complement, address.neighborhood];
  const logradouro = street
    .map((part) => part?.trim() ?? "")
    .filter((part) => part !== "")
    .join(", ")
    .slice(0, TEXT_MAX);
  const cidade = (address.city ?? "").trim().slice(0, TEXT_MAX);
  const uf = (address.state ?? "").trim().toUpperCase();
  const cep = (address.zipCode ?? "").replaceAll(/\D/g, "");
  const whole = (address.street ?? "").trim() !== "" && cidade !== "";
  return whole && UF.test(uf) && CEP.test(cep) ? { logradouro, cidade, uf, cep } : null;
}
