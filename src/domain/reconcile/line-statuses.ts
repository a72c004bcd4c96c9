import {
  CREATE_STATUSES,
  LIST_STATUSES,
  type CreateStatus,
  type ListStatus,
} from "../charges/charge-status.ts";

/** The words for a status in the creation answer and in the lists. */
export const LINE_STATUSES = [
  ...CREATE_STATUSES,
  ...LIST_STATUSES.filter((word) => !(CREATE_STATUSES as readonly string[]).includes(word)),
] as [CreateStatus | ListStatus, ...(CreateStatus | ListStatus)[]];
