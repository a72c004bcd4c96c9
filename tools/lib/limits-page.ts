/** The limits that the code names: of requests, of what a company stores, and of what leaves it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EXIT_NAMES, EXITS, type ExitGuards, type ExitName } from "../../src/domain/exits/exits.ts";
import {
  STORED_CALLBACKS,
  STORED_CALLBACKS_NAMES,
} from "../../src/domain/storage/stored-callbacks.ts";
import { QUOTA_NAMES, QUOTAS } from "../../src/domain/storage/quotas.ts";
import { RATE_LIMITS, type RateLimitPolicy } from "../../src/http/rate-limits/policies.ts";
import { ROOT } from "./root.ts";
import { withoutStars } from "./schema-comments.ts";

const RATE_LIMITS_FILE = "src/http/rate-limits/policies.ts";
const QUOTAS_FILE = "src/domain/storage/quotas.ts";
const STORED_CALLBACKS_FILE = "src/domain/storage/stored-callbacks.ts";
const EXITS_FILE = "src/domain/exits/exits.ts";

/** The text of `docs/generated/limits.md`. Throws if a limit has no comment. */
export function limitsPage(): string {
  return `# Limits

Written by \`npm run docs:limits\` from the code. [security.md](../security.md) says how they count, and why.

## Requests

Source: ${linkTo(RATE_LIMITS_FILE)}.

${rateLimits()}

## Quotas

What one company may store, as usual; an operator gives it another part of them. Source: ${linkTo(QUOTAS_FILE)}.

${quotas()}

## Stored callbacks of PSPs

Kept until the PSP confirms them. Source: ${linkTo(STORED_CALLBACKS_FILE)}.

${storedCallbacks()}

## Ways out of the money

Source: ${linkTo(EXITS_FILE)}.

${EXIT_NAMES.map(exit).join("\n")}
`;
}

function linkTo(file: string): string {
  return `[${file}](../../${file})`;
}

function rateLimits(): string {
  const comments = commentsOf(RATE_LIMITS_FILE);
  const policies: [string, RateLimitPolicy][] = Object.entries(RATE_LIMITS);
  return policies
    .map(([member, { name, quota, windowSeconds }]) => {
      const meaning = commentOf(comments, member);
      return `- \`${name}\`: ${quota.toLocaleString("en")} in ${windowSeconds} s. ${meaning}`;
    })
    .join("\n");
}

function quotas(): string {
  const comments = commentsOf(QUOTAS_FILE);
  return QUOTA_NAMES.map(
    (name) => `- \`${name}\`: ${QUOTAS[name].toLocaleString("en")}. ${commentOf(comments, name)}`,
  ).join("\n");
}

function storedCallbacks(): string {
  const comments = commentsOf(STORED_CALLBACKS_FILE);
  return STORED_CALLBACKS_NAMES.map(
    (name) =>
      `- \`${name}\`: ${STORED_CALLBACKS[name].toLocaleString("en")}. ${commentOf(comments, name)}`,
  ).join("\n");
}

/** The comment before each member of a file's objects, in one line. */
function commentsOf(file: string): Map<string, string> {
  const source = readFileSync(join(ROOT, file), "utf8");
  const members = source.matchAll(/\/\*\*((?:(?!\*\/)[^])*)\*\/\s*(\w+):/g);
  return new Map(
    Array.from(members, ([, comment = "", name = ""]) => [
      name,
      withoutStars(comment).replaceAll("\n", " "),
    ]),
  );
}

function commentOf(comments: Map<string, string>, name: string): string {
  const comment = comments.get(name);
  if (comment === undefined) throw new Error(`${name} has no comment`);
  return comment;
}

function exit(name: ExitName): string {
  const guards: ExitGuards = EXITS[name];
  const { asker, scope, idempotencyKey, limits, approval, stoppedByFreeze, reason } = guards;
  const lines = [
    `Asked for by: ${asker.join(", ")}${scope === null ? "" : ` with \`${scope}\``}.`,
    idempotencyKey ? "Needs an `Idempotency-Key`." : "",
    reason === "none" ? "" : `Reason: ${reason}.`,
    limits.length === 0 ? "" : `Limits: ${limits.map(code).join(", ")}.`,
    approvalOf(approval),
    stoppedByFreeze ? "A freeze stops it." : "Goes on under a freeze.",
    guards.row === null ? "" : `Whose it is stands in ${code(guards.row)} of the object.`,
    guards.audit === null ? "" : `In the audit trail as ${code(guards.audit)}.`,
  ];
  return `- \`${name}\`: ${lines.filter((line) => line !== "").join(" ")}`;
}

function approvalOf(approval: ExitGuards["approval"]): string {
  if (approval === null) return "";
  return approval === "always"
    ? "Two operators decide each."
    : `Somebody else approves it above ${code(approval)}.`;
}

function code(text: string): string {
  return `\`${text}\``;
}
