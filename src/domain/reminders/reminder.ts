import { addDays } from "../shared/calendar-day.ts";
import { saoPauloDay, saoPauloHour, startOfDay } from "../shared/business-day.ts";

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
/** A reminder goes out from this hour on, as people read them; `quietHours` move it on. */
const FIRST_HOUR = 9;

/** Reminders of each list of `Reminders`. */
export const REMINDERS_MAX = 5;
/** Days that one may lie before or after the due day. */
export const REMINDER_DAYS_MAX = 30;

/** When a company reminds its payers by e-mail. */
export interface Reminders {
  /** Whether it reminds them at all. */
  email: boolean;
  /** Days before the due day; 0 is the day itself. */
  daysBefore: number[];
  /** Days after it. */
  daysAfter: number[];
  /** Hours (0 to 23, America/Sao_Paulo) without reminders, `from` included and `to` not; the same hour for none. */
  quietHours: { from: number; to: number };
}

/** The reminders of a company that has set none. */
export const NO_REMINDERS: Reminders = {
  email: false,
  daysBefore: [],
  daysAfter: [],
  quietHours: { from: 20, to: 8 },
};

/** A charge as its reminders are planned and found. */
interface Reminded {
  id: string;
  pix: { due?: { dueDate: string } } | null;
  boleto: { dueDate: string } | null;
  expiresAt: number | null;
}

/** The day (`YYYY-MM-DD`) until which a charge is paid in time; null of one without an end. */
export function dueDayOf({ pix, boleto, expiresAt }: Omit<Reminded, "id">): string | null {
  const agreed = pix?.due?.dueDate ?? boleto?.dueDate ?? null;
  if (agreed !== null || expiresAt === null) return agreed;
  return saoPauloDay(expiresAt);
}

/** The id of a charge's reminder of a day: there is one for each. */
function reminderId(transactionId: string, day: string): string {
  return `${reminderPrefix(transactionId)}${day}`;
}

/** What the ids of a charge's reminders begin with. */
export function reminderPrefix(transactionId: string): string {
  return `reminder:${transactionId}:`;
}

/** The day (`YYYY-MM-DD`) of a reminder's id. */
export function reminderDay(id: string): string {
  return id.slice(id.lastIndexOf(":") + 1);
}

/** The reminders of a new charge, each with its time (epoch milliseconds). None on the day that the charge is made. */
export function plannedReminders(
  { email, daysBefore, daysAfter, quietHours }: Reminders,
  charge: Reminded,
  nowMs: number,
): { id: string; at: number }[] {
  const due = dueDayOf(charge);
  if (due === null || !email) return [];
  const offsets = new Set([...daysBefore.map((days) => -days), ...daysAfter]);
  return [...offsets]
    .map((offset) => addDays(due, offset))
    .filter((day) => day > saoPauloDay(nowMs))
    .map((day) => ({ id: reminderId(charge.id, day), at: firstTimeOf(day, quietHours) }));
}

/** Whether a company still asks for a charge's reminder of a day (`YYYY-MM-DD`). */
export function isAskedFor({ email, daysBefore, daysAfter }: Reminders, due: string, day: string) {
  const offsets = [...daysBefore.map((days) => -days), ...daysAfter];
  return email && offsets.some((offset) => addDays(due, offset) === day);
}

/** The end of the quiet hours of a time, epoch milliseconds; null outside of them. */
export function endOfQuiet(quietHours: Reminders["quietHours"], nowMs: number): number | null {
  const hour = saoPauloHour(nowMs);
  if (!isQuiet(quietHours, hour)) return null;
  const hours = (quietHours.to - hour + DAY_HOURS) % DAY_HOURS;
  return startOfDay(saoPauloDay(nowMs)) + (hour + hours) * HOUR_MS;
}

/** The first time of a day outside of the quiet hours, the morning before the night. */
function firstTimeOf(day: string, quietHours: Reminders["quietHours"]): number {
  const hours = Array.from({ length: DAY_HOURS }, (_, hour) => (hour + FIRST_HOUR) % DAY_HOURS);
  const hour = hours.find((each) => !isQuiet(quietHours, each)) ?? FIRST_HOUR;
  return startOfDay(day) + hour * HOUR_MS;
}

function isQuiet({ from, to }: Reminders["quietHours"], hour: number): boolean {
  return from <= to ? hour >= from && hour < to : hour >= from || hour < to;
}
