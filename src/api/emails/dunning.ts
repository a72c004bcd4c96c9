import { callCompany } from "../../company-client/stub.ts";
import { configOf, type Env } from "../../config.ts";
import { findCompany } from "../../db/companies/companies.ts";
import type { EmailRow } from "../../db/emails.ts";
import { endOfQuiet } from "../../domain/reminders/reminder.ts";
import { companyClock } from "../../domain/shared/clock.ts";
import { secureIdOf } from "../../domain/shared/ids.ts";
import { reaisText } from "../../domain/shared/money.ts";
import { withExpiryApplied } from "../../methods/expired-view.ts";
import { findTransactionAndPayee } from "../checkout/repository.ts";
import type { Rendered } from "./approval.ts";
import { hasStopped, type Deps } from "./reminder.ts";
import { oneLine } from "./send.ts";

/**
 * The e-mail with the link by which a payer pays a cycle that could not be debited. Obsolete where the charge is not open
 * any more, as its object says, or the payer wants no e-mails. Later in the quiet hours.
 */
export async function renderDunning(env: Env, deps: Deps, row: EmailRow): Promise<Rendered> {
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
  if (withExpiryApplied(charge, nowMs).status !== "waiting_payment") return { kind: "obsolete" };
  const until = endOfQuiet(company.reminders.quietHours, nowMs);
  if (until !== null) return { kind: "later", at: until };
  if (await hasStopped(env, deps, company, charge.payer.email)) return { kind: "obsolete" };
  const { payee } = found;
  const secureId = secureIdOf(charge.id, charge.secureRandom);
  const name = oneLine(payee.brand?.name ?? payee.name);
  const title = oneLine(charge.items[0]?.title ?? "");
  const money = reaisText(charge.amount);
  const stop = `${publicUrl}/reminders/stop/${secureId}`;
  const test = payee.mode === "sandbox" ? "[TESTE] " : "";
  return {
    kind: "email",
    email: {
      to: charge.payer.email,
      subject: `${test}${name}: o débito de ${money} não foi pago`,
      headers: {
        "List-Unsubscribe": `<${stop}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      },
      text:
        `O débito de ${money} da sua assinatura "${title}", de "${name}", não foi pago. Para pagar por Pix:\n\n` +
        `${publicUrl}/checkout/${secureId}\n\n` +
        "Se já pagou, ignore este e-mail.\n\n" +
        `Não receber mais e-mails como este:\n${stop}\n`,
    },
  };
}
