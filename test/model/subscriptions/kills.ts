import { runSubscription } from "../../../src/api/subscriptions/tasks.ts";
import { inAccount } from "../../support/builders/companies/company.ts";
import type { LiveWorld } from "../../support/builders/providers/psp.ts";
import { inProcess, type Death } from "../houses/process.ts";
import { comeTo, type KillLife, type Stage } from "./kill-lives.ts";
import { requestSubscription, SubscriptionsLife, type Asked } from "./life.ts";

const BEGIN = Date.parse("2026-12-01T15:00:00Z");
const MINUTE_MS = 60_000;
/** Leases end, orders without an answer count as arrived, and what is ordered is read back. */
const LATER_MS = [2 * MINUTE_MS, 15 * MINUTE_MS, 90 * MINUTE_MS];
/** No stage takes more. */
const RUNS_MAX = 20;

/** Where a process dies: in a stage, at the nth call of a label, before or after it. */
export interface Kill extends Death {
  stage: string;
  label: string;
}

interface Subject {
  asked: Asked;
  kill: Kill | null;
}

/** Lives a life once without a death; the calls at which its processes can die. */
export async function killsOf(life: SubscriptionsLife, lived: KillLife): Promise<Kill[]> {
  const kills: Kill[] = [];
  const subject = { asked: askedFor(lived, 0), kill: null };
  for (const stage of lived.stages) {
    const heard = new Map<string, number>();
    await comeTo(life, stage);
    await inProcess(
      life.world,
      null,
      (world) => workOn(world, stage, subject),
      (label) => {
        const afterCalls = heard.get(label) ?? 0;
        heard.set(label, afterCalls + 1);
        for (const isDone of [false, true])
          kills.push({ stage: stage.name, label, afterCalls, isDone });
      },
    );
    await resume(life, stage, [subject]);
  }
  return kills;
}

/** Lives a life once for each kill, and once without; what becomes of each. */
export async function liveThrough(
  life: SubscriptionsLife,
  lived: KillLife,
  kills: Kill[],
): Promise<{ kill: Kill | null; id: string; died: boolean }[]> {
  const died = new Set<Subject>();
  const subjects = [null, ...kills].map((kill, index) => ({ kill, asked: askedFor(lived, index) }));
  for (const stage of lived.stages) {
    await comeTo(life, stage);
    for (const subject of subjects) {
      const death = subject.kill?.stage === stage.name ? subject.kill : null;
      const work = (world: LiveWorld) => workOn(world, stage, subject);
      if (!(await inProcess(life.world, death, work))) died.add(subject);
    }
    await resume(life, stage, subjects);
  }
  return subjects.map((subject) => ({
    kill: subject.kill,
    id: subject.asked.id ?? "",
    died: died.has(subject),
  }));
}

export function startLife(): Promise<SubscriptionsLife> {
  return SubscriptionsLife.start(BEGIN);
}

function askedFor({ body }: KillLife, index: number): Asked {
  return { id: null, key: `sub_${index}`, body };
}

/** What the merchant asks for, then what the cron finds due. */
async function workOn(world: LiveWorld, stage: Stage, { asked }: Subject): Promise<void> {
  await stage.ask?.(world, asked);
  const number = await numberOf(world, asked);
  if (number !== null) await runSubscription(world.env, world.deps, world.company.id, number);
}

/** The clients whose process died ask again, and the cron does the rest. */
async function resume(life: SubscriptionsLife, stage: Stage, subjects: Subject[]): Promise<void> {
  for (const ms of LATER_MS) {
    await life.pass(ms);
    for (const { asked, kill } of subjects) {
      await inProcess(life.world, null, async (world) => {
        if (asked.id === null) await requestSubscription(world, asked);
        else if (kill?.stage === stage.name) await stage.ask?.(world, asked);
      });
    }
    for (let run = 0; run < RUNS_MAX; run++) {
      const due = await dueNumbers(life.world);
      if (due.length === 0) break;
      await inProcess(life.world, null, async ({ env, deps, company }) => {
        for (const number of due) await runSubscription(env, deps, company.id, number);
      });
    }
  }
}

function numberOf({ company }: LiveWorld, { id }: Asked): Promise<number | null> {
  return inAccount(company.id, (_, { storage: { sql } }) => {
    const query = "SELECT number FROM subscriptions WHERE id = ?";
    return sql.exec<{ number: number }>(query, id).toArray()[0]?.number ?? null;
  });
}

function dueNumbers({ company, clock }: LiveWorld): Promise<number[]> {
  return inAccount(company.id, (_, { storage: { sql } }) => {
    const query = "SELECT number FROM subscriptions WHERE next_check_at <= ?";
    return sql
      .exec<{ number: number }>(query, clock.now())
      .toArray()
      .map(({ number }) => number);
  });
}
