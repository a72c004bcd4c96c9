import type { Fault } from "./fault.ts";
import { deadLetter, pspSilent, receiverDown } from "./outside.ts";
import { cronStopped, queueDown, secretUnreadable } from "./service.ts";
import {
  d1Back,
  movementChanged,
  objectBack,
  rowChangedAfterCheck,
  rowChangedBeforeCheck,
} from "./stored.ts";

/** The runbook's faults, each made anew for each drill. */
export const FAULTS: readonly (() => Fault)[] = [
  pspSilent,
  receiverDown,
  rowChangedBeforeCheck,
  rowChangedAfterCheck,
  movementChanged,
  deadLetter,
  cronStopped,
  secretUnreadable,
  d1Back,
  objectBack,
  queueDown,
];
