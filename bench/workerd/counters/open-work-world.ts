import { BOLETO_REQUEST } from "../../../test/support/builders/requests/full-request.ts";
import { inAccount } from "../../../test/support/builders/companies/company.ts";
import { givenTransaction, pay } from "../../../test/support/builders/charges/transaction.ts";
import { updateSettings, refund } from "../../../test/support/builders/operations/refund.ts";
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

/** How often each call's rows are counted. */
export const READ_TIMES = 5;
/** Batches before the copies: every drain that is counted takes one, and finds another behind it. */
const SETUP_BATCHES = READ_TIMES + 1;
const BALANCE = 100_000_000;
const DAY_MS = 24 * 60 * 60_000;
const CANCEL_WINDOW_MS = 5_000;
/** In the sandbox an amount that ends so stays in Processing. */
const STAYS_IN_PROCESSING = 1_098;

/** A company with open work, and its object's way to D1. */
export interface OpenShop extends Shop {
  projection: SwitchedProjection;
}

type Records = CompanyAccount["projection"];

/** The object's way to D1, which can be cut. */
class SwitchedProjection implements Records {
  /** How many batches D1 still takes. */
  remainingBatches = Infinity;
  readonly #real: Records;

  constructor(real: Records) {
    this.#real = real;
  }

  write(...batch: Parameters<Records["write"]>): ReturnType<Records["write"]> {
    if (this.remainingBatches === 0) return Promise.reject(new Error("D1 is away"));
    this.remainingBatches -= 1;
    return this.#real.write(...batch);
  }
}

/** A company that has made each call once, with so much of each of these open. */
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
  await shop.meter.takeUsage();
  return open;
}

/** Makes so many withdraws, of which D1 is not told until it is there again. */
export async function createBacklog({ company, options, projection }: OpenShop): Promise<void> {
  projection.remainingBatches = 0;
  for (let entry = 0; entry < DRAIN_BATCH; entry++) {
    await requireSuccess(requestWithdraw(company, {}, options));
  }
}

/** A transaction that was paid; answers its id. */
async function paid({ company, options }: Shop, body: object): Promise<string> {
  const { id } = await givenTransaction(company, { customer: PAYER, ...body }, options);
  await requireSuccess(pay(company, id, undefined, options));
  return id;
}

interface FirstRows {
  /** The number after which copies are numbered. */
  after: number;
  fixtures: Fixture[];
}

/** Makes the first of its kind, by which the others are made. */
const FIRST_ROWS: Record<OpenWork, (shop: OpenShop) => Promise<FirstRows>> = {
  "withdraws in Processing": async ({ company, options, meter, clock }) => {
    const body = { amount: STAYS_IN_PROCESSING };
    const { id } = (await requireSuccess(requestWithdraw(company, body, options))).body;
    clock.advance(CANCEL_WINDOW_MS);
    await runPayout(company, id, options.deps.providers(meter.env), meter.env);
    return { after: id, fixtures: [openWithdraws(id, clock.now() + DAY_MS)] };
  },
  "open operations": async ({ clock }) => ({
    // The refund that every company begins with is the first operation.
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
      fixtures: [transactions(company, String(seq), { createdAt, externalRef: "''" })],
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
