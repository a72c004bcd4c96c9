import { claimMandatePass, saveMandatePass } from "../../db/reconciliation/mandate-passes.ts";
import {
  MANDATE_WINDOW_MAX_MS,
  nextMandateRound,
  nextMandateWindow,
} from "../../domain/reconciliation/mandate-pass.ts";
import {
  completeWindow,
  NO_ANSWER_RETRY_MS,
  shrinkWindow,
  type Progress,
  type TimeWindow,
} from "../../domain/reconciliation/reconciliation.ts";
import { log } from "../../lib/log.ts";
import { callProvider } from "../../providers/provider.ts";
import { takeListedDebits, takeListedMandates } from "../subscriptions/listed.ts";
import type { ListedAccount } from "../subscriptions/mandates/news.ts";
import type { ListContext } from "./book-list-page.ts";

type Context = Omit<ListContext, "isPassLate">;

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
  const save = (saved: Progress) => saveMandatePass(env, of, leaseUntil, saved);
  while (pass !== null) {
    const window = nextMandateWindow(pass, since, nowMs);
    if (window === null) return save(nextMandateRound(pass, nowMs));
    if (budget.isExhausted) return save({ ...pass, nextRunAt: nowMs });
    const outcome = await readWindow({ ...context, mandates }, window);
    if (outcome === "unknown") return save({ ...pass, nextRunAt: nowMs + NO_ANSWER_RETRY_MS });
    if (outcome === "too_many") return save(shrinkWindow(pass, nowMs));
    pass = completeWindow(pass, window, MANDATE_WINDOW_MAX_MS);
  }
}

/** `unknown` if the PSP did not answer; `too_many` if the budget was exhausted. Both read the window again. */
async function readWindow(
  at: ListedAccount,
  window: TimeWindow,
): Promise<"read" | "unknown" | "too_many"> {
  const { company, provider, mandates, budget } = at;
  const about = { provider: provider.name, companyId: company.id };
  let others = 0;
  const readMandates = await readPages(budget, async (page) => {
    const listed = await callProvider(mandates.listMandates(window, page), about);
    if (listed.kind === "unknown") return "unknown";
    const taken = await takeListedMandates(at, listed.mandates);
    others += listed.unreadable + taken.others;
    return taken.isAll ? listed : "too_many";
  });
  if (readMandates !== "read") return readMandates;
  const { account } = provider;
  if (others > 0) log("info", "mandates_of_others", { companyId: company.id, account, others });
  return readPages(budget, async (page) => {
    const listed = await callProvider(mandates.listDebits(window, page), about);
    if (listed.kind === "unknown") return "unknown";
    return (await takeListedDebits(at, listed)) ? listed : "too_many";
  });
}

/** Reads page after page while there are more. */
async function readPages(
  budget: ListedAccount["budget"],
  read: (page: number) => Promise<{ hasMore: boolean } | "unknown" | "too_many">,
): Promise<"read" | "unknown" | "too_many"> {
  for (let page = 0; budget.spendPage(); page += 1) {
    const listed = await read(page);
    if (typeof listed === "string") return listed;
    if (!listed.hasMore) return "read";
  }
  return "too_many";
}
