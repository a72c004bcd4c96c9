/**
 * `npm run restore -- [--url https://...] [--company 12] [--since 2026-11-23T10:00:00Z] [--object-to TIME]`: brings
 * D1 and the objects of all companies, or of one, together after one of them was restored to an earlier time.
 * Freezes each company first, which stops withdraws, refunds, returns and credits, and proposes to end that where
 * object and D1 agree at the end: another operator approves it. `--since` writes only archived changes from that time
 * on again. `--object-to` only proposes to restore the object of the one company to that time. docs/restore.md says when to use it. Exits with 1 while a company stays frozen. Safe to repeat.
 */
import { parseArgs } from "node:util";
import { operatorApi, SERVICE_OPTIONS } from "../lib/operator-client.ts";
import { allCompanies, operatorJson, reconcileCompany } from "../lib/reconcile-company.ts";

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

/** How the reason of a restore's freeze begins, also of one that was cut off. */
const OWN_FREEZE = "restore:";

const { values: options } = parseArgs({
  options: {
    ...SERVICE_OPTIONS,
    company: { type: "string" },
    since: { type: "string", default: "1970-01-01T00:00:00Z" },
    "object-to": { type: "string" },
  },
});

const api = operatorApi(options);
const since = timeOf(options.since);
const objectTo = options["object-to"];
if (objectTo !== undefined) {
  if (options.company === undefined) fail("--object-to needs --company.");
  const path = `/companies/${options.company}/restore/object`;
  const body = { to: timeOf(objectTo), reason: `restore: to ${objectTo}` };
  const { data } = await operatorJson<{ data: { id: string } }>(api, "POST", path, body);
  console.log(
    `Another operator approves proposal ${data.id}, whose outcome is the bookmark that undoes it. ` +
      "Then run this again without --object-to.",
  );
  process.exit(0);
}
let open = 0;
for await (const { id, name } of chosenCompanies()) {
  // A failure of one company must not stop the others.
  const violations = await restore(id).catch((error: Error) => [error.message]);
  console.log(`${id} ${name}: ${violations.length === 0 ? "agrees" : "FROZEN"}`);
  for (const violation of violations) console.log(`    ${violation}`);
  if (violations.length > 0) open += 1;
}
if (open > 0) fail(`${open} companies stay frozen. docs/restore.md says what to do.`, 1);
console.log("OK: D1 and every object agree.");

async function* chosenCompanies() {
  if (options.company === undefined) yield* allCompanies(api);
  else yield { id: Number(options.company), name: "" };
}

/** Brings one company together; returns what is left. */
async function restore(companyId: number): Promise<string[]> {
  const refused: string[] = [];
  let [after, changes, renumbered]: [string | null, number, number] = ["", 0, 0];
  while (after !== null) {
    const path = `/companies/${companyId}/restore`;
    const step: Step = await operatorJson(api, "POST", path, { after, since });
    if (!step.archive && after === "")
      console.log("The service keeps no archive: nothing is rewritten.");
    refused.push(...step.refused);
    changes += step.changes;
    renumbered += step.renumbered;
    ({ after } = step);
  }
  console.log(`${companyId}: ${changes} changes written again, ${renumbered} events renumbered`);
  await reconcileCompany(api, companyId, { repair: true, archived: false });
  const { violations } = await reconcileCompany(api, companyId, { repair: false, archived: false });
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

function fail(message: string, code = 2): never {
  console.error(message);
  process.exit(code);
}
