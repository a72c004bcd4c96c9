import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TestClock } from "../support/fakes/clock.ts";
import { assertInvariants } from "../support/probes/ledger/invariants.ts";
import { differencesOf } from "./clock/rows.ts";
import { Shop } from "../support/builders/companies/clocked-shop.ts";
import { liveMonth, MONTHS_OF_YEAR, type Post } from "./clock/year.ts";
import { silenceLogs } from "./silence-logs.ts";

/** Charges of a month: `YEAR_CHARGES`. */
const { yearCharges } = (env as unknown as { MODEL: { yearCharges: number } }).MODEL;
/** The parts of a month, in days. */
const STEPS = [1, 2, 7, 20];
const DAY_MS = 86_400_000;
const UUID = /[0-9a-f]{8}-[0-9a-f-]{27}/;

async function postTo(shop: Shop, path: string, body: object): Promise<{ id: string | number }> {
  const answer = await shop.send(path, { body });
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.text}`);
  return answer.body.data ?? answer.body;
}

let silencedLogs: ReturnType<typeof silenceLogs>;
beforeAll(() => {
  silencedLogs = silenceLogs();
});
afterAll(() => silencedLogs.undo());

it(`a year of a shop with ${yearCharges} charges a month is the same month by month as in small steps`, async () => {
  const clock = new TestClock();
  const [jumping, stepping] = [await Shop.open(clock), await Shop.open(clock)];
  const twins = new Map<string, string>();
  const post: Post = async (path, body) => {
    const done = await postTo(jumping, path, body);
    const ofOther = path.replace(UUID, (id) => twins.get(id) ?? id);
    const twin = await postTo(stepping, ofOther, body);
    twins.set(String(done.id), String(twin.id));
    // What happens at one millisecond goes by ids, which are random.
    clock.advance(1);
    return done;
  };
  for (let month = 0; month < MONTHS_OF_YEAR; month++) {
    await liveMonth(post, { month, charges: yearCharges });
    await jumping.wait(30 * DAY_MS);
    for (const part of STEPS) await stepping.wait(part * DAY_MS);
  }
  expect(await differencesOf(jumping, stepping)).toEqual([]);
  await assertInvariants();
});
