import type { Mutant } from "../mutant.ts";

const ACTION = "src/api/operator/proposals/actions/provider.ts";
const SERVICE = "src/api/operator/pix-api/service.ts";
const PROPOSALS = "src/db/operator/proposals.ts";
const ACCOUNTS = "src/db/companies/psp-accounts.ts";
const TWO_OPERATORS_TESTS = ["test/worker/api/operator/pix-api/two-operators.test.ts"];

/** Connections to a PSP that two operators decide. */
export const providerProposalMutants: Mutant[] = [
  {
    name: "provider-token-url-led-elsewhere-alone",
    file: SERVICE,
    text: "before.tokenUrl !== after.tokenUrl ||",
    replacement: "",
    tests: TWO_OPERATORS_TESTS,
  },
  {
    name: "provider-payouts-led-elsewhere-alone",
    file: SERVICE,
    text: "before.pixKey !== after.pixKey ||\n    before.payouts?.url !== after.payouts?.url",
    replacement: "before.pixKey !== after.pixKey",
    tests: TWO_OPERATORS_TESTS,
  },
  {
    name: "provider-led-elsewhere-after-a-disconnection",
    file: SERVICE,
    text: "const last = accounts.find((account) => isPixApi(account));",
    replacement: "const last = accounts.filter(isConnected).find((account) => isPixApi(account));",
    tests: TWO_OPERATORS_TESTS,
  },
  {
    name: "provider-led-to-the-oldest-account-alone",
    file: ACCOUNTS,
    text: "asc(priority), desc(leftAt), asc(account))",
    replacement: "asc(priority), asc(leftAt), asc(account))",
    tests: TWO_OPERATORS_TESTS,
  },
  {
    name: "provider-led-back-beside-an-approval",
    file: SERVICE,
    text: "if (!isApproved && (await takesTwoOperators(context, request))) {",
    replacement: "if (false) {",
    tests: TWO_OPERATORS_TESTS,
  },
  {
    name: "provider-approval-without-effect",
    file: ACTION,
    text: "isApproved: true",
    replacement: "isApproved: false",
    tests: TWO_OPERATORS_TESTS,
  },
  {
    name: "provider-of-the-same-account-proposed",
    file: ACTION,
    text: "if (await takesTwoOperators(context, connection)) return;",
    replacement: "return;",
    tests: TWO_OPERATORS_TESTS,
  },
  {
    name: "provider-proposed-by-finance",
    file: ACTION,
    text: 'permission: "companies:write"',
    replacement: 'permission: "money:decide"',
    tests: TWO_OPERATORS_TESTS,
  },
  {
    name: "provider-of-another-target",
    file: ACTION,
    text: "    requireOwnTarget(context, target);\n",
    replacement: "",
    tests: TWO_OPERATORS_TESTS,
  },
  {
    name: "provider-origin-unchecked",
    file: ACTION,
    text: "const isKept = callbackOrigin === lastOrigin;",
    replacement: "const isKept = true;",
    tests: TWO_OPERATORS_TESTS,
  },
  {
    name: "provider-other-secret-taken-for-the-same",
    file: ACTION,
    text: "return (await openSecret(context, fields, sealedSecret)) === connection.clientSecret;",
    replacement: "return (await openSecret(context, fields, sealedSecret)) !== null;",
    tests: TWO_OPERATORS_TESTS,
  },
  {
    name: "provider-other-fields-taken-for-the-same",
    file: ACTION,
    text: "if (canonicalJson(fields) !== canonicalJson(stored.fields)) return false;",
    replacement: "",
    tests: TWO_OPERATORS_TESTS,
  },
  {
    name: "provider-secret-in-plain-text",
    file: ACTION,
    text: "const fields = { ...connection, pixKey",
    replacement: "const fields = { ...connection, clientSecret, pixKey",
    tests: TWO_OPERATORS_TESTS,
  },
  {
    name: "provider-secret-sealed-for-any-fields",
    file: ACTION,
    text: "pixApiProposalContext(company.providerCompanyId, canonicalJson(fields))",
    replacement: 'pixApiProposalContext(company.providerCompanyId, "")',
    tests: TWO_OPERATORS_TESTS,
  },
  {
    name: "provider-secret-sealed-for-any-company",
    file: ACTION,
    text: "pixApiProposalContext(company.providerCompanyId, canonicalJson(fields))",
    replacement: 'pixApiProposalContext("", canonicalJson(fields))',
    tests: TWO_OPERATORS_TESTS,
  },
  {
    name: "provider-secret-kept-after-the-approval",
    file: PROPOSALS,
    text: '.set({ status: "approved", outcome, request: WITHOUT_SECRET })',
    replacement: '.set({ status: "approved", outcome })',
    tests: TWO_OPERATORS_TESTS,
  },
  {
    name: "provider-secret-kept-after-a-refusal",
    file: PROPOSALS,
    text: '      status: "refused",\n      request: WITHOUT_SECRET,\n',
    replacement: '      status: "refused",\n',
    tests: TWO_OPERATORS_TESTS,
  },
  {
    name: "provider-secret-kept-after-the-time",
    file: PROPOSALS,
    text: '.set({ status: "expired", request: WITHOUT_SECRET })',
    replacement: '.set({ status: "expired" })',
    tests: TWO_OPERATORS_TESTS,
  },
  {
    name: "provider-notices-led-elsewhere-by-one",
    file: "src/api/operator/pix-api/service.ts",
    text: "callbackOrigin !== before.settings.callbackOrigin && callbackOrigin !== own",
    replacement: "callbackOrigin === own && own === null",
    tests: ["test/worker/api/operator/provider-accounts/connect.test.ts"],
  },
  {
    name: "provider-account-by-header-led-elsewhere-by-one",
    file: "src/api/operator/pix-api/service.ts",
    text: "before.headers?.[name] !== after.headers?.[name]",
    replacement: "name.length === 0",
    tests: ["test/worker/api/operator/provider-accounts/connect.test.ts"],
  },
];
