import type { ProviderDispute } from "../charge.ts";
import type {
  DefenceLookup,
  DefenceOutcome,
  DisputeDefence,
  DisputeDesk,
} from "../dispute-desk.ts";

const DECIDED = {
  OPEN: { status: "under_analysis", answer: null },
  WON: { status: "accepted", answer: "The payer's bank gave up (sandbox)." },
  LOST: { status: "refused", answer: "The payer's bank took the money (sandbox)." },
} as const;

/** The sandbox's bank: it has whatever was sent, and says of it what became of the dispute. */
export class SandboxDisputeDesk implements DisputeDesk {
  readonly takesFurther = true;
  readonly #find: (disputeId: string) => Promise<ProviderDispute | null>;

  constructor(find: (disputeId: string) => Promise<ProviderDispute | null>) {
    this.#find = find;
  }

  async submit({ disputeId }: Pick<DisputeDefence, "disputeId">): Promise<DefenceOutcome> {
    const dispute = await this.#find(disputeId);
    if (dispute?.status !== "OPEN")
      return { kind: "refused", reason: "No open dispute (sandbox)." };
    return { kind: "known", status: "received", answer: null };
  }

  async find({ disputeId }: Pick<DisputeDefence, "disputeId">): Promise<DefenceLookup> {
    const dispute = await this.#find(disputeId);
    return dispute === null ? { kind: "not_found" } : { kind: "known", ...DECIDED[dispute.status] };
  }
}
