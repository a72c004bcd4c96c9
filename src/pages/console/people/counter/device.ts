import { deleteCookie, getCookie, setSignedCookie } from "hono/cookie";
import { configOf } from "../../../../config.ts";
import { addCashierDevice, findCashierDevice } from "../../../../db/people/cashier-devices.ts";
import type { CashierDevice } from "../../../../db/people/cashier-devices.ts";
import { newUuid } from "../../../../domain/shared/ids.ts";
import { authSecrets } from "../../../../http/auth/auth-secrets.ts";
import { sha256Hex } from "../../../../lib/hash.ts";
import type { ConsoleContext } from "../../context.ts";
import { recordInCompany } from "../own-actions.ts";
import { cookieName, hasSecureCookies, signedCookie } from "../session.ts";

const COOKIE = "counter";
const DEVICE_SECONDS = 365 * 24 * 60 * 60;

/** The shared counter that this browser is; null for any other browser, and for a counter that was ended. */
export async function findDevice(c: ConsoleContext): Promise<CashierDevice | null> {
  if (getCookie(c, cookieName(c, COOKIE)) === undefined) return null;
  const token = await signedCookie(c, COOKIE);
  if (token === null) return null;
  const now = c.env.outer.get("deps").platformClock.now();
  return findCashierDevice(c.env.outer.env, await sha256Hex(token), now);
}

/** Makes this browser a shared counter of the signed-in person's company, after the trail has it. */
export async function makeDevice(c: ConsoleContext, name: string): Promise<void> {
  const { env } = c.env.outer;
  const { platformClock, random } = c.env.outer.get("deps");
  const { companyId, userId } = c.get("person");
  const [id, token, createdAt] = [newUuid(random), crypto.randomUUID(), platformClock.now()];
  const made = { action: "cashier_device.create", target: `cashier_device:${id}`, after: { name } };
  await recordInCompany(c, made);
  await addCashierDevice(env, {
    id,
    companyId,
    name,
    tokenHash: await sha256Hex(token),
    createdBy: userId,
    createdAt,
    expiresAt: createdAt + DEVICE_SECONDS * 1_000,
  });
  const [current] = await authSecrets(configOf(env).secretsKeys);
  await setSignedCookie(c, cookieName(c, COOKIE), token, current!.value, {
    path: "/console",
    httpOnly: true,
    sameSite: "Lax",
    secure: hasSecureCookies(c),
    maxAge: DEVICE_SECONDS,
  });
}

/** Makes this browser forget that it was a shared counter. */
export function forgetDevice(c: ConsoleContext): void {
  deleteCookie(c, cookieName(c, COOKIE), { path: "/console", secure: hasSecureCookies(c) });
}
