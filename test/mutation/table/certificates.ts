import type { Mutant } from "../mutant.ts";

const TRIAL = "src/domain/psp/certificate-trial.ts";
const TASKS = "src/api/operator/certificates/tasks.ts";
const TRIALS = "src/db/watch/certificate-trials.ts";
const FIELDS = "src/api/operator/certificates/fields.ts";
const TRIALS_TESTS = ["test/worker/api/operator/certificates/trials.test.ts"];
const NAMING_TESTS = ["test/worker/api/operator/certificates/naming.test.ts"];

/** Whether a certificate is swapped in only when it works, and what a failing one leaves. */
export const certificateMutants: Mutant[] = [
  {
    name: "certificate-swapped-after-two-trials",
    file: TRIAL,
    text: "successes + 1 >= trialsNeeded(state)",
    replacement: "successes + 2 >= trialsNeeded(state)",
    tests: TRIALS_TESTS,
  },
  {
    name: "certificate-failing-present-waited-for",
    file: TRIAL,
    text: ' || beside !== "works";',
    replacement: ";",
    tests: TRIALS_TESTS,
  },
  {
    name: "certificate-failed-trial-keeps-the-row",
    file: TRIAL,
    text: "successes: isAway ? successes : 0",
    replacement: "successes",
    tests: TRIALS_TESTS,
  },
  {
    name: "certificate-falls-back-to-one-that-fails",
    file: TRIAL,
    text: '!isSilence && beside === "works"',
    replacement: "!isSilence",
    tests: TRIALS_TESTS,
  },
  {
    name: "certificate-falls-back-at-a-silence",
    file: TRIAL,
    text: 'result === "no_answer" && !isSilentBeside(before)',
    replacement: "false",
    tests: TRIALS_TESTS,
  },
  {
    name: "certificate-silence-of-the-psp-counted",
    file: TRIAL,
    text: 'return result === "no_answer" && beside === "works";',
    replacement: 'return result === "no_answer";',
    tests: TRIALS_TESTS,
  },
  {
    name: "certificate-that-failed-swapped-after-three-trials",
    file: TRIAL,
    text: 'state === "fell_back" ? TRIALS_NEEDED_AGAIN : TRIALS_NEEDED',
    replacement: "TRIALS_NEEDED",
    tests: TRIALS_TESTS,
  },
  {
    name: "certificate-swap-told-twice",
    file: TASKS,
    text: "    if (await hasEntrySince(env, trail, decidedAt, about)) continue;\n",
    replacement: "",
    tests: TRIALS_TESTS,
  },
  {
    name: "certificate-done-at-once",
    file: TRIAL,
    text: "nowMs - (swappedAt ?? nowMs) >= WATCH_MS",
    replacement: "nowMs >= (swappedAt ?? nowMs)",
    tests: TRIALS_TESTS,
  },
  {
    name: "certificate-two-runs-of-one-trial",
    file: TRIALS,
    text: "    eq(certificateTrials.nextRunAt, nextRunAt),\n",
    replacement: "",
    tests: TRIALS_TESTS,
  },
  {
    name: "certificate-swap-replaced-while-written",
    file: TRIALS,
    text: "        setWhere: isAtRest,\n",
    replacement: "",
    tests: NAMING_TESTS,
  },
  {
    name: "certificate-swap-untold",
    file: TASKS,
    text: "  await tell(env, { trial, company, account }, certificate, now);\n",
    replacement: "",
    tests: TRIALS_TESTS,
  },
  {
    name: "certificate-of-operator-overridden",
    file: TASKS,
    text: "if (!isExpected(subject)) return await removeTrial(env, trial);",
    replacement: "",
    tests: TRIALS_TESTS,
  },
  {
    name: "certificate-end-of-the-old-one-kept",
    file: TASKS,
    text: "isBack ? trial.previousEndsAt : trial.endsAt",
    replacement: "trial.previousEndsAt",
    tests: NAMING_TESTS,
  },
  {
    name: "certificate-private-key-taken",
    file: FIELDS,
    text: '["certificate", holdsPrivateKey(certificate ?? ""), breaks("privateKey")],',
    replacement: "",
    tests: NAMING_TESTS,
  },
  {
    name: "certificate-of-another-request-taken",
    file: FIELDS,
    text: "read.publicKey !== key",
    replacement: "read.publicKey === null",
    tests: NAMING_TESTS,
  },
];
