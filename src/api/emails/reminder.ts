import type { Env } from "../../config.ts";
import type { EmailRow } from "../../db/emails.ts";
import { dueDayOf, isAskedFor, reminderDay } from "../../domain/reminders/reminder.ts";
import { saoPauloDay } from "../../domain/shared/business-day.ts";
import { daysBetween } from "../../domain/shared/calendar-day.ts";
import type { Rendered } from "./approval.ts";
import {
  findPayable,
  heldBack,
  payerEmailParts,
  type Deps,
  type PayableCharge,
} from "./payer-email.ts";
import type { Email } from "./send.ts";

/**
 * The e-mail that reminds a payer of a charge. Obsolete where the charge is not open any more, as its object says, its
 * day has passed, or company or payer want no reminders. Later in the quiet hours.
 */
export async function renderReminder(env: Env, deps: Deps, row: EmailRow): Promise<Rendered> {
  const found = await findPayable(env, deps, row);
  if (found === null) return { kind: "obsolete" };
  const due = dueDayOf(found.row);
  const day = reminderDay(row.id);
  const isWanted = due !== null && isAskedFor(found.company.reminders, due, day);
  if (!isWanted || day !== saoPauloDay(found.nowMs)) return { kind: "obsolete" };
  const held = await heldBack(env, deps, found);
  return held ?? { kind: "email", email: emailFor(found, daysBetween(day, due)) };
}

/** In both languages: nobody knows the payer's. */
function emailFor(found: PayableCharge, daysLeft: number): Email {
  const { to, headers, name, money, payUrl, stop, isTest } = payerEmailParts(found);
  const [pt, en] = whenTexts(daysLeft);
  return {
    to,
    subject: `${isTest ? "[TESTE · TEST] " : ""}${name}: ${money} ${pt} · ${en}`,
    headers,
    text:
      `Sua cobrança de ${money} de "${name}" ${pt}. Para pagar:\n` +
      `Your charge of ${money} from "${name}" ${en}. To pay:\n\n` +
      `${payUrl}\n\n` +
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
