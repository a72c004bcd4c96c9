import {
  dueListings,
  saveListing,
  takeListing,
  type CompanyProviderRow,
} from "../../db/company-providers.ts";
import { endToEndIdsOf } from "../../db/paid-charges.ts";
import type { Company } from "../../domain/company.ts";
import type { Env } from "../../env.ts";
import type { Dependencies } from "../../http/context.ts";
import { errorFields, log } from "../../lib/log.ts";
import { answerOf, type ListedPayment, type Provider } from "../../providers/provider.ts";
import { transactionOfCharge } from "./objects.ts";
import { bookPayment, type ReadBackContext } from "./service.ts";

/** Companies whose payments are listed a minute, side by side: one slow PSP keeps nobody waiting. */
const COMPANIES_MAX = 20;
/** How often a company's payments are listed. */
const LIST_EVERY_MS = 5 * 60_000;
/**
 * Listed once more each time, for a PSP may list a payment later than others that came after it. No
 * more than is listed anew, or a window that is too large could never become small enough.
 */
const OVERLAP_MS = 15 * 60_000;
/** What came this recently may not be listed yet. */
const LISTING_DELAY_MS = 60_000;
/** New payments listed in one go: a gateway that was down catches up hour by hour. */
export const LIST_WINDOW_MAX_MS = 60 * 60_000;
/** What a window that could not be read whole shrinks to, from one time to the next. */
const LIST_WINDOW_MIN_MS = 60_000;
/** 100 payments each: up to 5,000 payments a minute can be listed in the smallest window. */
const PAGES_MAX = 100;
/** No new page is begun once the next minute's cron is near. */
const LISTING_TIME_MS = 40_000;

/**
 * Lists what companies' PSPs have received lately and books what is not booked yet, so that a lost
 * callback loses no money. A window is done only once all of it was read and booked.
 */
export async function reconcilePayments(env: Env, deps: Dependencies): Promise<void> {
  const due = await dueListings(env, deps.clock.now(), COMPANIES_MAX);
  await Promise.all(
    due.map(async ({ company, listing }) => {
      try {
        await reconcileCompany({ env, deps, company }, listing);
      } catch (error) {
        log("error", "reconcile_failed", { ...errorFields(error), companyId: company.id });
      }
    }),
  );
}

async function reconcileCompany(
  context: ReadBackContext,
  listing: CompanyProviderRow,
): Promise<void> {
  const { env, deps, company } = context;
  const now = deps.clock.now();
  const provider = deps.providers(env).forCharge(company, "PIX");
  if (!(await takeListing(env, listing, now + LIST_EVERY_MS)) || provider === null) return;
  const { listedUntil, listWindow } = listing;
  const newest = now - LISTING_DELAY_MS;
  const window = {
    from: Math.max(listing.createdAt, listedUntil - Math.min(OVERLAP_MS, listWindow)),
    to: Math.min(newest, listedUntil + listWindow),
  };
  if (window.to <= listedUntil) return;
  const outcome = await bookWindow(context, provider, window);
  if (outcome === "whole") {
    await saveListing(env, company.id, {
      listedUntil: window.to,
      listWindow: Math.min(listWindow * 2, LIST_WINDOW_MAX_MS),
      // Where it is behind it goes on with the next minute.
      ...(window.to < newest ? { listAt: now } : {}),
    });
    return;
  }
  if (outcome === "unknown") return;
  log("error", "payments_too_many", { companyId: company.id, windowMs: listWindow });
  const listWindowNext = Math.max(LIST_WINDOW_MIN_MS, Math.floor(listWindow / 2));
  // The shorter one is tried with the next minute.
  const shorter = listWindowNext < listWindow ? { listAt: now } : {};
  await saveListing(env, company.id, { listWindow: listWindowNext, ...shorter });
}

/** `unknown` where the provider did not say what came, `too_many` where it was more than one run reads. */
async function bookWindow(
  context: ReadBackContext,
  provider: Provider,
  window: { from: number; to: number },
): Promise<"whole" | "unknown" | "too_many"> {
  const { company, deps } = context;
  const startedAt = deps.clock.now();
  for (let page = 0; page < PAGES_MAX; page++) {
    if (deps.clock.now() - startedAt > LISTING_TIME_MS) return "too_many";
    const report = await answerOf(provider.recentPayments(window, page), {
      provider: provider.name,
      companyId: company.id,
    });
    if (report.kind === "unknown") return "unknown";
    await bookPage(context, provider, report.payments);
    if (!report.hasMore) return "whole";
  }
  return "too_many";
}

async function bookPage(
  context: ReadBackContext,
  provider: Provider,
  payments: ListedPayment[],
): Promise<void> {
  const { env, company } = context;
  for (const payment of await notBooked(env, company, payments)) {
    const booked = await bookPayment(context, provider, payment);
    const { paymentId } = payment;
    if (!booked) log("warn", "payment_of_another_company", { companyId: company.id, paymentId });
  }
}

/** Those of a page that D1 does not say their charge was paid by. One that it says so is booked. */
async function notBooked(
  env: Env,
  company: Company,
  payments: ListedPayment[],
): Promise<ListedPayment[]> {
  const ids = payments.flatMap(({ chargeId }) => {
    const transaction = chargeId === null ? null : transactionOfCharge(chargeId);
    return transaction?.companyId === company.id ? [transaction.id] : [];
  });
  const paidBy = await endToEndIdsOf(env, company.id, ids);
  return payments.filter(({ paymentId }) => !paidBy.has(paymentId));
}
