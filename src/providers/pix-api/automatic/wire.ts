import * as z from "zod";
import { Valor } from "../wire.ts";

/**
 * What a PSP says of Pix Automático, as this service reads it (BACEN Pix API 2.9.0, `rec`, `solicrec`, `cobr`). Strict in
 * ids, amounts and states; all else may be missing, null or new. Efí's answers have less and more than the standard's.
 */

/** Longest sentence of a bank that is kept. */
const TEXT_MAX = 200;
const looseText = z.string().min(1).nullish().catch(null);
const sentence = looseText.transform((text) => text?.slice(0, TEXT_MAX) ?? null);
const looseDay = z.iso.date().nullish().catch(null);
/** Codes of BACEN's catalogue have four characters; what another PSP says in its place is kept as well, up to this length. */
const CODE_MAX = 40;
const code = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .catch(null)
  .transform((text) => {
    const kept = (text ?? "").trim().slice(0, CODE_MAX);
    return kept === "" ? null : kept;
  });

/** `idRec`, in which the case of letters counts. */
const IdRec = z.string().regex(/^[a-zA-Z0-9]{29}$/);

const Ending = z.object({ codigo: code, descricao: sentence });
const Encerramento = z
  .object({
    rejeicao: Ending.nullish().catch(null),
    cancelamento: Ending.extend({ solicitante: looseText }).nullish().catch(null),
  })
  .nullish()
  .catch(null);
export type Encerramento = z.infer<typeof Encerramento>;

/** A request to the payer's bank, as a mandate repeats it. A state that is not known is still open. */
const Solicitacao = z.object({ idSolicRec: z.string(), status: looseText });

export const Rec = z.object({
  idRec: IdRec,
  status: z.enum(["CRIADA", "APROVADA", "REJEITADA", "EXPIRADA", "CANCELADA"]),
  vinculo: z
    .object({ contrato: looseText })
    .nullish()
    .catch(null)
    .transform((vinculo) => ({ contrato: vinculo?.contrato ?? null })),
  calendario: z
    .object({ dataInicial: looseDay, dataFinal: looseDay, periodicidade: looseText })
    .nullish()
    .catch(null),
  valor: z.object({ valorRec: Valor.nullish(), valorMinimoRecebedor: Valor.nullish() }).nullish(),
  politicaRetentativa: looseText,
  pagador: z
    .object({ ispbParticipante: z.string().regex(/^[0-9A-Z]{8}$/), codMun: looseText })
    .nullish()
    .catch(null),
  dadosQR: z.object({ pixCopiaECola: looseText }).nullish().catch(null),
  ativacao: z.object({ tipoJornada: looseText }).nullish().catch(null),
  encerramento: Encerramento,
  solicitacao: z.unknown().optional(),
});
export type Rec = z.infer<typeof Rec>;

export const Locrec = z.object({ id: z.int().nonnegative() });

/** A request of which only the id is read: the mandate tells the rest. */
export const Solicrec = z.object({ idSolicRec: z.string().min(1), idRec: IdRec });

const Tentativa = z.object({
  dataLiquidacao: z.iso.date(),
  tipo: looseText,
  status: z.enum(["SOLICITADA", "AGENDADA", "PAGA", "CANCELADA", "REJEITADA", "EXPIRADA"]),
  endToEndId: looseText,
  rejeicao: Ending.nullish().catch(null),
});
export type Tentativa = z.infer<typeof Tentativa>;

export const Cobr = z.object({
  txid: z.string(),
  idRec: IdRec,
  status: z.enum(["CRIADA", "ATIVA", "CONCLUIDA", "EXPIRADA", "REJEITADA", "CANCELADA"]),
  valor: z.object({ original: Valor.refine((cents) => cents > 0) }),
  calendario: z.object({ dataDeVencimento: z.iso.date() }),
  tentativas: z.array(Tentativa).nullish(),
  encerramento: Encerramento,
  /** Entries of `Pix`, each read by itself (`entriesOf`). */
  pix: z.unknown().optional(),
});
export type Cobr = z.infer<typeof Cobr>;

/** The readable requests of a mandate, in the PSP's order. */
export function solicitacoesOf(list: unknown): z.infer<typeof Solicitacao>[] {
  const entries: unknown[] = Array.isArray(list) ? list : [];
  return entries.flatMap((entry) => {
    const read = Solicitacao.safeParse(entry);
    return read.success ? [read.data] : [];
  });
}
