import { BOLETO_REQUEST } from "../../../test/support/builders/requests/full-request.ts";
import { inAccount } from "../../../test/support/builders/companies/company.ts";
import { givenTransaction, pay } from "../../../test/support/builders/charges/transaction.ts";
import { updateSettings, refund } from "../../../test/support/builders/operations/refund.ts";
import { withdrawCommand } from "../../../test/support/builders/withdraws/withdraw-commands.ts";
import { requestWithdraw, runPayout } from "../../../test/support/builders/withdraws/withdraw.ts";
import type { CompanyAccount } from "../../../src/company/account.ts";
import { DRAIN_BATCH } from "../../../src/company/outbox/drain.ts";
import type { OpenWork } from "../../lib/open-work.ts";
import {
  cloneRows,
  newestEntry,
  newestTransaction,
  openOperations,
  openWithdraws,
  outboxEntries,
  transactions,
  undeliveredEvents,
  UNRELEASED,
  type Fixture,
} from "./fixtures.ts";
import { PAYER, requireSuccess } from "./lifecycles.ts";
import { givenShop, type Shop } from "./world.ts";

/** Runs of each call. */
export const READ_TIMES = 5;
/** Outbox batches before the copies: each counted drain takes one and finds another after it. */
const SETUP_BATCHES = READ_TIMES + 1;
const BALANCE = 100_000_000;
const DAY_MS = 24 * 60 * 60_000;
const CANCEL_WINDOW_MS = 5_000;
/** The sandbox leaves amounts that end in .98 in Processing. */
const STAYS_IN_PROCESSING = 1_098;

/** A company with open work, and its object's projection. */
export interface OpenShop extends Shop {
  projection: SwitchedProjection;
}

type Records = CompanyAccount["projection"];

/** A projection that can simulate an unavailable D1. */
class SwitchedProjection implements Records {
  /** Batches until D1 becomes unavailable. */
  remainingBatches = Infinity;
  readonly #real: Records;

  constructor(real: Records) {
    this.#real = real;
  }

  write(...batch: Parameters<Records["write"]>): ReturnType<Records["write"]> {
    if (this.remainingBatches === 0) return Promise.reject(new Error("D1 is unavailable"));
    this.remainingBatches -= 1;
    return this.#real.write(...batch);
  }
}

/** A company that made each call once, with `many` of each kind of open work. */
export async function givenOpenWork(kinds: OpenWork[], many: number): Promise<OpenShop> {
  const shop = await givenShop(BALANCE);
  const projection = await inAccount(shop.company.id, (account) => {
    const switched = new SwitchedProjection(account.projection);
    account.projection = switched;
    return switched;
  });
  const open = { ...shop, projection };
  const id = await paid(open, {});
  await requireSuccess(refund(open.company, id, undefined, open.options));
  await requireSuccess(requestWithdraw(open.company, {}, open.options));
  for (const kind of kinds) {
    const { after, fixtures } = await FIRST_ROWS[kind](open);
    await cloneRows(open.company, fixtures, after + 1, after + many);
  }
  await refundLast(open);
  await shop.meter.takeUsage();
  return open;
}

/** Makes one outbox batch of withdraws in the object while D1 is unavailable. */
export async function createBacklog({ company, projection }: OpenShop): Promise<void> {
  projection.remainingBatches = 0;
  await inAccount(company.id, async (account) => {
    for (let entry = 0; entry < DRAIN_BATCH; entry++) {
      const idempotencyKey = crypto.randomUUID();
      const command = withdrawCommand(company, { idempotencyKey, sandbox: true });
      const { kind } = await account.requestWithdraw(command);
      if (kind !== "accepted") throw new Error(`the withdraw was ${kind}`);
    }
  });
}

/**
 * Creates, pays and refunds the transaction whose id is the last while the shop's clock stands: ids begin with their time.
 * So each other one has an entry after it in every index, and a scan that ends there reads it. By chance it would not.
 */
async function refundLast(open: OpenShop): Promise<void> {
  const { company, options, clock } = open;
  const platformClock = { now: () => clock.now() + 1 };
  const later = { ...options, deps: { ...options.deps, platformClock } };
  const id = await paid({ ...open, options: later }, {});
  await requireSuccess(refund(company, id, undefined, options));
}

/** Creates and pays a transaction. Returns its id. */
async function paid({ company, options }: Shop, body: object): Promise<string> {
  const { id } = await givenTransaction(company, { customer: PAYER, ...body }, options);
  await requireSuccess(pay(company, id, undefined, options));
  return id;
}

interface FirstRows {
  /** Copies have the numbers after this one. */
  after: number;
  fixtures: Fixture[];
}

/** Makes the template row of each kind. */
const FIRST_ROWS: Record<OpenWork, (shop: OpenShop) => Promise<FirstRows>> = {
  "withdraws in Processing": async ({ company, options, meter, clock }) => {
    const body = { amount: STAYS_IN_PROCESSING };
    const { id } = (await requireSuccess(requestWithdraw(company, body, options))).body;
    clock.advance(CANCEL_WINDOW_MS);
    await runPayout(company, id, options.deps.providers(meter.env), meter.env);
    return { after: id, fixtures: [openWithdraws(id, clock.now() + DAY_MS)] };
  },
  "open operations": async ({ clock }) => ({
    // The first operation is the refund of `givenOpenWork`.
    after: 1,
    fixtures: [openOperations(clock.now() + DAY_MS)],
  }),
  "unreleased credits": async (shop) => {
    await requireSuccess(updateSettings(shop.company, { releaseDays: { BOLETO: 1 } }));
    await paid(shop, BOLETO_REQUEST);
    return { after: 0, fixtures: [UNRELEASED] };
  },
  "open charges": async ({ company, options, clock }) => {
    await givenTransaction(company, { customer: PAYER }, options);
    const seq = await newestTransaction(company);
    const createdAt = String(clock.now());
    return {
      after: seq,
      fixtures: [
        transactions(company, String(seq), { createdAt, dayCharges: "1", externalRef: "''" }),
      ],
    };
  },
  "undelivered events": async ({ company, clock }) => ({
    after: 0,
    fixtures: undeliveredEvents(company, clock.now() + DAY_MS),
  }),
  "unacknowledged outbox entries": async (shop) => {
    for (let batch = 0; batch < SETUP_BATCHES; batch++) await createBacklog(shop);
    const newest = await newestEntry(shop.company);
    return { after: newest, fixtures: [outboxEntries(newest)] };
  },
};
