/**
 * `npm run psp-check -- --config psp.json [--json] [--pay]`: tries at a PSP's test address what docs/providers.md
 * demands, by the gateway's own adapter. Makes charges and cancels them; returns a part of a payment, registers a
 * webhook, or pays out (`--pay`) only where the file names it. Prints each deviation in one line, without
 * secrets. Exits with 1 after a deviation, with 2 for a wrong file, whose fields it names.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { fail } from "../lib/operator-client.ts";
import { checkPsp, type PspCheckReport } from "../lib/psp-check/check.ts";
import { readConfig, type PspCheckConfig } from "../lib/psp-check/config.ts";
import { nodeFetch } from "../lib/psp-check/transport.ts";

const { values: options } = parseArgs({
  options: {
    config: { type: "string" },
    json: { type: "boolean", default: false },
    pay: { type: "boolean", default: false },
  },
});

const config = configOf(options.config ?? fail("Give a file: --config psp.json"));
const payout = options.pay ? (config.payout ?? fail("payout: is required with --pay")) : null;
// The adapter's log would be between the lines of this report.
console.warn = () => undefined;
const report = await checkPsp({ ...config, payout }, nodeFetch(config.certificate));
if (options.json) console.log(JSON.stringify(report, null, 2));
else print(report);
if (report.deviations.length > 0) process.exit(1);

function configOf(file: string): PspCheckConfig {
  const read = readConfig(resolve(process.env["INIT_CWD"] ?? process.cwd(), file));
  if (read.valid) return read.config;
  return fail(read.faults.map(({ field, fault }) => `${field}: ${fault}`).join("\n"));
}

function print({ deviations, held, notTried, calls }: PspCheckReport): void {
  for (const { point, demanded, found, request, answer, known } of deviations) {
    const said = known === null ? "" : ` Known of this PSP: ${known}.`;
    console.log(
      `${point}: ${demanded} Found: ${found}. Request: ${request} Answer: ${answer}${said}`,
    );
  }
  for (const { point, why } of notTried) console.log(`${point}: not tried, ${why}.`);
  console.log(`${held.length} points hold, ${deviations.length} deviate; ${calls} calls.`);
}
