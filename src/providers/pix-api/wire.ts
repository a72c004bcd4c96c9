import * as z from "zod";
import type { Cents } from "../../domain/shared/money.ts";
import { isEndToEndId } from "../../domain/psp/psp-ids.ts";
import { toSentence } from "../calls/sentence.ts";

/**
 * What a PSP says, as this service reads it (BACEN Pix API 2.9.0): fields that are not here are
 * passed over, a field that is missing may also be null, and a word that is not known fails.
 */

/** A token goes into a header. */
const TOKEN_MAX = 8_192;

/** `"37.00"` as centavos: a JavaScript number holds 12 digits exactly. */
export const Valor = z
  .string()
  .regex(/^\d{1,10}\.\d{2}$/)
  .transform((valor): Cents => Number(valor.replace(".", "")));

/** RFC 3339 as epoch milliseconds. The offset is required: without it the hour is unknown. */
const Horario = z.iso.datetime({ offset: true }).transform((time) => Date.parse(time));

/** Ids stay as the PSP writes them (`psp-ids.ts` compares them). */
const EndToEndId = z.string().refine(isEndToEndId);

const ISPB = /^\d{8}$/;
/** A text of a part that is read loosely; null for anything else. */
const looseText = z.string().min(1).nullable().catch(null);

const DevolucaoStatus = z.enum(["EM_PROCESSAMENTO", "DEVOLVIDO", "NAO_REALIZADO"]);

/** Money that goes back at the receiver's wish. */
export const Devolucao = z.object({
  id: z.string(),
  valor: Valor,
  status: DevolucaoStatus,
  motivo: z.string().nullish(),
});
export type Devolucao = z.infer<typeof Devolucao>;

/**
 * A PIX that was received. What goes back of it is read entry by entry (`entriesOf`): none may hide the
 * payment.
 */
export const Pix = z.object({
  endToEndId: EndToEndId,
  /** Not in the standard; some PSPs tell it so. */
  pagador: z.unknown().optional(),
  /** Efí's own. */
  gnExtras: z.unknown().optional(),
  txid: z.string().nullish(),
  chave: z.string().nullish(),
  valor: Valor.refine((cents) => cents > 0),
  horario: Horario,
  devolucoes: z.unknown().optional(),
});
export type Pix = z.infer<typeof Pix>;

/** Who paid, as PSPs tell it beyond the standard (Efí `codigoBanco` is the ISPB). Read loosely: it moves no money. */
export const Pagador = z
  .object({
    nome: looseText,
    cpf: looseText,
    cnpj: looseText,
    codigoBanco: looseText,
    ispb: looseText,
  })
  .transform(({ nome, cpf, cnpj, codigoBanco, ispb }) => ({
    name: nome,
    document: cpf ?? cnpj,
    ispb: [codigoBanco, ispb].find((code) => ISPB.test(code ?? "")) ?? null,
  }));
export const GnExtras = z.object({ pagador: z.unknown().optional() });

/**
 * A part of a received PIX that goes back: at the receiver's wish or (`natureza` MED) at the payer's
 * bank's. Any word for how far that is may come.
 */
export const PixDevolucao = z.object({
  id: z.string().regex(/^[a-zA-Z0-9]{1,64}$/),
  valor: Valor.refine((cents) => cents > 0),
  status: z.string(),
  natureza: z.string().nullish(),
});
export type PixDevolucao = z.infer<typeof PixDevolucao>;

/** Far beyond any charge, and within what the calendar can count. */
const LAST_DUE_DATE = "2999-12-31";
const VALIDADE_MAX = 36_500;

const Calendario = z.object({
  criacao: Horario,
  /** Seconds. */
  expiracao: z.number().int().positive().nullish(),
  dataDeVencimento: z.iso
    .date()
    .refine((day) => day <= LAST_DUE_DATE)
    .nullish(),
  /** Days. */
  validadeAposVencimento: z.number().int().nonnegative().max(VALIDADE_MAX).nullish(),
});
export type Calendario = z.infer<typeof Calendario>;

const CobStatus = z.enum([
  "ATIVA",
  "CONCLUIDA",
  "REMOVIDA_PELO_USUARIO_RECEBEDOR",
  "REMOVIDA_PELO_PSP",
]);

/** A charge as it was registered, `cob` and `cobv` alike. */
export const Cob = z.object({
  txid: z.string(),
  chave: z.string(),
  status: CobStatus,
  valor: z.object({ original: Valor }),
  calendario: Calendario,
  pixCopiaECola: z.string().nullish(),
  location: z.string().nullish(),
  loc: z.object({ location: z.string().nullish() }).nullish(),
});
export type Cob = z.infer<typeof Cob>;

/** The state of a charge. Other fields are not read, so a new or wrong one cannot hide its money. */
export const CobState = z.object({
  txid: z.string(),
  status: CobStatus.nullable().catch(null),
  calendario: Calendario.nullable().catch(null),
  /** Entries of `Pix`, each read by itself (`entriesOf`). */
  pix: z.unknown().optional(),
});
export type CobState = z.infer<typeof CobState>;

/** The entries of a list: none where it is missing, one where it is no list. */
export function entriesOf(list: unknown): unknown[] {
  if (list === null || list === undefined) return [];
  return Array.isArray(list) ? list : [list];
}

/**
 * A page of a list: payments and payouts as `pix`, charges as `cobs`, mandates as `recs`, automatic debits as `cobsr`, Efí's cases as
 * `infracoes`.
 */
export const Page = z.object({
  parametros: z.object({
    paginacao: z.object({
      paginaAtual: z.number().int(),
      quantidadeDePaginas: z.number().int().nonnegative(),
    }),
  }),
  pix: z.array(z.unknown()).nullish(),
  cobs: z.array(z.unknown()).nullish(),
  recs: z.array(z.unknown()).nullish(),
  cobsr: z.array(z.unknown()).nullish(),
  infracoes: z.array(z.unknown()).nullish(),
});

/** A payout: `e2eId` in the answer to the request, `endToEndId` in a look-up and in a list (Efí). */
export const Envio = z.object({
  /** Left out for a payout by the bank's app. */
  idEnvio: z.string().nullish(),
  valor: Valor.refine((cents) => cents > 0),
  status: z.enum(["EM_PROCESSAMENTO", "REALIZADO", "NAO_REALIZADO", "DEVOLVIDO"]),
  /** The payer's key: one of this account. */
  chave: z.string().nullish().catch(null),
  e2eId: EndToEndId.nullish(),
  endToEndId: EndToEndId.nullish(),
  motivo: z.string().nullish(),
  gnExtras: z
    .object({
      erro: z
        .object({ codigo: z.string().nullish().catch(null), motivo: z.string().nullish() })
        .nullish(),
    })
    .nullish(),
  /** Entries of `EnvioDevolucao`, each read by itself (`entriesOf`). */
  devolucoes: z.unknown().optional(),
});
export type Envio = z.infer<typeof Envio>;

/** A part of a payout that the payee's bank sends back. */
export const EnvioDevolucao = z.object({ valor: Valor, status: z.string() });
export type EnvioDevolucao = z.infer<typeof EnvioDevolucao>;

/** Efí's balance of the account: reais, negative where it is overdrawn. */
export const Saldo = z.object({
  saldo: z
    .string()
    .regex(/^-?\d{1,13}\.\d{2}$/)
    .transform((saldo): Cents => Number(saldo.replace(".", ""))),
});

/** RFC 6749 section 5.1. A token without a lifetime is used once. */
export const TokenAnswer = z.object({
  access_token: z
    .string()
    .max(TOKEN_MAX)
    .regex(/^[\x21-\x7e]+$/),
  token_type: z
    .string()
    .regex(/^bearer$/i)
    .nullish(),
  expires_in: z.coerce.number().nonnegative().default(0),
});

/** An error that the API itself names, and its sentence for people. */
export interface ApiError {
  name: string;
  message: string;
}

const BACEN_TYPE = /^https:\/\/pix\.bcb\.gov\.br\/api\/v\d+\/error\/(\w+)$/;

/** RFC 7807 with a type of the central bank. */
const BacenProblem = z
  .object({
    type: z.string().regex(BACEN_TYPE),
    title: z.string().nullish(),
    detail: z.string().nullish(),
    violacoes: z.array(z.object({ razao: z.string().nullish() })).nullish(),
  })
  .transform(({ type, title, detail, violacoes }): ApiError => {
    const reasons = (violacoes ?? []).map(({ razao }) => razao ?? "");
    return {
      name: BACEN_TYPE.exec(type)?.[1] ?? "",
      message: toSentence([detail ?? title ?? "", ...reasons]),
    };
  });

/** Efí's own form. */
const EfiProblem = z
  .object({ nome: z.string().regex(/^\w+$/), mensagem: z.string() })
  .transform(({ nome, mensagem }): ApiError => ({ name: nome, message: toSentence([mensagem]) }));

export const PixApiProblem = z.union([BacenProblem, EfiProblem]);
