import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";

const SOURCES = join(import.meta.dirname, "../../../src");

/** A read of the platform's time. What is a company's is dated by `companyDeps(c).clock` or the object's own clock. */
const READ = /\bplatformClock(?:\(\))?\.now\(\)|\bsystemClock\b|\bDate\.now\(\)/;

/** Folders about nothing that is a company's: operators, authentication, databases, the cron itself. */
const PLATFORM =
  /^(?:api\/operator|http|mcp|db|service-state|pages\/console\/(?:people|screens\/(?:account|invitation|operator|password-reset|sign-in|team)))\//;

/** Each other file that reads it, and whose time that is. */
const WHY: Record<string, string> = {
  "domain/shared/clock.ts": "where it comes from",
  "dependencies.ts": "where it comes from",
  "company/account.ts": "where it comes from in an object; deadlines of calls",
  "company/runtime/company-time.ts": "the company's is counted from it",
  "company/deliveries/calls.ts": "leases of deliveries",
  "company-client/stub.ts": "deadlines of calls",
  "providers/registry.ts": "a live company's PSP; the time of calls",
  "webhooks/delivery/deliver.ts": "leases and budgets of deliveries",
  "webhooks/delivery/send.ts": "signatures",
  "api/webhooks/secrets/service.ts": "until when a secret signs",
  "api/webhooks/verify/service.ts": "signatures",
  "api/cards/routes.ts": "sessions of payers' pages",
  "api/transactions/card-accounts.ts": "since when a card is to be deleted",
  "pages/payment-link/app.ts": "sessions of payers' pages",
  "pages/checkout/way-on.ts": "signatures",
  "api/people/routes.ts": "invitations and roles",
  "api/people/service.ts": "invitations and roles",
  "api/applications/service.ts": "until when an application is admitted",
  "api/applications/keys/routes.ts": "until when keys are taken",
  "api/applications/keys/service.ts": "when a key was revoked",
  "api/saved-views/service.ts": "when a view was saved",
  "api/me/routes.ts": "the service's own time",
  "api/boletos/routes.ts": "a decoder for everybody",
  "api/checkout/routes.ts": "a poll without a read of the company",
  "api/subscriptions/payer/cancel.ts": "when an audit entry was written",
  "api/sandbox/clock/routes.ts": "how far ahead a clock may be",
  "api/sandbox/clock/run.ts": "how long a run takes",
  "api/sandbox/clock/tasks.ts": "when the cron looked",
  "api/bank-reconciliation/tasks.ts": "a cron task's search, leases and budget",
  "api/provider-callbacks/tasks.ts": "a cron task's budget",
  "api/provider-callbacks/routes.ts": "until when a token is taken",
  "api/provider-callbacks/notifications.ts": "when a PSP called, and until when it waits",
  "api/transactions/sweep/tasks.ts": "a cron task's budget",
  "api/webhooks/tasks.ts": "a cron task's search",
  "queue-consumer.ts": "when a message was given up",
  "task-runner.ts": "the cron's minutes",
  "pages/console/kept-form.ts": "how long a form is kept",
  "pages/console/screens/cashier/device-routes.tsx": "sessions of a counter's device",
  "pages/console/screens/live/routes.ts": "until when a page's socket is open",
  "pages/console/ui/scripts/cashier.ts": "the browser's own",
  "pages/console/ui/scripts/page.ts": "the browser's own",
};

test("a company's time is read where it is meant, and each read of the platform's says why", async () => {
  const found = new Set<string>();
  for await (const file of glob("**/*.{ts,tsx}", { cwd: SOURCES })) {
    if (PLATFORM.test(file)) continue;
    if (READ.test(await readFile(join(SOURCES, file), "utf8"))) found.add(file);
  }
  expect([...found].toSorted()).toEqual(Object.keys(WHY).toSorted());
});
