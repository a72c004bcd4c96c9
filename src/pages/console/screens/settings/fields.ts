import type { changeCompanySettings, getCompanySettings } from "../../../../api/settings/routes.ts";
import { parseReais, typedReais } from "../../../../domain/shared/money.ts";
import type { JsonOf, RouteBody } from "../../../../http/openapi/route-types.ts";
import type { Language } from "../../texts.ts";
import type { Form } from "../answers.tsx";

/** The limits of the withdraw policy, in the API's words. An empty one is no limit. */
export const LIMITS = [
  "withdrawDailyLimit",
  "withdrawNightLimit",
  "withdrawKeyDailyLimit",
  "withdrawApprovalAbove",
] as const;
type Limit = (typeof LIMITS)[number];

/** Limits in centavos. */
export type Settings = RouteBody<typeof getCompanySettings>;

/** The settings that decide about withdraws. */
type Policy = Pick<Settings, Limit | "duplicateWithdrawGuard" | "allowedPixKeys">;

/** A setting that was loosened and does not hold yet. */
export type Waiting = Settings["pending"][number];

/** What was posted without what is stored anyway: a value that holds would forget what waits for its field. */
export function changesOf(
  { allowedPixKeys: keys, ...fields }: Policy,
  stored: Settings,
): JsonOf<typeof changeCompanySettings> {
  const changed = Object.entries(fields).filter(
    ([name, value]) => value !== stored[name as keyof typeof fields],
  );
  const { enforced, coolDownHours } = stored.allowedPixKeys;
  const ofKeys = {
    ...(keys.enforced === enforced ? {} : { enforced: keys.enforced }),
    ...(keys.coolDownHours === coolDownHours ? {} : { coolDownHours: keys.coolDownHours }),
  };
  return {
    ...(Object.fromEntries(changed) as Partial<typeof fields>),
    ...(Object.keys(ofKeys).length === 0 ? {} : { allowedPixKeys: ofKeys }),
  };
}

/** What was typed cannot be read; the names of such fields. */
export interface Unreadable {
  unreadable: string[];
}

/** The policy as its form shows it. */
export function policyForm(settings: Settings, language: Language): Form {
  const { duplicateWithdrawGuard, allowedPixKeys } = settings;
  return {
    ...Object.fromEntries(LIMITS.map((name) => [name, typedReais(settings[name], language)])),
    ...(duplicateWithdrawGuard ? { duplicateWithdrawGuard: "on" } : {}),
    ...(allowedPixKeys.enforced ? { enforced: "on" } : {}),
    coolDownHours: String(allowedPixKeys.coolDownHours),
  };
}

/** The posted policy as the API's change of settings. */
export function policyOf(form: Form): Policy | Unreadable {
  const limits = LIMITS.map((name) => [name, amountOf(form[name])] as const);
  const hours = wholeOf(form.coolDownHours);
  const unreadable: string[] = limits
    .filter(([, cents]) => cents === undefined)
    .map(([name]) => name);
  if (typeof hours !== "number") unreadable.push("coolDownHours");
  if (typeof hours !== "number" || unreadable.length > 0) return { unreadable };
  return {
    ...(Object.fromEntries(limits) as Record<Limit, number | null>),
    duplicateWithdrawGuard: form.duplicateWithdrawGuard === "on",
    allowedPixKeys: { enforced: form.enforced === "on", coolDownHours: hours },
  };
}

/** Typed reais in centavos, null for an empty field, undefined for another text. */
export function amountOf(typed = ""): number | null | undefined {
  return typed.trim() === "" ? null : (parseReais(typed) ?? undefined);
}

/** A typed whole number, null for an empty field, undefined for another text. */
export function wholeOf(typed = ""): number | null | undefined {
  if (typed.trim() === "") return null;
  return /^\d{1,9}$/.test(typed.trim()) ? Number(typed) : undefined;
}
