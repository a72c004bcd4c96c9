import { callCompany } from "../../company-client/stub.ts";
import { configOf, type Env } from "../../config.ts";
import { findCompany } from "../../db/companies/companies.ts";
import { isStopped } from "../../db/reminder-stops.ts";
import type { EmailRow } from "../../db/emails.ts";
import { daysBetween } from "../../domain/shared/calendar-day.ts";
import { saoPauloDay } from "../../domain/shared/business-day.ts";
import type { Company } from "../../domain/shared/company.ts";
import { secureIdOf } from "../../domain/shared/ids.ts";
import { reaisText } from "../../domain/shared/money.ts";
import { dueDayOf, endOfQuiet, isAskedFor, reminderDay } from "../../domain/reminders/reminder.ts";
import type { Dependencies } from "../../http/context.ts";
import { withExpiryApplied } from "../../methods/expired-view.ts";
import { findTransactionAndPayee } from "../checkout/repository.ts";
import { emailHash } from "../transactions/payer-key.ts";
import type { Rendered } from "./approval.ts";
import { oneLine, type Email } from "./send.ts";
import { companyClock } from "../../domain/shared/clock.ts";

export type Deps = Pick<Dependencies, "platformClock" | "random">;
type Found = NonNullable<Awaited<ReturnType<typeof findTransactionAndPayee>>>;

/**
 * The e-mail that reminds a payer of a charge. Obsolete where the charge is not open any more, as its object says, its
 * day has passed, or company or payer want no reminders. Later in the quiet hours.
 */
export async function renderReminder(env: Env, deps: Deps, row: EmailRow): Promise<Rendered> {
  const { companyId, subject } = row;
  const [found, company, state] = await Promise.all([
    findTransactionAndPayee(env, companyId, subject),
    findCompany(env, companyId),
    callCompany(env, companyId, (account) => account.findCharge(subject)),
  ]);
  const { publicUrl } = configOf(env);
  if (found === null || company === null || publicUrl === null) return { kind: "obsolete" };
  const nowMs = companyClock(deps.platformClock, company).now();
  const charge = { ...found.row, ...state };
  const due = dueDayOf(found.row);
  const day = reminderDay(row.id);
  const isWanted = due !== null && isAskedFor(company.reminders, due, day);
  const isOpen = withExpiryApplied(charge, nowMs).status === "waiting_payment";
  if (!isWanted || !isOpen || day !== saoPauloDay(nowMs)) return { kind: "obsolete" };
  const until = endOfQuiet(company.reminders.quietHours, nowMs);
  if (until !== null) return { kind: "later", at: until };
  if (await hasStopped(env, deps, company, charge.payer.email)) return { kind: "obsolete" };
  return { kind: "email", email: textFor(publicUrl, found, daysBetween(day, due)) };
}

/** Whether a payer wants no e-mails of a company, or has no address. */
export async function hasStopped(
  env: Env,
  { random }: Deps,
  company: Company,
  email: string,
): Promise<boolean> {
  if (email === "") return true;
  return isStopped(env, company.id, await emailHash(env, company, email, random));
}

/** In both languages: nobody knows the payer's. `List-Unsubscribe` and its one click are RFC 2369 and RFC 8058. */
function textFor(publicUrl: string, { row, payee }: Found, daysLeft: number): Email {
  const secureId = secureIdOf(row.id, row.secureRandom);
  const name = oneLine(payee.brand?.name ?? payee.name);
  const money = reaisText(row.amount);
  const stop = `${publicUrl}/reminders/stop/${secureId}`;
  const [pt, en] = whenTexts(daysLeft);
  const test = payee.mode === "sandbox" ? "[TESTE · TEST] " : "";
  return {
    to: row.payer.email,
    subject: `${test}${name}: ${money} ${pt} · ${en}`,
    headers: {
      "List-Unsubscribe": `<${stop}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
    text:
      `Sua cobrança de ${money} de "${name}" ${pt}. Para pagar:\n` +
      `Your charge of ${money} from "${name}" ${en}. To pay:\n\n` +
      `${publicUrl}/checkout/${secureId}\n\n` +
      "Se já pagou, ignore este e-mail. If you have paid, ignore this e-mail.\n\n" +
      `Não receber mais lembretes · No more reminders:\n${stop}\n`,
  };
}

function whenTexts(daysLeft: number): [string, string] {
  const days = Math.abs(daysLeft);
  if (daysLeft === 0) return ["vence hoje", "is due today"];
  if (daysLeft === 1) return ["vence amanhã", "is due tomorrow"];
  if (daysLeft > 1) return [`vence em ${days} dias`, `is due in ${days} days`];
  if (daysLeft === -1) return ["venceu ontem", "was due yesterday"];
  return [`venceu há ${days} dias`, `was due ${days} days ago`];
}
