import * as z from "zod";
import type { PixDueTerms } from "../../domain/charges/payment-details.ts";
import { canonicalJson } from "../../lib/hash.ts";
import { Cob, Valor } from "./wire.ts";
import { decimalReais } from "../../domain/shared/money.ts";

/** BACEN's `modalidade` of a fine and of a discount up to a date. */
const MODALIDADES = { FIXED: 1, PERCENTAGE: 2 } as const;
/** BACEN's `modalidade` of interest: a percentage a month, counted by calendar days. */
const PERCENT_A_MONTH = 3;

/** A term of nothing is none. */
const Encargo = z
  .object({ modalidade: z.int(), valorPerc: Valor })
  .transform((term) => (term.valorPerc === 0 ? null : term));
const Desconto = z
  .object({
    modalidade: z.int(),
    valorPerc: Valor.nullish(),
    descontoDataFixa: z.array(z.object({ data: z.string(), valorPerc: Valor })).nullish(),
  })
  .transform(({ modalidade, valorPerc, descontoDataFixa }) => {
    const dated = (descontoDataFixa ?? []).filter((each) => each.valorPerc > 0);
    const undated = valorPerc ?? 0;
    return dated.length === 0 && undated === 0 ? null : { modalidade, undated, dated };
  });
const Termos = z.object({
  multa: Encargo.nullish(),
  juros: Encargo.nullish(),
  desconto: Desconto.nullish(),
});

/** A registered charge with its due date, and with the terms that the PSP repeats. */
export const DueCob = Cob.extend({ valor: Cob.shape.valor.extend(Termos.shape) });

/** The parts of `valor` for fine, interest and discount. Percentages have two decimals, as amounts do. */
export function valorTerms({ fine, interest, discount }: PixDueTerms) {
  return {
    ...(fine === null ? {} : { multa: encargo(MODALIDADES[fine.type], fine.value) }),
    ...(interest === null ? {} : { juros: encargo(PERCENT_A_MONTH, interest.value) }),
    ...(discount === null
      ? {}
      : {
          desconto: {
            modalidade: MODALIDADES[discount.type],
            descontoDataFixa: [
              { data: discount.untilDate, valorPerc: decimalReais(discount.value) },
            ],
          },
        }),
  };
}

/** Whether a registered charge says what was ordered. Terms that the PSP does not repeat say nothing. */
export function isAsOrdered({ calendario, valor }: z.infer<typeof DueCob>, due: PixDueTerms) {
  const { dataDeVencimento, validadeAposVencimento } = calendario;
  const ordered = Termos.parse(valorTerms(due));
  const isOrdered = (name: keyof typeof ordered) =>
    canonicalJson(valor[name]) === canonicalJson(ordered[name] ?? null);
  return (
    dataDeVencimento === due.dueDate &&
    (validadeAposVencimento ?? due.validityAfterDue) === due.validityAfterDue &&
    (["multa", "juros", "desconto"] as const).every(
      (name) => (valor[name] ?? null) === null || isOrdered(name),
    )
  );
}

function encargo(modalidade: number, value: number) {
  return { modalidade, valorPerc: decimalReais(value) };
}
