/**
 * `npm run test:kill-psp`: live companies have PSPs that outlive the service. The service is
 * killed with -9 under load twenty times while callbacks are lost, duplicated and late. At the
 * end banks and ledgers must agree to the centavo; otherwise it exits 1. `CYCLES` and `SEED` are
 * honoured.
 */
import { runByHand } from "./lib/by-hand.ts";
import { PspKillRun } from "./psp/run.ts";

await runByHand({
  name: "psp",
  counterparts: "banks",
  run: (options) => new PspKillRun(options).result(),
});
