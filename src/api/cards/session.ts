import { z } from "zod";
import { callCompany } from "../../company-client/stub.ts";
import { configOf, type Env } from "../../config.ts";
import { findOpenCompany } from "../../db/companies/companies.ts";
import type { RandomSource } from "../../domain/shared/clock.ts";
import { newSecureRandom } from "../../domain/shared/ids.ts";
import { Problem } from "../../domain/shared/problem.ts";
import { SMALL_WRITE_BYTES } from "../../domain/storage/quotas.ts";
import type { CheckoutSession } from "../../http/context.ts";
import { quotaExceeded } from "../../http/quota.ts";
import { seal, unseal } from "../../lib/secret-box.ts";

/** The header under which a payer's page sends its session. */
export const SESSION_HEADER = "X-Checkout-Session";

/** Longer than a payer takes to find the card; the page takes a new one by itself after it. */
const SESSION_MS = 60 * 60_000;
/** What a session is sealed for, so that no other sealed text can be one. */
const SESSION_CONTEXT = "card-session";

const Session = z.object({
  id: z.string(),
  companyId: z.number(),
  checkoutId: z.string(),
  expiresAt: z.number(),
});
type Session = z.output<typeof Session>;

/** A card's token as a payer's page holds it, with what the page shows of the card. */
const PageToken = z.object({ token: z.string(), brand: z.string(), lastDigits: z.string() });
type PageToken = z.output<typeof PageToken>;

/**
 * A checkout session: it lets a payer's page make one card token, for one checkout of one company. It is made with the
 * page and stored nowhere, for a visit makes nothing; its use is what the company's object notes.
 */
export function newCardSession(
  env: Env,
  { companyId, checkoutId }: { companyId: number; checkoutId: string },
  { nowMs, random }: { nowMs: number; random: RandomSource },
): Promise<string> {
  const expiresAt = nowMs + SESSION_MS;
  const session: Session = { id: newSecureRandom(random), companyId, checkoutId, expiresAt };
  return seal(configOf(env).secretsKeys, JSON.stringify(session), SESSION_CONTEXT);
}

/** The session of a text that the service sealed. Throws 401 for any other, an expired one and a closed company. */
export async function openCardSession(
  env: Env,
  text: string,
  nowMs: number,
): Promise<CheckoutSession> {
  const session = await unsealed(env, text, SESSION_CONTEXT, Session);
  if (session === null || session.expiresAt <= nowMs) throw refusedSession();
  const company = await findOpenCompany(env, session.companyId);
  if (company === null) throw refusedSession();
  return { ...session, company };
}

/** Notes that the session was used. Throws 401 if it was used before, 429 for the company's quota. */
export async function useCardSession(
  env: Env,
  { id, companyId, expiresAt, company }: CheckoutSession,
  nowMs: number,
): Promise<void> {
  const { quotaPercent } = company;
  const command = { companyId, quotaPercent, bytes: SMALL_WRITE_BYTES, id, expiresAt };
  const answer = await callCompany(env, companyId, (account) => account.useCardSession(command));
  if (answer.kind === "quota_exceeded") throw quotaExceeded(companyId, answer, nowMs);
  if (answer.kind === "used_before") throw refusedSession();
}

/** A token that can be charged in this checkout only: a payer who learns another one can do nothing with it. */
export function toPageToken(
  env: Env,
  { companyId, checkoutId }: Pick<Session, "companyId" | "checkoutId">,
  token: PageToken,
): Promise<string> {
  const { secretsKeys } = configOf(env);
  return seal(secretsKeys, JSON.stringify(token), tokenContext(companyId, checkoutId));
}

/** The token of a page of this checkout; null for any other text. */
export function openPageToken(
  env: Env,
  { companyId, checkoutId }: Pick<Session, "companyId" | "checkoutId">,
  text: string,
): Promise<PageToken | null> {
  return unsealed(env, text, tokenContext(companyId, checkoutId), PageToken);
}

function tokenContext(companyId: number, checkoutId: string): string {
  return `card-token:${companyId}:${checkoutId}`;
}

async function unsealed<Content>(
  env: Env,
  text: string,
  context: string,
  schema: z.ZodType<Content>,
): Promise<Content | null> {
  try {
    const content = await unseal(configOf(env).secretsKeys, text, context);
    return schema.parse(JSON.parse(content));
  } catch {
    return null;
  }
}

function refusedSession(): Problem {
  return new Problem({
    code: "INVALID_CREDENTIALS",
    detail:
      "This checkout session is unknown, expired or was used. Load the payment page again and type the card anew.",
  });
}
