import { unseatCashier, revokeCashierDevice } from "../../../../db/people/cashier-devices.ts";
import type { CashierDevice } from "../../../../db/people/cashier-devices.ts";
import { listPinHolders } from "../../../../db/people/cashier-pins.ts";
import { isPin } from "../../../../domain/cashier/pin.ts";
import { ROLES_THAT_MANAGE_PEOPLE } from "../../../../domain/access/person.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { formOf } from "../../form.ts";
import { forgetDevice } from "../../people/counter/device.ts";
import { COUNTER_PATH, PIN_PATH, requireDevice } from "../../people/counter/require-cashier.ts";
import { recordAtCounter, tryPin, type PinResult } from "../../people/counter/try-pin.ts";
import { fill, textsOf } from "../../texts.ts";
import { forbiddenPage } from "../../ui/error-pages.tsx";
import { page } from "../../ui/layout.tsx";
import { PinPad } from "./device.tsx";

/** A shared counter: who is at it, by a PIN, and its end. */
export function cashierDeviceScreen(app: ConsoleApp): void {
  app.get("/cashier/device", requireDevice, (c) => showPinPad(c));
  app.post("/cashier/device", requireDevice, (c) => begin(c));
  app.post("/cashier/device/leave", requireDevice, (c) => leave(c));
  app.post("/cashier/device/end", requireDevice, (c) => end(c));
}

interface Refused {
  userId: string;
  error: string;
  status: 400 | 401;
}

async function showPinPad(c: ConsoleContext, refused?: Refused): Promise<Response> {
  const { companyId } = deviceOf(c);
  return page(
    c,
    { title: textsOf(c).cashier.whoIsHere, status: refused?.status ?? 200 },
    <PinPad
      holders={await listPinHolders(c.env.outer.env, companyId)}
      chosen={refused?.userId ?? null}
      error={refused?.error ?? null}
    />,
  );
}

async function begin(c: ConsoleContext): Promise<Response> {
  const form = await formOf(c);
  const [userId, pin] = [form("person"), form("pin")];
  const texts = textsOf(c).cashier;
  // What cannot be a PIN is no try.
  if (!isPin(pin)) return showPinPad(c, { userId, error: texts.pinRule, status: 400 });
  const result = await tryPin(c, deviceOf(c), { userId, pin });
  if (result.kind === "accepted") return c.redirect(COUNTER_PATH, 303);
  if (result.kind === "ended") return leaveCounterMode(c);
  const status = result.kind === "unknown" ? 400 : 401;
  return showPinPad(c, { userId, error: errorOf(result, texts), status });
}

function errorOf(
  result: Exclude<PinResult, { kind: "accepted" | "ended" }>,
  texts: ReturnType<typeof textsOf>["cashier"],
): string {
  if (result.kind === "unknown") return texts.choosePerson;
  if (result.kind === "locked") return texts.pinLocked;
  return fill(texts.pinWrong, { left: String(result.triesLeft) });
}

/** The next one types a PIN. */
async function leave(c: ConsoleContext): Promise<Response> {
  const device = deviceOf(c);
  const { cashier } = device;
  if (cashier !== null) {
    const left = { action: "cashier.end", target: `cashier_device:${device.id}` };
    await recordAtCounter(c, device, { ...cashier, ...left });
    await unseatCashier(c.env.outer.env, device.id);
  }
  return c.redirect(PIN_PATH, 303);
}

/** Ends the shared counter where it stands, by somebody who manages the company's people. Nothing opens by it. */
async function end(c: ConsoleContext): Promise<Response> {
  const device = deviceOf(c);
  const { cashier, id, companyId } = device;
  if (cashier === null || !ROLES_THAT_MANAGE_PEOPLE.has(cashier.role)) return forbiddenPage(c);
  const ended = { action: "cashier_device.revoke", target: `cashier_device:${id}` };
  await recordAtCounter(c, device, { ...cashier, ...ended });
  const now = c.env.outer.get("deps").platformClock.now();
  await revokeCashierDevice(c.env.outer.env, { companyId, id }, now);
  return leaveCounterMode(c);
}

function leaveCounterMode(c: ConsoleContext): Response {
  forgetDevice(c);
  return c.redirect("/console/sign-in", 303);
}

/** The shared counter that asks, after `requireDevice`. */
function deviceOf(c: ConsoleContext): CashierDevice {
  return c.get("device")!;
}
