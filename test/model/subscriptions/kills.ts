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

/** A subscription, and the kills in its life: at most one in each stage. */
interface Subject {
  asked: Asked;
  kills: Kill[];
}

/** Lives a life once without a death; the calls at which its processes can die. */
export async function killsOf(life: SubscriptionsLife, lived: KillLife): Promise<Kill[]> {
  const kills: Kill[] = [];
  const subject: Subject = { asked: askedFor(lived, 0), kills: [] };
  for (const stage of lived.stages) {
    const heard = new Map<string, number>();
    comeTo(life, stage);
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

/** The kills of lives in which a process dies in each stage: a few such lives go through all of them. */
export function oneInEachStage(kills: Kill[]): Kill[][] {
  const lives: Kill[][] = [];
  for (const ofStage of Map.groupBy(kills, ({ stage }) => stage).values())
    for (const [index, kill] of ofStage.entries()) (lives[index] ??= []).push(kill);
  return lives;
}

/** Lives a life once for each of some kills, and once without; what becomes of each, and how many processes died. */
export async function liveThrough(
  life: SubscriptionsLife,
  lived: KillLife,
  killed: Kill[][],
): Promise<{ kills: Kill[]; id: string; deaths: number }[]> {
  const deaths = new Map<Subject, number>();
  const subjects = [[], ...killed].map((kills, index) => ({
    kills,
    asked: askedFor(lived, index),
  }));
  for (const stage of lived.stages) {
    comeTo(life, stage);
    for (const subject of subjects) {
      const work = (world: LiveWorld) => workOn(world, stage, subject);
      if (!(await inProcess(life.world, deathIn(stage, subject), work)))
        deaths.set(subject, (deaths.get(subject) ?? 0) + 1);
    }
    await resume(life, stage, subjects);
  }
  return subjects.map((subject) => ({
    kills: subject.kills,
    id: subject.asked.id ?? "",
    deaths: deaths.get(subject) ?? 0,
  }));
}

function deathIn({ name }: Stage, { kills }: Subject): Kill | null {
  return kills.find(({ stage }) => stage === name) ?? null;
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
    life.pass(ms);
    for (const subject of subjects) {
      const { asked } = subject;
      await inProcess(life.world, null, async (world) => {
        if (asked.id === null) await requestSubscription(world, asked);
        else if (deathIn(stage, subject) !== null) await stage.ask?.(world, asked);
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
