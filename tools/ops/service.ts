/**
 * `npm run service [-- pause|resume --reason "..."] [--env production | --url https://...]`: shows whether the service
 * is paused, pauses it or has it go on. A paused service refuses creates, captures and every way out of the money with
 * 503, delivers nothing, pays nothing out, and keeps PSPs' callbacks (docs/operating.md). `resume --company 12` ends
 * the pause that a restore left behind. docs/deploy.md says how an operator signs in. Exits with 2 when it is refused.
 */
import { parseArgs } from "node:util";
import { fail, operatorApi, requestOrFail, SERVICE_OPTIONS } from "../lib/operator-client.ts";

interface Pause {
  since: string;
  reason: string;
  by: { name: string };
}

interface Service {
  pause: Pause | null;
  companies: { companyId: number; pause: Pause }[];
}

const VERBS = ["pause", "resume"];

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { ...SERVICE_OPTIONS, reason: { type: "string" }, company: { type: "string" } },
});
const [verb] = positionals;
if (verb !== undefined && !VERBS.includes(verb)) fail("Give pause, resume or nothing.");
if (options.company !== undefined && (verb !== "resume" || !/^[1-9]\d*$/.test(options.company)))
  fail("--company 12 goes with resume.");
const api = operatorApi(options);
show(await ask());

async function ask(): Promise<Service> {
  if (verb === undefined) return (await requestOrFail(api, "GET", "/service")).body.data;
  const reason = options.reason ?? fail(`Say why: --reason "..."`);
  const { body } = await requestOrFail(api, "POST", `/service/${verb}`, {
    reason,
    ...(options.company === undefined ? {} : { companyId: Number(options.company) }),
  });
  return body.data;
}

function show({ pause, companies }: Service): void {
  console.log(pause === null ? "The service runs." : `The service is paused ${saying(pause)}`);
  for (const { companyId, pause: own } of companies) {
    console.log(`Company ${companyId} is paused ${saying(own)}`);
  }
  if (verb === "pause") console.log("Requests under way end within half a minute.");
}

function saying({ since, by, reason }: Pause): string {
  return `since ${since} by ${by.name}: ${reason}`;
}
