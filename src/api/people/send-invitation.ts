import type { Invitation } from "../../db/people/invitations.ts";
import { findCompany } from "../../db/companies/companies.ts";
import { isoTime } from "../../domain/shared/clock.ts";
import type { AppContext } from "../../http/context.ts";
import { enforceRateLimit } from "../../http/rate-limits/enforce.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { errorFields, log } from "../../lib/log.ts";
import { canSendEmail, oneLine, sendEmail } from "../emails/send.ts";

/**
 * Sends the link of an invitation to its e-mail, where the service can send e-mails. The link
 * stands in the answer anyway, so a failure is only logged, and so is more than the limit for one e-mail.
 */
export async function sendInvitation(
  c: AppContext,
  { companyId, email, expiresAt }: Pick<Invitation, "companyId" | "email" | "expiresAt">,
  url: string,
): Promise<void> {
  if (!canSendEmail(c.env)) return;
  try {
    await enforceRateLimit(c, "signIns", await sha256Hex(`invitation:${email}`));
    const name = oneLine((await findCompany(c.env, companyId))?.name ?? "");
    const until = isoTime(expiresAt).slice(0, "YYYY-MM-DD".length);
    await sendEmail(c.env, {
      to: email,
      subject: `Convite · Invitation: ${name}`,
      text:
        `"${name}" convida você para o console. O link vale uma vez, até ${until}:\n` +
        `"${name}" invites you to the console. The link works once, until ${until}:\n\n${url}\n\n` +
        "Se você não espera este convite, ignore-o. If you do not expect it, ignore it.\n",
    });
  } catch (error) {
    log("warn", "invitation_not_sent", {
      ...errorFields(error),
      companyId,
      traceId: c.get("traceId"),
    });
  }
}
