import { startService } from "../../../tools/lib/service.ts";
import { operatorApi } from "../../../tools/lib/operator-client.ts";
import { verifyCompany } from "../../../tools/lib/verify-company.ts";
import { wait } from "../../kill/lib/wait.ts";
import { Shop, type Kind } from "./shop.ts";

/** How long the shop works at each version, at least. */
const WORK_MS = 20_000;
const BUYERS = 4;

/** How an upgrade went. */
export interface Upgraded {
  acknowledged: Record<Kind, number>;
  /** Requests that got no answer, or were told to come again. */
  refused: number;
  /** The longest time without an answer. */
  silentSeconds: number;
  problems: string[];
}

/** Starts this service on the state of an older checkout's, under load. Throws if either does not start. */
export async function upgradeFrom(checkout: string, stateDir: string): Promise<Upgraded> {
  const old = await startService({ root: checkout, stateDir });
  const { base } = old;
  const shop = new Shop(base);
  // A buyer that fails ends the run at once.
  const working = Promise.all(Array.from({ length: BUYERS }, () => shop.work()));
  let service = old;
  try {
    await Promise.race([working, wait(WORK_MS)]);
    await old.stop();
    service = await startService({ stateDir, port: Number(new URL(base).port) });
    await Promise.race([working, wait(WORK_MS)]);
    shop.close();
    await working;
    const problems = [...(await shop.problems()), ...(await violations(base, shop.companyId))];
    return {
      acknowledged: shop.acknowledged(),
      refused: shop.refused,
      silentSeconds: Math.round(shop.longestSilenceMs / 1_000),
      problems,
    };
  } finally {
    shop.close();
    await service.stop();
  }
}

async function violations(base: string, companyId: number): Promise<string[]> {
  const api = operatorApi({ url: base });
  return (await verifyCompany(api, companyId, { repair: false, archived: false })).violations;
}
