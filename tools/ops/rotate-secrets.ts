/**
 * `npm run rotate-secrets -- [--env production | --url https://...]`: seals every stored secret under the first key of the
 * service's SECRETS_KEY, and says when its other keys are no longer needed (docs/security.md). Can be stopped
 * and repeated at any time. docs/deploy.md says how an operator signs in. Exits with 1 while a secret
 * is left under another key.
 */
import { parseArgs } from "node:util";
import { operatorApi, requestOrFail, SERVICE_OPTIONS } from "../lib/operator-client.ts";

interface Step {
  resealed: number;
  remaining: number;
  currentKey: string;
  otherKeys: string[];
  after: string | null;
}

/** A pass seals what was stored under another key meanwhile; more passes mean that something is wrong. */
const PASSES_MAX = 5;

const { values: options } = parseArgs({ options: SERVICE_OPTIONS });
const api = operatorApi(options);

let total = 0;
let last = await runPass();
for (let passes = 1; passes < PASSES_MAX && !isClean(last); passes++) last = await runPass();
console.log(`${total} values sealed anew under key ${last.currentKey}.`);
if (!isClean(last)) {
  console.error(
    `${last.remaining} values are left under another key: see reseal_failed in the log.`,
  );
  process.exit(1);
}
console.log(
  last.otherKeys.length === 0
    ? "SECRETS_KEY has no other key."
    : `No stored secret needs ${last.otherKeys.join(", ")}: remove it from SECRETS_KEY a day from now.`,
);

/** One pass over all companies. */
async function runPass(): Promise<Step> {
  let step = await requestStep("0");
  let [resealed, remaining] = [step.resealed, step.remaining];
  while (step.after !== null) {
    step = await requestStep(step.after);
    resealed += step.resealed;
    remaining += step.remaining;
  }
  total += resealed;
  return { ...step, resealed, remaining };
}

/** Whether a pass found nothing under another key. */
function isClean({ resealed, remaining }: Step): boolean {
  return resealed === 0 && remaining === 0;
}

async function requestStep(after: string): Promise<Step> {
  return (await requestOrFail(api, "POST", "/secrets/reseal", { after })).body as Step;
}
