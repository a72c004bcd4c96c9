import { callCompany } from "../../company-client/stub.ts";
import { configOf, type Env } from "../../config.ts";
import { findCompany } from "../../db/companies/companies.ts";
import type { EmailRow, NewEmail } from "../../db/emails.ts";
import { findMembers } from "../../db/people/members.ts";
import { personClientId, SCOPES_OF_PERSON_ROLE } from "../../domain/access/person.ts";
import { reaisText } from "../../domain/shared/money.ts";
import type { WithdrawRecord } from "../../domain/withdraws/withdraw.ts";
import { oneLine, type Email } from "./send.ts";

/** What becomes of an e-mail: nothing any more, a row for each who gets it, a later time, or the e-mail itself. */
export type Rendered =
  | { kind: "obsolete" }
  | { kind: "following"; emails: NewEmail[] }
  | { kind: "later"; at: number }
  | { kind: "email"; email: Email };

/**
 * The e-mail to a person who may approve a withdraw; of the row without a person, one row for each who may, but for who
 * asked. Obsolete once the withdraw is decided, or the person may not approve any more. The link decides nothing.
 */
export async function renderApproval(env: Env, row: EmailRow): Promise<Rendered> {
  const { companyId } = row;
  const [withdraw, members, company] = await Promise.all([
    callCompany(env, companyId, (account) => account.findWithdraw(Number(row.subject))),
    findMembers(env, companyId),
    findCompany(env, companyId),
  ]);
  if (withdraw === null || company === null || withdraw.approval !== "pending") {
    return { kind: "obsolete" };
  }
  const approvers = members.filter(
    ({ id, role }) =>
      SCOPES_OF_PERSON_ROLE[role].includes("withdraws:approve") &&
      withdraw.requestedBy?.id !== personClientId({ userId: id }),
  );
  if (row.userId === "") {
    return { kind: "following", emails: approvers.map(({ id }) => rowFor(row, id)) };
  }
  const approver = approvers.find(({ id }) => id === row.userId);
  if (approver === undefined) return { kind: "obsolete" };
  return { kind: "email", email: textFor(env, approver.email, company.name, withdraw) };
}

function rowFor({ companyId, id, kind, subject }: EmailRow, userId: string): NewEmail {
  return { companyId, id: `${id}:${userId}`, kind, subject, userId };
}

function textFor(env: Env, to: string, companyName: string, withdraw: WithdrawRecord): Email {
  const { id, amount, requestedBy, payoutId } = withdraw;
  const name = oneLine(companyName);
  const money = reaisText(amount);
  const who = oneLine(requestedBy?.name ?? "");
  const { publicUrl } = configOf(env);
  // Without a public address nobody knows the console's from here.
  const place = publicUrl === null ? `Saque ${id} · Withdraw ${id}` : `${publicUrl}/a/${payoutId}`;
  return {
    to,
    subject: `Saque a aprovar · Withdraw to approve: ${money}, ${name}`,
    text:
      `${who === "" ? "Alguém" : who} pediu um saque de ${money} em "${name}". Ele espera a sua aprovação.\n` +
      `O pedido está aqui; abrir não aprova nada:\n\n${place}\n\n` +
      `${who === "" ? "Somebody" : who} asked for a withdraw of ${money} in "${name}". It waits for your approval.\n` +
      "The request is above; to open it approves nothing.\n",
  };
}
