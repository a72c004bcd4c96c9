/**
 * `npm run test:kill-houses`: a live company sells at two houses that outlive the service. The service is killed with -9
 * under load twenty times while notices are lost, doubled and late. At the end houses and ledger must agree to the
 * centavo; otherwise it exits 1. `CYCLES` and `SEED` are honoured.
 */
import { runByHand } from "./lib/by-hand.ts";
import { HousesKillRun } from "./houses/run.ts";

await runByHand({
  name: "houses",
  counterparts: "houses",
  run: (options) => new HousesKillRun(options).result(),
});
