/**
 * A company's object as a Worker calls it. It names no call, so that the bindings (`src/config.ts`) need not know what
 * the object imports; `CompanyRpc` of `calls.ts` has the calls with their types.
 */
export interface CompanyObject extends Rpc.DurableObjectBranded {
  /** Runs one of `calls`. Throws where the call throws, which is a bug: a refusal is an answer. */
  call(envelope: CallEnvelope): Promise<CallAnswer>;
}

/** What every call carries. */
export interface CallEnvelope {
  /** Of `calls` in `calls.ts`. */
  name: string;
  parameter: unknown;
  /** When the Worker made it, epoch ms by the platform's clock; null for a call that is never shed. */
  calledAt: number | null;
  /** The trace of the Worker that made it; null outside of one. */
  traceId: string | null;
}

/** `overloaded`: the call waited too long, and nothing was done. */
export type CallAnswer = { kind: "done"; answer: unknown } | { kind: "overloaded" };

/**
 * How long a client's call may wait for the object. Short, so that the client still listens, but longer
 * than the clocks of Worker and object differ, so that an idle object sheds no call.
 */
export const CLIENT_DEADLINE_MS = 2_000;
