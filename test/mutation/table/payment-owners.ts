import type { Mutant } from "../mutant.ts";

const PSP_IDS = "src/domain/psp/psp-ids.ts";
const PAYMENT_OWNER = "src/api/payments/payment-owner.ts";
const PAYMENT_OWNERS = "src/db/reconciliation/payment-owners.ts";
const PSP_IDS_TESTS = ["test/unit/domain/psp/psp-ids.test.ts"];
const ONE_PIX_TWO_COMPANIES_TESTS = ["test/security/one-pix-two-companies.test.ts"];

/** Whose a PIX is, and when two ids are one. */
export const paymentOwnerMutants: Mutant[] = [
  {
    name: "psp-id-own-in-capitals-foreign",
    file: PSP_IDS,
    text: "const id = text.toLowerCase();",
    replacement: "const id = text;",
    tests: PSP_IDS_TESTS,
  },
  {
    name: "psp-id-others-without-case",
    file: PSP_IDS,
    text: "one === other || (ourId(one) !== null && ourId(one) === ourId(other))",
    replacement: "one.toLowerCase() === other.toLowerCase()",
    tests: PSP_IDS_TESTS,
  },
  {
    name: "psp-id-own-compared-by-case",
    file: PSP_IDS,
    text: "one === other || (ourId(one) !== null && ourId(one) === ourId(other))",
    replacement: "one === other",
    tests: PSP_IDS_TESTS,
  },
  {
    name: "psp-id-all-foreign-are-one",
    file: PSP_IDS,
    text: "(ourId(one) !== null && ourId(one) === ourId(other))",
    replacement: "ourId(one) === ourId(other)",
    tests: PSP_IDS_TESTS,
  },
  {
    name: "psp-id-end-to-end-key-by-case",
    file: PSP_IDS,
    text: "return endToEndId.toLowerCase();",
    replacement: "return endToEndId;",
    tests: PSP_IDS_TESTS,
  },
  {
    name: "psp-id-twins-in-capitals-unseen",
    file: PSP_IDS,
    text: "[letter.toUpperCase(), letter.toLowerCase()]",
    replacement: "[letter.toLowerCase()]",
    tests: PSP_IDS_TESTS,
  },
  {
    name: "psp-id-twins-in-small-letters-unseen",
    file: PSP_IDS,
    text: "[letter.toUpperCase(), letter.toLowerCase()]",
    replacement: "[letter.toUpperCase()]",
    tests: PSP_IDS_TESTS,
  },
  {
    name: "psp-id-own-of-any-length",
    file: PSP_IDS,
    text: "/^[0-9a-f]{32}$/",
    replacement: "/^[0-9a-f]{32}/",
    tests: PSP_IDS_TESTS,
  },
  {
    name: "psp-id-key-by-case",
    file: PSP_IDS,
    text: "pixKey.toLowerCase().replaceAll",
    replacement: "pixKey.replaceAll",
    tests: PSP_IDS_TESTS,
  },
  {
    name: "psp-id-key-by-punctuation",
    file: PSP_IDS,
    text: '.replaceAll(/[^a-z0-9]/g, "")',
    replacement: "",
    tests: PSP_IDS_TESTS,
  },
  {
    name: "psp-id-no-key-is-another",
    file: PSP_IDS,
    text: 'named !== "" && normalizePixKey',
    replacement: "normalizePixKey",
    tests: PSP_IDS_TESTS,
  },
  {
    name: "payment-owner-any-company",
    file: PAYMENT_OWNER,
    text: "if (isOwn(owner, claim)) return true;",
    replacement: "return true;",
    tests: ONE_PIX_TWO_COMPANIES_TESTS,
  },
  {
    name: "payment-owner-without-company",
    file: PAYMENT_OWNER,
    text: "return owner.companyId === companyId && owner.paymentId",
    replacement: "return owner.paymentId",
    tests: ONE_PIX_TWO_COMPANIES_TESTS,
  },
  {
    name: "payment-owner-in-any-case",
    file: PAYMENT_OWNER,
    text: "owner.companyId === companyId && owner.paymentId === paymentId && !owner",
    replacement: "owner.companyId === companyId && !owner",
    tests: ONE_PIX_TWO_COMPANIES_TESTS,
  },
  {
    name: "payment-owner-undecided-credited",
    file: PAYMENT_OWNER,
    text: " && !owner.isUndecided;",
    replacement: ";",
    tests: ONE_PIX_TWO_COMPANIES_TESTS,
  },
  {
    name: "payment-owner-keyless-credited",
    file: PAYMENT_OWNER,
    text: "if (companies.some((id) => id !== company.id)) {",
    replacement: "if (companies.length === 0) {",
    tests: ONE_PIX_TWO_COMPANIES_TESTS,
  },
  {
    name: "payment-owner-keyless-of-one-undecided",
    file: PAYMENT_OWNER,
    text: "if (companies.some((id) => id !== company.id)) {",
    replacement: "if (companies.length > 0) {",
    tests: ONE_PIX_TWO_COMPANIES_TESTS,
  },
  {
    name: "payment-owner-passed-on-undismissed",
    file: PAYMENT_OWNER,
    text: '  if (shown?.decision?.action !== "dismiss") return;\n',
    replacement: "",
    tests: ONE_PIX_TWO_COMPANIES_TESTS,
  },
  {
    name: "payment-owner-passed-on-unshown",
    file: PAYMENT_OWNER,
    text: "if (await passPayment(env, owner, company.id)) await recordFinding(env, company.id, finding);",
    replacement: "await passPayment(env, owner, company.id);",
    tests: ONE_PIX_TWO_COMPANIES_TESTS,
  },
  {
    name: "payment-owner-finding-of-owner-only",
    file: PAYMENT_OWNER,
    text: "else await recordFinding(env, company.id, claimedPayment(owner, account, payment));",
    replacement: "",
    tests: ONE_PIX_TWO_COMPANIES_TESTS,
  },
  {
    name: "payment-owner-of-any-host",
    file: PAYMENT_OWNERS,
    text: ".filter(({ tokenUrl }) => new URL(tokenUrl).host === host)",
    replacement: ".filter(({ tokenUrl }) => host !== tokenUrl)",
    tests: ONE_PIX_TWO_COMPANIES_TESTS,
  },
  {
    name: "payment-owner-client-without-its-host",
    file: PAYMENT_OWNERS,
    text: "JSON.stringify([host, clientId])",
    replacement: 'JSON.stringify([clientId, host === ""])',
    tests: ONE_PIX_TWO_COMPANIES_TESTS,
  },
];
