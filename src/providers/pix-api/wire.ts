import * as z from "zod";
import type { Cents } from "../../domain/money.ts";

/**
 * What a PSP says, as this service reads it (BACEN Pix API 2.9.0): fields that are not here are
 * passed over, a field that is missing may also be null, and a word that is not known fails.
 */

/** Longest text of a PSP that is kept: a sentence for people, not a page. */
const TEXT_MAX = 200;
/** A token goes into a header. */
const TOKEN_MAX = 8_192;

/** `"37.00"` as centavos: at most 12 digits, which a number holds exactly. */
const Valor = z
  .string()
  .regex(/^\d{1,10}\.\d{2}$/)
  .transform((valor): Cents => Number(valor.replace(".", "")));

/** Centavos as the Pix API writes them. */
export function valorOf(cents: Cents): string {
  return `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
}

/** RFC 3339, as epoch milliseconds. */
const Horario = z.iso.datetime({ offset: true }).transform((time) => Date.parse(time));

/** BACEN asks 32; Efí's tests give shorter ones. */
const EndToEndId = z.string().regex(/^[a-zA-Z0-9]{1,64}$/);

/** Ours are lower-case; PSPs are not always. */
const Txid = z.string().toLowerCase();

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
 * A PIX that was received, and what of it goes back: at the receiver's wish or (`natureza` MED) at
 * the payer's bank's. A new word for how far that is must not hide the payment.
 */
export const Pix = z.object({
  endToEndId: EndToEndId,
  txid: Txid.nullish(),
  chave: z.string().nullish(),
  valor: Valor.refine((cents) => cents > 0),
  horario: Horario,
  devolucoes: z
    .array(
      z.object({
        id: z.string().regex(/^[a-zA-Z0-9]{1,64}$/),
        valor: Valor,
        status: z.string(),
        natureza: z.string().nullish(),
      }),
    )
    .nullish(),
});
export type Pix = z.infer<typeof Pix>;

/** A charge, `cob` and `cobv` alike. */
export const Cob = z.object({
  txid: Txid,
  chave: z.string(),
  status: z.enum(["ATIVA", "CONCLUIDA", "REMOVIDA_PELO_USUARIO_RECEBEDOR", "REMOVIDA_PELO_PSP"]),
  valor: z.object({ original: Valor }),
  calendario: z.object({
    criacao: Horario,
    /** Seconds. */
    expiracao: z.number().int().positive().nullish(),
    dataDeVencimento: z.iso.date().nullish(),
    /** Days. */
    validadeAposVencimento: z.number().int().nonnegative().nullish(),
  }),
  pixCopiaECola: z.string().nullish(),
  location: z.string().nullish(),
  loc: z.object({ location: z.string().nullish() }).nullish(),
  pix: z.array(Pix).nullish(),
});
export type Cob = z.infer<typeof Cob>;

/** A page of what was received. */
export const PixPage = z.object({
  parametros: z.object({
    paginacao: z.object({
      paginaAtual: z.number().int(),
      quantidadeDePaginas: z.number().int().nonnegative(),
    }),
  }),
  pix: z.array(Pix).nullish(),
});

/** A payout: `e2eId` in the answer to the request, `endToEndId` in a look-up (Efí). */
export const Envio = z.object({
  idEnvio: z.string(),
  valor: Valor,
  status: z.enum(["EM_PROCESSAMENTO", "REALIZADO", "NAO_REALIZADO", "DEVOLVIDO"]),
  e2eId: EndToEndId.nullish(),
  endToEndId: EndToEndId.nullish(),
  motivo: z.string().nullish(),
  gnExtras: z.object({ erro: z.object({ motivo: z.string().nullish() }).nullish() }).nullish(),
  devolucoes: z.array(z.object({ valor: Valor, status: DevolucaoStatus })).nullish(),
});
export type Envio = z.infer<typeof Envio>;

/** RFC 6749 section 5.1. One that does not say how long it lasts is used once. */
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
export interface ApiFault {
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
  .transform(({ type, title, detail, violacoes }): ApiFault => {
    const reasons = (violacoes ?? []).map(({ razao }) => razao ?? "");
    return {
      name: BACEN_TYPE.exec(type)?.[1] ?? "",
      message: sentenceOf([detail ?? title ?? "", ...reasons]),
    };
  });

/** Efí's own form. */
const EfiProblem = z
  .object({ nome: z.string().regex(/^\w+$/), mensagem: z.string() })
  .transform(({ nome, mensagem }): ApiFault => ({ name: nome, message: sentenceOf([mensagem]) }));

export const ApiProblem = z.union([BacenProblem, EfiProblem]);

/** What a PSP says to people, on one line and of bounded length. */
export function sentenceOf(parts: string[]): string {
  const text = parts
    .join(" ")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return text === "" ? "The PSP gave no reason." : text.slice(0, TEXT_MAX);
}
