import { PixApiProblem } from "../../../src/providers/pix-api/wire.ts";
import type { PspPoint } from "../../../src/domain/psp/profiles/psp-points.ts";
import type { Bench, RawAnswer } from "./bench.ts";
import type { PspCheckConfig } from "./config.ts";

/** How a point of `PSP_POINTS` is tried. */
export interface Point {
  name: PspPoint;
  /** Points without which this one says nothing. */
  needs: PspPoint[];
  /** Why a configuration leaves this point out; null where it is tried. */
  leftOut?: (config: PspCheckConfig) => string | null;
  /** Makes the calls; throws `Deviates` where the point does not hold. */
  run: (bench: Bench) => Promise<void>;
}

/** Demands a 404 whose problem says in BACEN's or Efí's words that the thing is missing. */
export function demandMissing(bench: Bench, { status, body, exchange }: RawAnswer): void {
  bench.demand(status === 404, `the status is ${status}`, exchange);
  const name = PixApiProblem.safeParse(body).data?.name ?? "none";
  bench.demand(
    /nao_?encontrad[oa]$/i.test(name),
    `its problem has the type or name ${name}`,
    exchange,
  );
}

/** Demands a refusal: 400 or 422 with a problem that names itself. */
export function demandRefused(bench: Bench, { status, body, exchange }: RawAnswer): void {
  bench.demand([400, 422].includes(status), `the status is ${status}`, exchange);
  bench.demand(
    PixApiProblem.safeParse(body).success,
    "its body is no problem of BACEN's types and has no nome and mensagem",
    exchange,
  );
}
