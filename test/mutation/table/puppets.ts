import type { Mutant } from "../mutant.ts";

const GIVING = "src/domain/operators/giving.ts";
const OPERATORS = "src/db/operator/operators.ts";
const SERVICE = "src/api/operator/proposals/service.ts";
const PEOPLE = "src/api/operator/people";
const AUDIT_ENTRIES = "src/db/audit-entries.ts";
const PUPPETS_TESTS = ["test/security/operator-puppets.test.ts"];

/** Operators who are one hand. */
export const puppetMutants: Mutant[] = [
  {
    name: "puppet-of-a-puppet-unseen",
    file: GIVING,
    text: "for (const receiver of chain) {",
    replacement: "for (const receiver of [...chain]) {",
    tests: PUPPETS_TESTS,
  },
  {
    name: "puppet-approves-for-his-maker",
    file: GIVING,
    text: "const ofOne = withGivers(one, givings);",
    replacement: "const ofOne = new Set([one]);",
    tests: PUPPETS_TESTS,
  },
  {
    name: "puppet-proposes-for-his-maker",
    file: GIVING,
    text: "[...withGivers(other, givings)].some",
    replacement: "[other].some",
    tests: PUPPETS_TESTS,
  },
  {
    name: "puppet-by-a-shared-receiver",
    file: GIVING,
    text: "if (to === receiver) chain.add(by);",
    replacement: "if (to === receiver || by === receiver) chain.add(to).add(by);",
    tests: PUPPETS_TESTS,
  },
  {
    name: "puppet-for-an-hour-less",
    file: GIVING,
    text: "GIVING_TIE_MS = 24 * HOUR_MS",
    replacement: "GIVING_TIE_MS = 23 * HOUR_MS",
    tests: PUPPETS_TESTS,
  },
  {
    name: "puppet-for-an-hour-more",
    file: GIVING,
    text: "GIVING_TIE_MS = 24 * HOUR_MS",
    replacement: "GIVING_TIE_MS = 25 * HOUR_MS",
    tests: PUPPETS_TESTS,
  },
  {
    name: "puppet-waits-with-the-proposal",
    file: SERVICE,
    text: "found.proposedAt - GIVING_TIE_MS",
    replacement: 'c.get("deps").clock.now() - GIVING_TIE_MS',
    tests: PUPPETS_TESTS,
  },
  {
    name: "puppet-approves-at-once",
    file: SERVICE,
    text: "isTied(id, found.proposedBy, givings)",
    replacement: "false",
    tests: PUPPETS_TESTS,
  },
  {
    name: "puppet-made-after-the-proposal",
    file: SERVICE,
    text: "  if (isChanged) {",
    replacement: "  if (false) {",
    tests: PUPPETS_TESTS,
  },
  {
    name: "puppet-by-a-role-after-the-proposal",
    file: SERVICE,
    text: '["operator.change", "operator_key.issue", "sign_in_link.create"]',
    replacement: '["operator_key.issue", "sign_in_link.create"]',
    tests: PUPPETS_TESTS,
  },
  {
    name: "puppet-by-a-key-after-the-proposal",
    file: SERVICE,
    text: '["operator.change", "operator_key.issue", "sign_in_link.create"]',
    replacement: '["operator.change", "sign_in_link.create"]',
    tests: PUPPETS_TESTS,
  },
  {
    name: "puppet-by-a-link-after-the-proposal",
    file: SERVICE,
    text: '["operator.change", "operator_key.issue", "sign_in_link.create"]',
    replacement: '["operator.change", "operator_key.issue"]',
    tests: PUPPETS_TESTS,
  },
  {
    name: "puppet-of-himself",
    file: SERVICE,
    text: "    except: id,\n",
    replacement: '    except: "",\n',
    tests: PUPPETS_TESTS,
  },
  {
    name: "puppet-by-a-gift-before-the-proposal",
    file: AUDIT_ENTRIES,
    text: "        gte(auditEntries.at, sinceMs),\n",
    replacement: "",
    tests: PUPPETS_TESTS,
  },
  {
    name: "puppet-free-once-his-maker-is-removed",
    file: OPERATORS,
    text: ".where(gte(operators.givenAt, sinceMs));",
    replacement: ".where(and(gte(operators.givenAt, sinceMs), isNull(operators.removedAt)));",
    tests: PUPPETS_TESTS,
  },
  {
    name: "puppet-for-ever",
    file: OPERATORS,
    text: "      .filter(({ at }) => at >= sinceMs)\n",
    replacement: "",
    tests: PUPPETS_TESTS,
  },
  {
    name: "puppet-freed-by-another-gift",
    file: OPERATORS,
    text: "json_insert(coalesce(${given}, '[]'), '$[#]', json(${entry}))",
    replacement: "json_array(json(${entry}))",
    tests: PUPPETS_TESTS,
  },
  {
    name: "puppet-by-a-key-unrecorded",
    file: `${PEOPLE}/keys.ts`,
    text: '    await give(c, id, "key");\n',
    replacement: "",
    tests: PUPPETS_TESTS,
  },
  {
    name: "puppet-by-a-role-unrecorded",
    file: `${PEOPLE}/service.ts`,
    text: '    if (change.role !== undefined) await give(c, id, "role");\n',
    replacement: "",
    tests: PUPPETS_TESTS,
  },
  {
    name: "puppet-by-a-link-unrecorded",
    file: `${PEOPLE}/sign-in-link.ts`,
    text: '    await give(c, id, "link");\n',
    replacement: "",
    tests: PUPPETS_TESTS,
  },
];
