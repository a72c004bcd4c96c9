import type { Mutant } from "../mutant.ts";

const CREATE = "src/api/transactions/attempts/create-at-accounts.ts";
const BOLETO = ["test/worker/api/transactions/attempts/failover-boleto.test.ts"];
const CRASHES = ["test/worker/api/transactions/attempts/failover-boleto-crashes.test.ts"];

/** A boleto at a second house, only before the first one was told to make it; and which house is asked first. */
export const failoverBoletoMutants: Mutant[] = [
  {
    name: "failover-dearer-account-asked-first",
    file: "src/domain/psp/routes.ts",
    text: "byCost(left, right, amount ?? 0) ||",
    replacement: "",
    tests: ["test/unit/domain/psp/routes.test.ts"],
  },
  {
    name: "failover-accounts-of-payouts-share-a-place",
    file: "src/domain/psp/psp-account.ts",
    text: 'method === "PAYOUT" || !haveCosts',
    replacement: "!haveCosts",
    tests: ["test/unit/domain/psp/routes.test.ts"],
  },
  {
    name: "failover-sweep-counts-one-house-of-a-create",
    file: "src/api/transactions/sweep/tasks.ts",
    text: "const CREATE_CALLS = 24;",
    replacement: "const CREATE_CALLS = 16;",
    tests: ["test/worker/task-runner.test.ts"],
  },
  {
    name: "failover-of-a-boleto-bound-to-its-house",
    file: "src/api/transactions/attempts/repository.ts",
    text: "    sql`NOT EXISTS (SELECT 1 FROM ${providerRefs} WHERE ${isBoundTo})`,\n",
    replacement: "",
    tests: CRASHES,
  },
  {
    name: "failover-boleto-made-by-a-house-that-was-left",
    file: "src/api/transactions/attempts/repository.ts",
    text: "WHERE EXISTS (SELECT 1 FROM ${transactions} WHERE ${isAsked})",
    replacement: "WHERE 1 = 1",
    tests: BOLETO,
  },
  {
    name: "failover-boleto-bound-to-the-attempt-before",
    file: "src/api/transactions/attempts/repository.ts",
    text: "    eq(transactions.seq, seq),\n    eq(transactions.attempt, attempt),\n",
    replacement: "    eq(transactions.seq, seq),\n",
    tests: BOLETO,
  },
  {
    name: "failover-boleto-of-efi-paid-unbound",
    file: "src/providers/efi-cobrancas/creation.ts",
    text: "if (!(await bind())) return UNKNOWN;",
    replacement: "await bind();",
    tests: BOLETO,
  },
  {
    name: "failover-boleto-of-efi-never-bound",
    file: "src/providers/efi-cobrancas/creation.ts",
    text: "if (!(await bind())) return UNKNOWN;",
    replacement: "",
    tests: BOLETO,
  },
  {
    name: "failover-boleto-of-pagarme-never-bound",
    file: "src/providers/pagarme/provider.ts",
    text: "if (!(await bind())) return UNKNOWN;",
    replacement: "",
    tests: BOLETO,
  },
  {
    name: "failover-boleto-of-pagarme-made-unbound",
    file: "src/providers/pagarme/provider.ts",
    text: "if (!(await bind())) return UNKNOWN;",
    replacement: "await bind();",
    tests: ["test/unit/providers/pagarme/create.test.ts"],
  },
  {
    name: "failover-of-an-old-boleto-whose-binding-may-be-forgotten",
    file: CREATE,
    text: 'leaves === "until_bound" && mayBeForgotten(',
    replacement: "false && mayBeForgotten(",
    tests: CRASHES,
  },
  {
    name: "failover-slow-second-call-given-up-after-two-seconds",
    file: CREATE,
    text: "next === undefined ? outcome : await answerOf(context, { provider, call })",
    replacement: "outcome",
    tests: BOLETO,
  },
  {
    name: "failover-boleto-bound-for-ever",
    file: "src/api/transactions/repository.ts",
    text: "batch(db, [saved, forgetBinding(db, row)])",
    replacement: "batch(db, [saved])",
    tests: CRASHES,
  },
];
