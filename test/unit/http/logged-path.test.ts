import { describe, expect, test } from "vitest";
import { EXAMPLE_TRANSACTION } from "../../../src/domain/events/api-examples.ts";
import { secureIdOf } from "../../../src/domain/shared/ids.ts";
import { loggedPath } from "../../../src/http/tracing.ts";

const { id, secureRandom } = EXAMPLE_TRANSACTION;
const SECURE_ID = secureIdOf(id, secureRandom);
const TOKEN = "AAAB9w2Yk1Zr0m5dT7uQp3LxVc8sEbNhJfGi";
/** A token of an invitation or a set-up link: as long as a `secureId`, and so are some parts of it. */
const LINK = "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA";
const KB = 1_024;

describe("a logged path", () => {
  test.each([
    ["/api/v1/transactions/create", "/api/v1/transactions/create"],
    [`/api/checkout/status/${id}`, `/api/checkout/status/${id}`],
    [`/api/checkout/status/${SECURE_ID}`, `/api/checkout/status/${id}`],
    [`/boletos/${SECURE_ID}.pdf`, `/boletos/${id}.pdf`],
    [`/${SECURE_ID}/callbacks/x`, `/${id}/callbacks/x`],
    [`/callbacks/pix-api/${TOKEN}/pix`, "/callbacks/pix-api/{callbackToken}/pix"],
    [`/CALLBACKS//${TOKEN.slice(0, 16)}`, "/CALLBACKS//{callbackToken}"],
    [`/callbacks%2Fpix-api%2F${TOKEN}`, "/callbacks%2Fpix-api%{callbackToken}"],
    [`/boletos/${SECURE_ID}x`, "/boletos/{longName}"],
    [`/x${SECURE_ID}`, "/{longName}"],
    [`/console/invitation/${LINK}`, "/console/invitation/{linkToken}"],
    [`/console/operator/set-up/${LINK}`, "/console/operator/set-up/{linkToken}"],
    [`/console/invitation/${LINK.slice(0, 12)}`, "/console/invitation/{linkToken}"],
    [`/console/invitation/${LINK}=/more`, "/console/invitation/{linkToken}"],
    [`/console/Invitation%2f${LINK.slice(0, 30)}`, "/console/Invitation%2f{linkToken}"],
    ["/console/team/invitations/abc/revoke", "/console/team/invitations/abc/revoke"],
  ])("%s is logged as %s", (path, shown) => {
    expect(loggedPath(path)).toBe(shown);
  });

  test.each([
    ["with many names", `/callbacks/${"a/".repeat(32 * KB)}`],
    ["with one name", `/${"a".repeat(64 * KB)}`],
    ["with secrets at the end", `/${"a/".repeat(110)}${SECURE_ID}/${TOKEN}`],
    ["with a secret at the cut", `/callbacks/${"b/".repeat(115)}${TOKEN}/more`],
    ["with a link's token at the end", `/${"a/".repeat(120)}invitation/${TOKEN}`],
  ])("%s has at most 256 characters and no part of a secret", (_what, path) => {
    const shown = loggedPath(path);
    expect(shown.length).toBeLessThanOrEqual(256);
    expect(shown).toMatch(/\/…$/);
    expect(shown).not.toContain(SECURE_ID.slice(0, 8));
    expect(shown).not.toContain(TOKEN.slice(0, 8));
  });
});

/**
 * 64 KB take 8 times as long as 8 KB for linear work and 64 times for quadratic work, on a noisy
 * machine about so.
 */
const LINEAR_AT_MOST = 24;
const ROUNDS = 5;
const TIMES = 20;

/** Milliseconds for many repeats of one path: the best of several measurements. */
function best(path: string): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const from = performance.now();
    for (let times = 0; times < TIMES; times++) loggedPath(path);
    return performance.now() - from;
  });
  return Math.min(...rounds);
}

describe("64 KB take at most linear time compared to 8 KB", () => {
  test.each(["a", "/invitation/", "invitation", "/callbacks/", "callbacks", "-", "a/", "%"])(
    "for %j",
    (part) => {
      const path = (length: number) => `/callbacks/${part.repeat(length)}`.slice(0, length);
      const [short, long] = [path(8 * KB), path(64 * KB)];
      loggedPath(long);
      expect(best(long)).toBeLessThan(Math.max(best(short), 0.5) * LINEAR_AT_MOST);
    },
  );
});
