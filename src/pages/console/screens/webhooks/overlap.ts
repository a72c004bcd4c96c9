import { asTyped } from "../../form.ts";
import type { Form } from "../answers.tsx";

export const DEFAULT_OVERLAP_HOURS = "24";

/** The hours that earlier secrets go on, as typed: the API refuses what is no number. */
export function hoursOf({ overlapHours = "" }: Form) {
  return /^\d+$/.test(overlapHours) ? Number(overlapHours) : asTyped(overlapHours);
}
