import type { ForkHead } from "../../domain/fork/fork.ts";
import { assert } from "../../lib/assert.ts";
import type { LedgerStore } from "../ledger/ledger-store.ts";
import { declare, type Opened } from "../runtime/declare-call.ts";
import type { ForkPage, ForkStore } from "./fork-store.ts";

interface Services {
  stores: { fork: ForkStore; ledger: LedgerStore };
}

interface Stored {
  state: DurableObjectState;
}

interface FinishFork {
  companyId: number;
  /** How far the original's clock is ahead, in milliseconds. */
  clockOffsetMs: number;
}

/** `rows`: lines of JSON (`ForkPage`). `head`: where the ledger stood then. */
type ForkedRows = { kind: "too_large" } | { kind: "rows"; head: ForkHead; rows: ReadableStream };

/** Characters that one object holds for a fork beside its own work: an isolate has 128 MB. */
const CHARACTERS_MAX = 60_000_000;

/** The calls by which a company is copied into a sandbox company. */
export const forkCalls = {
  /** All rows of the company as they are now. Changes nothing. */
  readForFork: declare(({ open }: Opened<Services>, companyId: number): ForkedRows => {
    const { clock, services } = open;
    const { stores } = services;
    const lines = stores.fork.read(CHARACTERS_MAX);
    if (lines === null) return { kind: "too_large" };
    const { movement, hash } = stores.ledger.newestHead();
    return {
      kind: "rows",
      head: { companyId, movement, hash, at: clock.now(), clockOffsetMs: clock.offsetMs },
      rows: streamOf(lines),
    };
  }),

  /** Writes a page of a fork into a new object, which has no company before `finishFork` and does nothing by itself. */
  writeFork: declare(({ open, state }: Opened<Services> & Stored, page: ForkPage): void => {
    assert(open.meta.companyId() === null, "a fork is written into a new object");
    const { fork, ledger } = open.services.stores;
    state.storage.transactionSync(() => {
      ledger.beginCommit();
      try {
        fork.write(page);
      } finally {
        ledger.endCommit();
      }
    });
  }),

  /** Makes a fork whose rows are all there the object of its company: from now on it lives. */
  finishFork: declare(
    async ({ open }: Opened<Services>, { companyId, clockOffsetMs }: FinishFork): Promise<void> => {
      const { backgroundWork, clock, meta } = open;
      if (clockOffsetMs > 0) {
        backgroundWork.moveClock(clock.now() - clock.offsetMs + clockOffsetMs);
      }
      backgroundWork.commit(() => meta.bindCompany(companyId));
    },
  ),

  /** Empties the object of a fork that was never finished. Its number is not used again. */
  eraseFork: declare(async ({ state }: Stored, _: void): Promise<void> => {
    await state.storage.deleteAlarm();
    await state.storage.deleteAll();
  }),
};

function streamOf(lines: string[]): ReadableStream {
  const encoder = new TextEncoder();
  const waiting = lines.values();
  return new ReadableStream({
    type: "bytes",
    pull(controller) {
      const next = waiting.next();
      if (next.done === true) controller.close();
      else controller.enqueue(encoder.encode(`${next.value}\n`));
    },
  });
}
