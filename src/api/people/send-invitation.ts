import { configOf } from "../../config.ts";
import type { Invitation } from "../../db/people/invitations.ts";
import { findCompany } from "../../db/companies/companies.ts";
import { isoTime } from "../../domain/shared/clock.ts";
import type { AppContext } from "../../http/context.ts";
import { enforceRateLimit } from "../../http/rate-limits/enforce.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { errorFields, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/timeout.ts";

/** How long an answer waits for the e-mail to be taken. */
const SEND_MS = 5_000;
/** What would end a line of an e-mail's head, or turn its text around. */
const UNPRINTABLE = /[\p{C}\u2028\u2029]+/gu;

/**
 * Sends the link of an invitation to its e-mail, where the service has the binding `EMAIL` and a sender. The link
 * stands in the answer anyway, so a failure is only logged, and so is more than the limit for one e-mail.
 */
export async function sendInvitation(
  c: AppContext,
  { companyId, email, expiresAt }: Pick<Invitation, "companyId" | "email" | "expiresAt">,
  url: string,
): Promise<void> {
  const { EMAIL } = c.env;
  const { emailFrom } = configOf(c.env);
  if (EMAIL === undefined || emailFrom === null) return;
  try {
    await enforceRateLimit(c, "signIns", await sha256Hex(`invitation:${email}`));
    const company = (await findCompany(c.env, companyId))?.name ?? "";
    const name = company.replaceAll(UNPRINTABLE, " ").trim();
    const until = isoTime(expiresAt).slice(0, "YYYY-MM-DD".length);
    const sent = EMAIL.send({
      from: { email: emailFrom, name: "Centavo" },
      to: email,
      subject: `Convite · Invitation: ${name}`,
      text:
        `"${name}" convida você para o console. O link vale uma vez, até ${until}:\n` +
        `"${name}" invites you to the console. The link works once, until ${until}:\n\n${url}\n\n` +
        "Se você não espera este convite, ignore-o. If you do not expect it, ignore it.\n",
    });
    await withTimeout(sent, SEND_MS);
  } catch (error) {
    log("warn", "invitation_not_sent", {
      ...errorFields(error),
      companyId,
      traceId: c.get("traceId"),
    });
  }
}
