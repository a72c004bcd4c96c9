import { SCOPES_OF_PERSON_ROLE } from "../access/person.ts";
import type { PersonRole } from "../access/person-role.ts";

/** The fewest digits of a PIN. */
export const PIN_MIN = 4;
/** The most. */
export const PIN_MAX = 6;
/** Wrong PINs in a row after which a person's PIN is locked until he chooses another. */
export const PIN_TRIES_MAX = 5;
/** Wrong PINs in a row, of whomever, after which a shared counter ends. */
export const DEVICE_TRIES_MAX = 10;
/** How long a PIN opens a shared counter: a working day, as a session. */
export const PIN_HOLDS_MS = 12 * 3_600_000;

const PIN = new RegExp(String.raw`^\d{${PIN_MIN},${PIN_MAX}}$`);
/** Every run of following digits lies in one of them. */
const RUNS = ["0123456789", "9876543210"];

/** Whether a text may be a PIN: 4 to 6 digits, neither all the same nor a run such as 1234, which others try first. */
export function isPin(text: string): boolean {
  const isRun = RUNS.some((run) => run.includes(text));
  return PIN.test(text) && !isRun && new Set(text).size > 1;
}

/** Whether a role may charge at the counter. */
export function mayUseCounter(role: PersonRole): boolean {
  return SCOPES_OF_PERSON_ROLE[role].includes("cashier:write");
}
