/**
 * `npm run restore -- [--url https://...] [--company 12] [--since 2026-11-23T10:00:00Z] [--object-to TIME]`: brings
 * D1 and the objects of all companies, or of one, together after one of them was restored to an earlier time.
 * Pauses the service first or, with `--company`, that company, and freezes each company, which stops withdraws,
 * refunds, returns and credits; proposes to end the freeze where object and D1 agree at the end: another operator
 * approves it. `--since` writes only archived changes from that time on again. `--parallel` says how many companies
 * at once. `--object-to` only proposes to restore the object of the one company to that time. docs/restore.md says
 * when to use it. Exits with 1 while a company stays frozen. Safe to repeat.
 */
import { parseArgs } from "node:util";
import { operatorApi, SERVICE_OPTIONS } from "../lib/operator-client.ts";
import { Progress } from "../lib/progress.ts";
import { allCompanies, operatorJson, verifyCompany } from "../lib/verify-company.ts";

interface Step {
  archive: boolean;
  after: string | null;
  changes: number;
  renumbered: number;
  refused: string[];
}

interface Health {
  frozen: boolean;
  freeze: { reason: string | null } | null;
}

interface Company {
  id: number;
  name: string;
}

/** How the reason of a restore's freeze begins, also of one that was cut off. */
const OWN_FREEZE = "restore:";

const { values: options } = parseArgs({
  options: {
    ...SERVICE_OPTIONS,
    company: { type: "string" },
    since: { type: "string", default: "1970-01-01T00:00:00Z" },
    parallel: { type: "string", default: "8" },
    "object-to": { type: "string" },
  },
});

const api = operatorApi(options);
let hasArchive = true;
try {
  if (options["object-to"] === undefined) await restoreChosen(timeOf(options.since));
  else await proposeObject(options["object-to"]);
} catch (error) {
  fail((error as Error).message);
}

async function proposeObject(objectTo: string): Promise<void> {
  if (options.company === undefined) fail("--object-to needs --company.");
  const path = `/companies/${options.company}/restore/object`;
  const body = { to: timeOf(objectTo), reason: `restore: to ${objectTo}` };
  const { data } = await operatorJson<{ data: { id: string } }>(api, "POST", path, body);
  console.log(
    `Another operator approves proposal ${data.id}, whose outcome is the bookmark that undoes it. ` +
      "Then run this again without --object-to.",
  );
}

async function restoreChosen(since: number): Promise<void> {
  const atOnce = parallel();
  const companies = await chosenCompanies();
  if (options.company === undefined) await pauseService();
  const waiting = companies.values();
  const progress = new Progress(companies.length, "companies");
  let open = 0;
  const worker = async () => {
    for (const { id, name } of waiting) {
      const company = `${id} ${name}`.trim();
      try {
        const violations = await restore(id, since, progress);
        console.log(`${company}: ${violations.length === 0 ? "agrees" : "FROZEN"}`);
        for (const violation of violations) console.log(`    ${violation}`);
        if (violations.length > 0) open += 1;
      } catch (error) {
        // A failure of one company must not stop the others.
        console.log(`${company}: NOT RESTORED\n    ${(error as Error).message}`);
        open += 1;
      }
      progress.done();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  progress.end();
  if (options.company === undefined) {
    console.log('The service is paused. It goes on with: npm run service -- resume --reason "..."');
  }
  if (!hasArchive) console.log("The service keeps no archive: nothing was written again.");
  if (open > 0) fail(`Open: ${open} of ${companies.length}. docs/restore.md says what to do.`, 1);
  console.log("OK: D1 and every object agree.");
}

async function chosenCompanies(): Promise<Company[]> {
  if (options.company !== undefined) return [{ id: Number(options.company), name: "" }];
  const all: Company[] = [];
  for await (const company of allCompanies(api)) all.push(company);
  return all;
}

/** A create under a key that D1 has forgotten would charge its payer again. */
async function pauseService(): Promise<void> {
  const reason = "restore: D1 and the objects are being brought together";
  await operatorJson(api, "POST", "/service/pause", { reason });
  console.log("The service is paused.");
}

/** Brings one company together; returns what is left. */
async function restore(companyId: number, since: number, progress: Progress): Promise<string[]> {
  const refused: string[] = [];
  let [after, changes, renumbered]: [string | null, number, number] = ["", 0, 0];
  while (after !== null) {
    const path = `/companies/${companyId}/restore`;
    const step: Step = await operatorJson(api, "POST", path, { after, since });
    hasArchive = step.archive;
    refused.push(...step.refused);
    changes += step.changes;
    renumbered += step.renumbered;
    progress.add(step.changes);
    ({ after } = step);
  }
  console.log(`${companyId}: ${changes} changes written again, ${renumbered} events renumbered`);
  await verifyCompany(api, companyId, { repair: true, archived: false });
  const { violations } = await verifyCompany(api, companyId, { repair: false, archived: false });
  if (refused.length + violations.length > 0) return [...refused, ...violations];
  const health: Health = await operatorJson(api, "GET", `/companies/${companyId}/health`);
  if (!health.frozen) return [];
  if (health.freeze?.reason?.startsWith(OWN_FREEZE) !== true) {
    return ["agrees, but was frozen before for another reason: end that freeze by hand"];
  }
  const reason = "restore: object and D1 agree";
  const { data } = await operatorJson<{ data: { id: string } }>(
    api,
    "DELETE",
    `/companies/${companyId}/freeze`,
    { reason },
  );
  console.log(`    agrees; frozen until another operator approves proposal ${data.id}`);
  return [];
}

function timeOf(text: string): number {
  const time = Date.parse(text);
  return Number.isNaN(time) ? fail(`${text} is not a time such as 2026-11-23T10:00:00Z.`) : time;
}

function parallel(): number {
  if (!/^[1-9]\d?$/.test(options.parallel)) fail("--parallel must be from 1 to 99.");
  return Number(options.parallel);
}

function fail(message: string, code = 2): never {
  console.error(message);
  process.exit(code);
}
