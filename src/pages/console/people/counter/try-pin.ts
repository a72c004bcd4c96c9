import { appendAuditEntry } from "../../../../db/audit-entries.ts";
import { noteWrongPin, seatCashier } from "../../../../db/people/cashier-devices.ts";
import type { CashierDevice } from "../../../../db/people/cashier-devices.ts";
import { countPinTry, listPinHolders } from "../../../../db/people/cashier-pins.ts";
import { enforceRateLimit } from "../../../../http/rate-limits/enforce.ts";
import { clientAddress } from "../../../../http/client-address.ts";
import type { ConsoleContext } from "../../context.ts";
import { personEntry, type OwnAction } from "../own-actions.ts";
import { verifyPassword } from "../passwords.ts";

/** What became of a PIN that was typed at a shared counter. */
export type PinResult =
  | { kind: "accepted" }
  /** Nobody of this id has a PIN here. */
  | { kind: "unknown" }
  | { kind: "wrong"; triesLeft: number }
  /** After too many wrong ones in a row: until its person chooses another. */
  | { kind: "locked" }
  /** After too many wrong ones in a row, of whomever: the counter ended. */
  | { kind: "ended" };

/** Nobody knows who typed. */
const PIN_PAD = { kind: "task", id: "cashier-pin", name: "cashier-pin", keyPrefix: null } as const;

/**
 * Lets a person use a shared counter by his PIN. Each try is counted before the costly hash and is in the company's
 * trail. Throws 429 beyond the limit of one browser.
 */
export async function tryPin(
  c: ConsoleContext,
  device: CashierDevice,
  { userId, pin }: { userId: string; pin: string },
): Promise<PinResult> {
  const { env } = c.env.outer;
  const now = c.env.outer.get("deps").platformClock.now();
  await enforceRateLimit(c.env.outer, "knownDevice", device.id);
  const { companyId } = device;
  const holders = await listPinHolders(env, companyId);
  const holder = holders.find((each) => each.userId === userId);
  if (holder === undefined) return { kind: "unknown" };
  const tried = await countPinTry(env, { companyId, userId });
  if (tried === null) return { kind: "locked" };
  const { pinHash, triesLeft } = tried;
  const isRight = await verifyPassword({ hash: pinHash, password: pin });
  if (!isRight) {
    await recordRefusal(c, device, {
      action: triesLeft === 0 ? "cashier.begin.locked" : "cashier.begin.refused",
      target: `person:${userId}`,
      after: { device: device.name, triesLeft },
      reason: "PIN_REFUSED",
    });
    const hasEnded = await noteWrongPin(env, device.id, now);
    if (hasEnded) {
      const target = `cashier_device:${device.id}`;
      const ended = { action: "cashier_device.revoke", target, reason: "PINS_REFUSED" };
      await recordRefusal(c, device, { ...ended, after: { name: device.name } });
      return { kind: "ended" };
    }
    return triesLeft === 0 ? { kind: "locked" } : { kind: "wrong", triesLeft };
  }
  const begun = { action: "cashier.begin", target: `cashier_device:${device.id}` };
  await recordAtCounter(c, device, { ...holder, ...begun });
  await seatCashier(env, device, userId, now);
  return { kind: "accepted" };
}

/** Records in the company's trail what a person did at a shared counter. */
export async function recordAtCounter(
  c: ConsoleContext,
  { companyId, name }: CashierDevice,
  { userId, name: person, ...action }: OwnAction & { userId: string; name: string },
): Promise<void> {
  const entry = personEntry(c, { userId, name: person }, { ...action, after: { name } });
  await appendAuditEntry(
    c.env.outer.env,
    companyId,
    entry,
    c.env.outer.get("deps").platformClock.now(),
  );
}

/** Records in the company's trail what became of a PIN that nobody knows who typed. */
async function recordRefusal(
  c: ConsoleContext,
  { companyId }: CashierDevice,
  refused: Required<OwnAction>,
): Promise<void> {
  const { outer } = c.env;
  const entry = {
    actor: PIN_PAD,
    before: null,
    address: clientAddress(outer),
    traceId: outer.get("traceId"),
    ...refused,
  };
  await appendAuditEntry(outer.env, companyId, entry, outer.get("deps").platformClock.now());
}
