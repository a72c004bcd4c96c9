/**
 * A setting that was loosened and does not hold yet: whoever loosens a guard of money waits for the cool-down that held
 * before, so that others can refuse it.
 */
export interface PendingSetting {
  /** The setting's name in the API, such as `withdrawApprovalAbove` or `allowedPixKeys.coolDownHours`. */
  field: string;
  from: unknown;
  to: unknown;
  /** Unix milliseconds. */
  effectiveAt: number;
  /** The client id of who loosened it. */
  by: string;
}

/** One guard of money among the settings of type `Settings`. */
export interface Guard<Settings> {
  of: (settings: Settings) => unknown;
  with: (settings: Settings, value: unknown) => Settings;
  /** The tighter of two values, or what both allow. */
  meet: (one: unknown, other: unknown) => unknown;
}

/** Guards by the name of their setting in the API. */
export type Guards<Settings> = Readonly<Record<string, Guard<Settings>>>;

/** Settings that hold, and those that wait. */
export interface WithPending<Settings> {
  settings: Settings;
  pending: readonly PendingSetting[];
}

/** The settings as they are at a time: what is due by then holds, and waits no longer. */
export function settledAt<Settings>(
  guards: Guards<Settings>,
  { settings, pending }: WithPending<Settings>,
  nowMs: number,
): WithPending<Settings> {
  const due = pending.filter(({ effectiveAt }) => effectiveAt <= nowMs);
  if (due.length === 0) return { settings, pending };
  return {
    settings: due.reduce(
      (changed, { field, to }) => guards[field]?.with(changed, to) ?? changed,
      settings,
    ),
    pending: pending.filter(({ effectiveAt }) => effectiveAt > nowMs),
  };
}

/** Who changes settings, when, and how long a loosened one waits (milliseconds). */
export interface SettingsChange {
  by: string;
  nowMs: number;
  delayMs: number;
}

/**
 * What a change of settings makes of them: what is tighter holds at once, what is looser waits. `change`: the new
 * values by name. A field that is changed again forgets what waited for it; the same value again keeps its time, so
 * that a repeated request does not put it off. `loosened`: what waits because of this change.
 */
export function planChange<Settings>(
  guards: Guards<Settings>,
  stored: WithPending<Settings>,
  change: Readonly<Record<string, unknown>>,
  { by, nowMs, delayMs }: SettingsChange,
): WithPending<Settings> & { loosened: PendingSetting[] } {
  const before = settledAt(guards, stored, nowMs);
  let { settings } = before;
  const loosened: PendingSetting[] = [];
  for (const [field, to] of Object.entries(change)) {
    const guard = guards[field];
    if (guard === undefined) continue;
    const from = guard.meet(guard.of(settings), to);
    settings = guard.with(settings, from);
    if (isSame(from, to)) continue;
    const known = before.pending.find((each) => each.field === field);
    const isRepeated = known !== undefined && isSame(known.to, to);
    loosened.push(
      isRepeated ? { ...known, from } : { field, from, to, effectiveAt: nowMs + delayMs, by },
    );
  }
  const untouched = before.pending.filter(({ field }) => !Object.hasOwn(change, field));
  return { settings, pending: [...untouched, ...loosened], loosened };
}

/** Whether two values of a setting are equal: JSON, whatever the order of an object's members. */
function isSame(one: unknown, other: unknown): boolean {
  return textOf(one) === textOf(other);
}

function textOf(value: unknown): string {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return JSON.stringify(value, isObject ? Object.keys(value).toSorted() : null);
}

/** A limit: a number, or null for none. */
export function lowerOf(one: unknown, other: unknown): number | null {
  const limits = [one, other].filter((limit): limit is number => typeof limit === "number");
  return limits.length === 0 ? null : Math.min(...limits);
}
