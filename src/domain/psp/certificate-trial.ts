/**
 * What a token request with a certificate said. `works`: a token came. `refused`: the PSP refused the certificate or the
 * credentials. `no_answer`: no readable answer, asked twice. `no_binding`: the Worker has no certificate of that name.
 */
export const TRIAL_RESULTS = ["works", "refused", "no_answer", "no_binding"] as const;
export type TrialResult = (typeof TRIAL_RESULTS)[number];

/**
 * `trying`: the next certificate is tried beside the present one. `swapping`, `falling_back`: decided, the settings are
 * about to be written. `swapped`: the next one is in use, and the previous one is tried beside it. `fell_back`: the
 * previous one is in use again, and the other is tried beside it. `done`: the swap has held.
 */
export const TRIAL_STATES = [
  "trying",
  "swapping",
  "swapped",
  "falling_back",
  "fell_back",
  "done",
] as const;
export type TrialState = (typeof TRIAL_STATES)[number];

const MINUTE_MS = 60_000;
/**
 * A certificate is swapped in after so many hourly trials in a row: one proves the handshake, the others that all
 * machines of the bank know it, which takes some of them hours.
 */
const TRIALS_NEEDED = 3;
/** One that has failed in use proves more: a day without a failed trial. */
const TRIALS_NEEDED_AGAIN = 24;
/** The next certificate is tried at this interval. */
const TRY_EVERY_MS = 60 * MINUTE_MS;
/** One that is in use: charges fail while it does. */
const WATCH_EVERY_MS = 5 * MINUTE_MS;
/** The previous certificate is kept at hand for so long. */
const WATCH_MS = 24 * 60 * MINUTE_MS;
/** A decided swap whose write failed or was interrupted is made again after this. */
const REPEAT_AFTER_MS = MINUTE_MS;
/** `nextRunAt` of a trial that is over. */
export const NEVER = Number.MAX_SAFE_INTEGER;

/** The part of a trial that decides what follows. */
export interface TrialProgress {
  state: TrialState;
  /** Trials in a row in which the next certificate worked. */
  successes: number;
  /** When it was swapped in, in epoch milliseconds; null before. */
  swappedAt: number | null;
}

/** What both certificates of a trial said in one run: the one that the trial is for, and the one beside it. */
export interface TrialOutcome {
  result: TrialResult;
  /** Before the swap the present certificate's, afterwards the previous one's. */
  beside: TrialResult;
}

/** What the run before said; null before the first. */
type OutcomeBefore = { [Side in keyof TrialOutcome]: TrialOutcome[Side] | null };

/** How many trials in a row swap the next certificate of a trial in. */
export function trialsNeeded(state: TrialState): number {
  return state === "fell_back" ? TRIALS_NEEDED_AGAIN : TRIALS_NEEDED;
}

/**
 * What a run leaves of a trial. Before the swap: the next certificate works often enough, or it works while the present
 * one does not, which leaves nothing to lose. After it: the new one is refused or missing, or is silent in two runs in a
 * row, and the previous one works. Where neither is answered, the PSP is away: that says nothing of a certificate.
 */
export function afterTrial(
  { state, successes, swappedAt, ...before }: TrialProgress & OutcomeBefore,
  { result, beside }: TrialOutcome,
  nowMs: number,
): Pick<TrialProgress, "state" | "successes"> {
  if (state === "swapped") {
    const isSilence = result === "no_answer" && !isSilentBeside(before);
    const isFailing = result !== "works" && !isSilence && beside === "works";
    if (isFailing) return { state: "falling_back", successes: 0 };
    const hasHeld = result === "works" && nowMs - (swappedAt ?? nowMs) >= WATCH_MS;
    return { state: hasHeld ? "done" : state, successes };
  }
  if (state !== "trying" && state !== "fell_back") return { state, successes };
  if (result === "works") {
    const isDue = successes + 1 >= trialsNeeded(state) || beside !== "works";
    return { state: isDue ? "swapping" : state, successes: successes + 1 };
  }
  const isAway = result === "no_answer" && beside === "no_answer";
  return { state, successes: isAway ? successes : 0 };
}

/** Whether a certificate was silent while the one beside it worked. */
function isSilentBeside({ result, beside }: OutcomeBefore): boolean {
  return result === "no_answer" && beside === "works";
}

/** When a trial in a state runs next. */
export function nextTrialAt(state: TrialState, nowMs: number): number {
  switch (state) {
    case "trying":
    case "fell_back":
      return nowMs + TRY_EVERY_MS;
    case "swapped":
      return nowMs + WATCH_EVERY_MS;
    case "swapping":
    case "falling_back":
      return nowMs + REPEAT_AFTER_MS;
    case "done":
      return NEVER;
  }
}
