import type { Finding } from "../../company/contradictions/contradiction-store.ts";
import { claimMandatePass, saveMandatePass } from "../../db/reconciliation/mandate-passes.ts";
import {
  afterMandateWindow,
  nextMandateRound,
  nextMandateWindow,
  withSmallerWindow,
  type MandatePass,
} from "../../domain/reconciliation/mandate-pass.ts";
import { NO_ANSWER_RETRY_MS, type TimeWindow } from "../../domain/reconciliation/reconciliation.ts";
import { log } from "../../lib/log.ts";
import { callProvider } from "../../providers/provider.ts";
import {
  takeListedDebits,
  takeListedMandates,
  type UnorderedDebit,
} from "../subscriptions/listed.ts";
import type { MandateAccount } from "../subscriptions/read-back.ts";
import { recordSubject } from "../provider-callbacks/subjects.ts";
import type { ListContext } from "./book-list-page.ts";
import { recordFinding } from "./record-finding.ts";

type Context = Omit<ListContext, "isPassLate">;
type ListAccount = Context & MandateAccount;

/** Per page with entries: the look at the object, and as much as a few of them take that are news. */
const PAGE_CALLS = 10;

/**
 * Reads an account's lists of mandates and of debits once a day, as far back as the other lists are read, and takes what
 * nobody told: after a month of silence both sides agree again. Does nothing where the account has no automatic debits, or
 * the pass is not due.
 *
 * @param since when the company connected the account, epoch milliseconds
 * @param leaseUntil until when no other run reads them
 */
export async function readMandateLists(
  context: Context,
  since: number,
  leaseUntil: number,
): Promise<void> {
  const { env, company, account, provider, deps, budget } = context;
  const { mandates } = provider;
  if (mandates === null || !budget.spendCalls(1)) return;
  const of = { companyId: company.id, account };
  const nowMs = deps.clock.now();
  let pass = await claimMandatePass(env, of, { nowMs, leaseUntil });
  const save = (saved: MandatePass) => saveMandatePass(env, of, leaseUntil, saved);
  while (pass !== null) {
    const window = nextMandateWindow(pass, since, nowMs);
    if (window === null) return save(nextMandateRound(pass, nowMs));
    if (budget.isExhausted) return save({ ...pass, nextRunAt: nowMs });
    const outcome = await readWindow({ ...context, mandates }, window);
    if (outcome === "unknown") return save({ ...pass, nextRunAt: nowMs + NO_ANSWER_RETRY_MS });
    if (outcome === "too_many") return save(withSmallerWindow(pass, nowMs));
    pass = afterMandateWindow(pass, window);
  }
}

/** `unknown` if the PSP did not answer; `too_many` if the budget was exhausted. Both read the window again. */
async function readWindow(
  at: ListAccount,
  window: TimeWindow,
): Promise<"read" | "unknown" | "too_many"> {
  const { env, company, account, provider, mandates } = at;
  const about = { provider: provider.name, companyId: company.id };
  let others = 0;
  const readMandates = await readPages(at, async (page) => {
    const listed = await callProvider(mandates.listMandates(window, page), about);
    if (listed.kind === "unknown") return null;
    others += listed.unreadable + (await takeListedMandates(at, listed.mandates));
    return listed.hasMore;
  });
  if (readMandates !== "read") return readMandates;
  if (others > 0) log("info", "mandates_of_others", { companyId: company.id, account, others });
  return readPages(at, async (page) => {
    const listed = await callProvider(mandates.listDebits(window, page), about);
    if (listed.kind === "unknown") return null;
    for (const each of await takeListedDebits(at, listed.debits))
      await recordFinding(env, company.id, unorderedDebit(account, each));
    return listed.hasMore;
  });
}

/** Reads page after page while there are more; `read`: whether another follows, null without an answer. */
async function readPages(
  { budget }: ListAccount,
  read: (page: number) => Promise<boolean | null>,
): Promise<"read" | "unknown" | "too_many"> {
  for (let page = 0; budget.spendPage(); page += 1) {
    if (!budget.spendCalls(PAGE_CALLS)) break;
    const hasMore = await read(page);
    if (hasMore === null) return "unknown";
    if (!hasMore) return "read";
  }
  return "too_many";
}

/** A payer is debited, or was, under an id of ours that nobody here knows, as after a restore. Centavos. */
function unorderedDebit(
  account: string,
  { transactionId, chargeId, mandateId, amount, status }: UnorderedDebit,
): Finding {
  return {
    finding: `debit_not_ordered:${account}:${chargeId}`,
    kind: "record_unreadable",
    object: recordSubject(chargeId),
    said: { account, list: "debits", transactionId, mandateId, amount, status },
    booked: { fault: "Nobody here knows that this debit was ordered." },
    amount,
    held: 0,
  };
}
