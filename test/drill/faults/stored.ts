import { directoryIn } from "../../kill/lib/database.ts";
import type { Stage } from "../lib/stage.ts";
import { copyOf, editObject, objectFile } from "../lib/stored.ts";
import type { Site } from "../lib/site.ts";
import { wait } from "../../kill/lib/wait.ts";
import { until } from "../lib/until.ts";
import { toldBy, type Fault } from "./fault.ts";

/** A bank's lists bring back within ten minutes what an older object has forgotten. */
const BROUGHT_BACK_WITHIN_MS = 20 * 60_000;
const REPEAT_MS = 60_000;
/** A company that moved is checked within six minutes, and what a check leaves is compared by the next one. */
const CHECKED_WITHIN_MS = 8 * 60_000;

/** Replaced by what puts the copy back, once it is made. */
const noCopy = (): void => undefined;

/** A charge's copy is changed in D1 before a check has seen it. */
export const rowChangedBeforeCheck = (): Fault => {
  let id = "";
  return {
    name: "d1_row_changed_before_check",
    ...toldBy("copy_mended"),
    async inject({ site, shop }) {
      site.stopCron();
      id = await shop.sell(1_300);
      await site.d1(changedRow(id));
      site.resumeCron();
    },
    act: compare,
    // The alarm itself lasts for a day, so that somebody sees it.
    isOver: ({ site }) => isMended(site, id, 1_300),
  };
};

/** The same once a check has seen it, when the next round over all copies comes. */
export const rowChangedAfterCheck = (): Fault => {
  let id = "";
  return {
    name: "d1_row_changed_after_check",
    ...toldBy("copy_mended"),
    async prepare({ site, shop }) {
      id = await shop.sell(1_400);
      if (!(await until(() => isChecked(site, shop.companyId), CHECKED_WITHIN_MS)))
        throw new Error(`company ${shop.companyId} was not checked`);
    },
    inject: async ({ site, shop }) => {
      await site.d1(changedRow(id));
      await site.d1(roundLongAgo(shop.companyId));
    },
    act: compare,
    isOver: ({ site }) => isMended(site, id, 1_400),
  };
};

/** A movement's amounts are changed in the object's file, without the triggers that forbid it. */
export const movementChanged = (): Fault => {
  let takeBack = noCopy;
  return {
    name: "movement_changed",
    ...toldBy("ledger_violated"),
    async prepare({ site, shop }) {
      await shop.sell(1_500);
      await site.restart({}, () => {
        takeBack = copyOf(objectFile(site.stateDir, shop.companyId), site.stateDir);
      });
    },
    inject: ({ site, shop }) =>
      site.restart({}, () =>
        editObject(
          site.stateDir,
          shop.companyId,
          `UPDATE movements SET available = available + 100, provider = provider - 100
           WHERE sequence = (SELECT max(sequence) FROM movements)`,
        ),
      ),
    async act(stage) {
      // The platform takes an object back by a bookmark, which a developer's machine has not.
      await stage.site.restart({}, takeBack);
      await restoreCompany(stage);
    },
  };
};

/** D1 is as it was before the newest payments. */
export const d1Back = (): Fault => {
  let takeBack = noCopy;
  const since = new Date(Date.now() - 3_600_000).toISOString();
  return {
    name: "d1_back",
    ...toldBy("ledger_violated"),
    page: "restore.md",
    async prepare({ site, shop }) {
      await site.restart({}, () => {
        takeBack = copyOf(directoryIn(site.stateDir), site.stateDir);
      });
      await shop.sell(1_600);
      await shop.sell(1_700);
    },
    inject: ({ site }) => site.restart({}, takeBack),
    async act(stage) {
      await stage.run("pause");
      await stage.approveAll(await stage.run("restore", { time: since }));
      await stage.run("resume");
    },
  };
};

/** A company's object is as it was before its newest payments. */
export const objectBack = (): Fault => {
  let takeBack = noCopy;
  return {
    name: "object_back",
    ...toldBy("ledger_violated"),
    page: "restore.md",
    async prepare({ site, shop }) {
      await shop.sell(1_800);
      await site.restart({}, () => {
        takeBack = copyOf(objectFile(site.stateDir, shop.companyId), site.stateDir);
      });
      await shop.sell(1_900);
      await shop.sell(2_000);
    },
    inject: ({ site }) => site.restart({}, takeBack),
    act: restoreCompany,
  };
};

function changedRow(id: string): string {
  return `UPDATE transactions SET paid_amount = paid_amount + 1 WHERE id = '${id}'`;
}

/** Whether a check has seen the newest event of a company. */
async function isChecked(site: Site, companyId: number): Promise<boolean> {
  const row = await site.d1(
    `SELECT company_sequence >= (SELECT max(company_sequence) FROM events WHERE company_id = ${companyId}) AS seen
     FROM self_checks WHERE company_id = ${companyId}`,
  );
  return row?.["seen"] === 1;
}

/** Has the last round over a company's copies begun so long ago that the next one is due. */
function roundLongAgo(companyId: number): string {
  return `UPDATE self_checks SET round = json_set(round, '$.startedAt', 0) WHERE company_id = ${companyId}`;
}

async function isMended(site: Site, id: string, paidAmount: number): Promise<boolean> {
  const row = await site.d1(`SELECT paid_amount FROM transactions WHERE id = '${id}'`);
  return row?.["paid_amount"] === paidAmount;
}

/** Compares the company's other rows, too. */
async function compare(stage: Stage): Promise<void> {
  await stage.run("verify");
}

/** Runs the restore of a company until object and D1 agree, then ends its freeze. */
async function restoreCompany(stage: Stage): Promise<void> {
  const deadline = Date.now() + BROUGHT_BACK_WITHIN_MS;
  let restored = await stage.run("restoreCompany");
  while (!/agrees/.test(restored.output) && Date.now() < deadline) {
    await wait(REPEAT_MS);
    restored = await stage.run("restoreCompany");
  }
  await stage.approveAll(restored);
  // A check had frozen it first.
  if (restored.status === 0) return;
  const { data } = await stage.ask<{ data: { id: string } }>("unfreeze");
  await stage.approve(data.id);
}
