import type { BoletoOrder, DueDateLookup, DueDateOutcome, DueDates } from "../due-dates.ts";
import type { EfiCharges } from "./charges.ts";
import type { EfiClient } from "./client.ts";
import type { EfiCreation } from "./creation.ts";
import { meaningOf } from "./problems.ts";

const UNKNOWN = { kind: "unknown" } as const;
/** What errors mean after which a boleto that has its earlier day keeps it. */
const REFUSALS: ReadonlySet<string> = new Set(["refused", "wrong_state", "no_right"]);
/** Efí changes the boletos in these states (3500038); an unpaid one is past its due date. */
const CHANGEABLE = new Set(["waiting", "unpaid"]);

type Found = Exclude<DueDateLookup, { kind: "open" }> | { kind: "open"; efiId: number };

/** Changes due dates at Efí, whose answer names neither day nor line: only a look-up does, before and after. */
export class EfiDueDates implements DueDates {
  readonly #client: EfiClient;
  readonly #charges: EfiCharges;
  readonly #creation: EfiCreation;

  constructor(parts: { client: EfiClient; charges: EfiCharges; creation: EfiCreation }) {
    this.#client = parts.client;
    this.#charges = parts.charges;
    this.#creation = parts.creation;
  }

  async find(order: BoletoOrder): Promise<DueDateLookup> {
    const found = await this.#find(order);
    return found.kind === "open" ? { kind: "open" } : found;
  }

  async change(order: BoletoOrder): Promise<DueDateOutcome> {
    const before = await this.#find(order);
    if (before.kind !== "open") return before;
    const path = ["charge", before.efiId, "billet"];
    const body = { expire_at: order.boleto.dueDate };
    const answer = await this.#client.call({ method: "PUT", path, body });
    const after = await this.#find(order);
    if (after.kind !== "open") return after;
    if (answer.kind !== "problem") return UNKNOWN;
    const isRefused = REFUSALS.has(meaningOf(answer.code));
    return isRefused ? { kind: "refused", reason: answer.message } : UNKNOWN;
  }

  /** A boleto that has the ordered day is as it was ordered, whatever became of it since. */
  async #find(order: BoletoOrder): Promise<Found> {
    const found = await this.#charges.find(order.chargeId);
    if (found.kind === "unknown") return UNKNOWN;
    if (found.kind === "not_found") {
      return { kind: "refused", reason: "Efí does not know this charge." };
    }
    const { about, detail } = found;
    const billet = detail.payment?.banking_billet ?? null;
    if (billet === null || detail.total !== order.amount) return UNKNOWN;
    if (billet.expire_at === order.boleto.dueDate) {
      const boleto = await this.#creation.boletoOf(order, about.ref, billet);
      return boleto === null ? UNKNOWN : { kind: "changed", boleto };
    }
    return CHANGEABLE.has(about.status)
      ? { kind: "open", efiId: about.ref.efiId }
      : { kind: "refused", reason: `Efí says ${about.status} of the charge.` };
  }
}
