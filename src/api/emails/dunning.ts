import { callCompany } from "../../company-client/stub.ts";
import type { Env } from "../../config.ts";
import type { EmailRow } from "../../db/emails.ts";
import { askedByHand } from "../../domain/subscriptions/dunning.ts";
import type { Rendered } from "./approval.ts";
import { findPayable, heldBack, payerEmailParts, type Deps } from "./payer-email.ts";
import { oneLine } from "./send.ts";

const DAY_MS = 24 * 3_600_000;

/**
 * The e-mail with the link by which a payer pays a cycle that could not be debited. Obsolete where the charge is not open
 * any more or its cycle is paid or ends, as its object says, or the payer wants no e-mails. Later in the quiet hours, and
 * while the cycle is debited again: nobody is to pay twice.
 */
export async function renderDunning(env: Env, deps: Deps, row: EmailRow): Promise<Rendered> {
  const found = await findPayable(env, deps, row);
  const asked = found === null ? "never" : await whenAsked(env, row);
  if (found === null || asked === "never") return { kind: "obsolete" };
  if (asked === "later") return { kind: "later", at: found.nowMs + DAY_MS };
  const held = await heldBack(env, deps, found);
  if (held !== null) return held;
  const { to, headers, name, money, payUrl, stop, isTest } = payerEmailParts(found);
  const title = oneLine(found.row.items[0]?.title ?? "");
  return {
    kind: "email",
    email: {
      to,
      subject: `${isTest ? "[TESTE] " : ""}${name}: o débito de ${money} não foi pago`,
      headers,
      text:
        `O débito de ${money} da sua assinatura "${title}", de "${name}", não foi pago. Para pagar por Pix:\n\n` +
        `${payUrl}\n\n` +
        "Se já pagou, ignore este e-mail.\n\n" +
        `Não receber mais e-mails como este:\n${stop}\n`,
    },
  };
}

async function whenAsked(
  env: Env,
  { companyId, subject }: EmailRow,
): Promise<ReturnType<typeof askedByHand>> {
  const cycle = await callCompany(env, companyId, (account) =>
    account.findCycleOfAnyCharge(subject),
  );
  return cycle === null || cycle.isPaid ? "never" : askedByHand(cycle);
}
