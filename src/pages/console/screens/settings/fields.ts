import { centsOf } from "../../format.ts";
import type { Brand } from "../../../../domain/shared/company.ts";
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

/** The settings as the API shows them; limits in centavos. */
export type Settings = Record<Limit, number | null> & {
  duplicateWithdrawGuard: boolean;
  allowedPixKeys: { enforced: boolean; coolDownHours: number };
  retentionDays: number | null;
  brand: Brand;
  embedOrigins: string[];
  pending: Waiting[];
};

/** A setting that was loosened and does not hold yet. */
export interface Waiting {
  field: string;
  from: unknown;
  to: unknown;
  effectiveAt: string;
}

/** What was posted without what is stored anyway: a value that holds would forget what waits for its field. */
export function changesOf(posted: Partial<Settings>, stored: Settings): Partial<Settings> {
  const { allowedPixKeys: keys, ...fields } = posted;
  const changed = Object.entries(fields).filter(
    ([name, value]) => value !== stored[name as keyof Settings],
  );
  const { enforced, coolDownHours } = stored.allowedPixKeys;
  const ofKeys = {
    ...(keys === undefined || keys.enforced === enforced ? {} : { enforced: keys.enforced }),
    ...(keys === undefined || keys.coolDownHours === coolDownHours
      ? {}
      : { coolDownHours: keys.coolDownHours }),
  };
  return {
    ...Object.fromEntries(changed),
    ...(Object.keys(ofKeys).length === 0
      ? {}
      : { allowedPixKeys: ofKeys as Settings["allowedPixKeys"] }),
  };
}

/** What was typed cannot be read; the names of such fields. */
export interface Unreadable {
  unreadable: string[];
}

/** Centavos as a person types reais; empty for none. */
export function typedMoney(cents: number | null, language: Language): string {
  if (cents === null) return "";
  return new Intl.NumberFormat(language, {
    minimumFractionDigits: 2,
    useGrouping: false,
  }).format(cents / 100);
}

/** The policy as its form shows it. */
export function policyForm(settings: Settings, language: Language): Form {
  const { duplicateWithdrawGuard, allowedPixKeys } = settings;
  return {
    ...Object.fromEntries(LIMITS.map((name) => [name, typedMoney(settings[name], language)])),
    ...(duplicateWithdrawGuard ? { duplicateWithdrawGuard: "on" } : {}),
    ...(allowedPixKeys.enforced ? { enforced: "on" } : {}),
    coolDownHours: String(allowedPixKeys.coolDownHours),
  };
}

/** The posted policy as the API's change of settings. */
export function policyOf(form: Form): Partial<Settings> | Unreadable {
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
  return typed.trim() === "" ? null : (centsOf(typed) ?? undefined);
}

/** A typed whole number, null for an empty field, undefined for another text. */
export function wholeOf(typed = ""): number | null | undefined {
  if (typed.trim() === "") return null;
  return /^\d{1,9}$/.test(typed.trim()) ? Number(typed) : undefined;
}
