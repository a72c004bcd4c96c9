import { listCashierDevices, revokeCashierDevice } from "../../../../db/people/cashier-devices.ts";
import { hasPin, removePin } from "../../../../db/people/cashier-pins.ts";
import type { ConsoleApp, ConsoleContext } from "../../context.ts";
import { formOf } from "../../form.ts";
import { makeDevice } from "../../people/counter/device.ts";
import { PIN_PATH } from "../../people/counter/require-cashier.ts";
import { recordInCompany } from "../../people/own-actions.ts";
import { requireMember } from "../../people/require-member.ts";
import { requirePermission } from "../../people/require-scope.ts";
import { requireFreshSecondFactor } from "../../people/require-second-factor.ts";
import { signOutHere } from "../sign-in/sign-out.ts";
import { DEVICE_NAME_MAX } from "./devices.tsx";

/** The company's shared counters and the PINs of its people, for whoever manages them. */
export function cashierDevicesScreen(app: ConsoleApp): void {
  const guards = [
    requireMember,
    requirePermission("people:write"),
    requireFreshSecondFactor,
  ] as const;
  app.post("/team/devices", ...guards, (c) => startCounter(c));
  app.post("/team/devices/:id/revoke", ...guards, (c) => revoke(c, c.req.param("id")));
  app.post("/team/people/:id/pin/remove", ...guards, (c) => forgetPin(c, c.req.param("id")));
}

/** Makes this browser a shared counter. The person's own session ends here: what stays behind opens only the counter. */
async function startCounter(c: ConsoleContext): Promise<Response> {
  const name = (await formOf(c))("device").trim();
  if (name === "" || name.length > DEVICE_NAME_MAX) {
    return c.redirect("/console/team?device=unnamed", 303);
  }
  await makeDevice(c, name);
  await signOutHere(c);
  return c.redirect(PIN_PATH, 303);
}

async function revoke(c: ConsoleContext, id: string): Promise<Response> {
  const { env } = c.env.outer;
  const { companyId } = c.get("person");
  const now = c.env.outer.get("deps").platformClock.now();
  const devices = await listCashierDevices(env, companyId, now);
  const device = devices.find((each) => each.id === id);
  if (device === undefined) return c.notFound();
  const ended = { action: "cashier_device.revoke", target: `cashier_device:${id}` };
  await recordInCompany(c, { ...ended, after: { name: device.name } });
  await revokeCashierDevice(env, { companyId, id }, now);
  return c.redirect("/console/team?done=deviceEnded", 303);
}

/** Takes a member's PIN: he chooses another in his own account, and nobody else ever knows it. */
async function forgetPin(c: ConsoleContext, userId: string): Promise<Response> {
  const { env } = c.env.outer;
  const of = { companyId: c.get("person").companyId, userId };
  if (!(await hasPin(env, of))) return c.notFound();
  await recordInCompany(c, { action: "cashier_pin.remove", target: `person:${userId}` });
  await removePin(env, of);
  return c.redirect("/console/team?done=pinRemoved", 303);
}
