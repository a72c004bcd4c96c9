import type { Env } from "../../config.ts";
import { findCompany } from "../../db/companies/companies.ts";
import { saveStop } from "../../db/reminder-stops.ts";
import type { Dependencies } from "../../http/context.ts";
import type { PayersTransaction } from "../checkout/repository.ts";
import { emailHash } from "../transactions/payer-key.ts";
import { companyClock } from "../../domain/shared/clock.ts";

/** Ends the reminders of a charge's company to its payer's e-mail address, for all its charges. Repeatable. */
export async function stopReminders(
  env: Env,
  { platformClock, random }: Pick<Dependencies, "platformClock" | "random">,
  { row: { companyId, payer } }: PayersTransaction,
): Promise<void> {
  const company = await findCompany(env, companyId);
  if (company === null || payer.email === "") return;
  const { email } = payer;
  const nowMs = companyClock(platformClock, company).now();
  await saveStop(env, companyId, await emailHash(env, company, email, random), nowMs);
}
