import { callCompany } from "../../company-client/stub.ts";
import type { Env } from "../../config.ts";
import type { EmailRow } from "../../db/emails.ts";
import type { DebitFailureCode, DebitReason } from "../../domain/subscriptions/debit-codes.ts";
import { askedByHand } from "../../domain/subscriptions/dunning.ts";
import { unpaidReason, type SubscriptionCycle } from "../../domain/subscriptions/records.ts";
import type { Rendered } from "./approval.ts";
import {
  findPayable,
  heldBack,
  payerEmailParts,
  type Deps,
  type PayableCharge,
} from "./payer-email.ts";
import { oneLine, type Email } from "./send.ts";

const DAY_MS = 24 * 3_600_000;

/**
 * The e-mail with the link by which a payer pays a cycle that could not be debited. Obsolete where the charge is not open
 * any more or its cycle is paid or ends, as its object says, or the payer wants no e-mails. Later in the quiet hours, and
 * while the cycle is debited again: nobody is to pay twice.
 */
export async function renderDunning(env: Env, deps: Deps, row: EmailRow): Promise<Rendered> {
  const found = await findPayable(env, deps, row);
  const cycle = found === null ? null : await unpaidCycle(env, row);
  const asked = cycle === null ? "never" : askedByHand(cycle);
  if (found === null || cycle === null || asked === "never") return { kind: "obsolete" };
  if (asked === "later") return { kind: "later", at: found.nowMs + DAY_MS };
  const held = await heldBack(env, deps, found);
  return held ?? { kind: "email", email: emailFor(found, unpaidReason(cycle)) };
}

/** Why, and what the payer can do about it, in Portuguese and in English; of any other reason nothing is said. */
const WHY: Partial<Record<DebitFailureCode, [pt: string, en: string]>> = {
  NO_BALANCE: ["Não havia saldo na conta.", "The account had no balance."],
  PAYER_LIMIT: [
    "O valor passa do limite que você definiu no banco. Aumente o limite no app do banco para os próximos débitos.",
    "The amount is above the limit that you set at your bank. Raise it in your bank's app for the next debits.",
  ],
  SAME_PARTICIPANT: [
    "O seu banco não faz este débito. Peça à loja outra forma de pagar os próximos.",
    "Your bank does not make this debit. Ask the shop for another way to pay the next ones.",
  ],
  PAYER_ACCOUNT_CLOSED: [
    "A conta foi encerrada. Para os próximos débitos, peça à loja um novo link de aprovação.",
    "The account was closed. For the next debits, ask the shop for a new link to approve.",
  ],
  PAYER_ACCOUNT_BLOCKED: [
    "A conta está bloqueada. Fale com o seu banco.",
    "The account is blocked. Talk to your bank.",
  ],
  PAYER_CANCELLED: [
    "Você cancelou este débito no app do banco.",
    "You cancelled this debit in your bank's app.",
  ],
};

/** In both languages: nobody knows the payer's. */
function emailFor(found: PayableCharge, reason: DebitReason | null): Email {
  const { to, headers, name, money, payUrl, stop, isTest } = payerEmailParts(found);
  const title = oneLine(found.row.items[0]?.title ?? "");
  const isCancelled = reason?.code === "PAYER_CANCELLED";
  const [pt, en] = isCancelled
    ? ["foi cancelado", "was cancelled"]
    : ["não foi pago", "was not paid"];
  const why = reason === null ? undefined : WHY[reason.code];
  const [whyPt, whyEn] = why === undefined ? ["", ""] : [`${why[0]} `, `${why[1]} `];
  const [payPt, payEn] = howToPay(found.row);
  return {
    to,
    subject: `${isTest ? "[TESTE · TEST] " : ""}${name}: o débito de ${money} ${pt} · the debit ${en}`,
    headers,
    text:
      `O débito de ${money} da sua assinatura "${title}", de "${name}", ${pt}. ${whyPt}${payPt}:\n` +
      `The debit of ${money} for your subscription "${title}", from "${name}", ${en}. ${whyEn}${payEn}:\n\n` +
      `${payUrl}\n\n` +
      "Se já pagou, ignore este e-mail. If you have paid, ignore this e-mail.\n\n" +
      `Não receber mais e-mails como este · No more e-mails like this:\n${stop}\n`,
  };
}

/** By what the link is paid: by the line of a boleto too, until its due date. */
function howToPay({ boleto }: PayableCharge["row"]): [pt: string, en: string] {
  if (boleto?.registered == null) return ["Para pagar por Pix", "To pay by Pix"];
  const day = boleto.dueDate.split("-").toReversed().join("/");
  const line = boleto.registered.digitableLine;
  return [
    `Para pagar o boleto até ${day}, pela linha digitável ${line} ou pelo link`,
    `To pay the boleto until ${day}, by its line ${line} or by the link`,
  ];
}

/** The cycle that a charge is to pay, as its object has it; null for one that is paid. */
async function unpaidCycle(
  env: Env,
  { companyId, subject }: EmailRow,
): Promise<SubscriptionCycle | null> {
  const cycle = await callCompany(env, companyId, (account) =>
    account.findCycleOfAnyCharge(subject),
  );
  return cycle?.isPaid === false ? cycle : null;
}
