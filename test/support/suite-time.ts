import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import type { Env } from "../../src/config.ts";
import { stateOf } from "../../src/service-state/stub.ts";

const { SUITE_BEGINS } = env as unknown as { SUITE_BEGINS: string };

/** Where a Worker's isolate remembers that its time was moved: every test file loads this anew. */
const MOVED = Symbol.for("centavo.suite-time");
const isolate = globalThis as { [MOVED]?: true };

/**
 * Has this isolate's time begin at `SUITE_BEGINS` and pass as the real one does, so that no result depends on the hour or
 * the day of a run. Alarms are the platform's, which has the real time.
 */
export async function beginSuiteTime(): Promise<void> {
  if (isolate[MOVED]) return;
  isolate[MOVED] = true;
  const RealDate = Date;
  const aheadMs = Date.parse(SUITE_BEGINS) - Date.now();
  const realNow = RealDate.now.bind(RealDate);
  const now = () => realNow() + aheadMs;
  // A test may have `Date.now` say another time.
  RealDate.now = now;
  globalThis.Date = new Proxy(RealDate, {
    apply: () => new RealDate(now()).toString(),
    construct: (real, values, target) =>
      Reflect.construct(real, values.length === 0 ? [now()] : values, target),
  });
  await moveAlarms(aheadMs);
}

/** The platform's alarms, of all objects, ring by the suite's time. */
async function moveAlarms(aheadMs: number): Promise<void> {
  const prototype = await runInDurableObject(
    stateOf(env as unknown as Env),
    (_object, { storage }) => Object.getPrototypeOf(storage) as DurableObjectStorage,
  );
  // oxlint-disable-next-line typescript/unbound-method -- called with the right `this` below
  const { setAlarm, getAlarm } = prototype;
  prototype.setAlarm = function moved(at, options) {
    return setAlarm.call(this, Number(at) - aheadMs, options);
  };
  prototype.getAlarm = async function moved(options) {
    const at = await getAlarm.call(this, options);
    return at === null ? null : at + aheadMs;
  };
}
