import { callCompany } from "../../company-client/stub.ts";
import { configOf, type Env } from "../../config.ts";
import { findCompany } from "../../db/companies/companies.ts";
import type { EmailRow } from "../../db/emails.ts";
import { isStopped } from "../../db/reminder-stops.ts";
import { endOfQuiet } from "../../domain/reminders/reminder.ts";
import { companyClock } from "../../domain/shared/clock.ts";
import { secureIdOf } from "../../domain/shared/ids.ts";
import { reaisText } from "../../domain/shared/money.ts";
import type { Dependencies } from "../../http/context.ts";
import { withExpiryApplied } from "../../methods/expired-view.ts";
import { findTransactionAndPayee } from "../checkout/repository.ts";
import { emailHash } from "../transactions/payer-key.ts";
import type { Rendered } from "./approval.ts";
import { oneLine } from "./send.ts";

export type Deps = Pick<Dependencies, "platformClock" | "random">;
export type PayableCharge = NonNullable<Awaited<ReturnType<typeof findPayable>>>;

/** A charge that its payer can still pay, as its object says, which an e-mail to the payer is about; null where it is none. */
export async function findPayable(env: Env, deps: Deps, { companyId, subject }: EmailRow) {
  const [found, company, state] = await Promise.all([
    findTransactionAndPayee(env, companyId, subject),
    findCompany(env, companyId),
    callCompany(env, companyId, (account) => account.findCharge(subject)),
  ]);
  const { publicUrl } = configOf(env);
  if (found === null || company === null || publicUrl === null) return null;
  const nowMs = companyClock(deps.platformClock, company).now();
  const charge = { ...found.row, ...state };
  if (withExpiryApplied(charge, nowMs).status !== "waiting_payment") return null;
  return { row: found.row, payee: found.payee, company, publicUrl, nowMs };
}

/** What becomes of an e-mail that is not to be sent now: later in the quiet hours, never to who wants none; else null. */
export async function heldBack(
  env: Env,
  { random }: Deps,
  { row, company, nowMs }: PayableCharge,
): Promise<Rendered | null> {
  const until = endOfQuiet(company.reminders.quietHours, nowMs);
  if (until !== null) return { kind: "later", at: until };
  const { email } = row.payer;
  if (email === "") return { kind: "obsolete" };
  const hash = await emailHash(env, company, email, random);
  return (await isStopped(env, company.id, hash)) ? { kind: "obsolete" } : null;
}

/** What each e-mail to a payer has. `List-Unsubscribe` and its one click are RFC 2369 and RFC 8058. */
export function payerEmailParts({ row, payee, publicUrl }: PayableCharge) {
  const secureId = secureIdOf(row.id, row.secureRandom);
  const stop = `${publicUrl}/reminders/stop/${secureId}`;
  return {
    to: row.payer.email,
    headers: {
      "List-Unsubscribe": `<${stop}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
    name: oneLine(payee.brand?.name ?? payee.name),
    money: reaisText(row.amount),
    payUrl: `${publicUrl}/checkout/${secureId}`,
    stop,
    isTest: payee.mode === "sandbox",
  };
}
