import { systemDependencies } from "../../src/dependencies.ts";
import { NOTHING_PAUSED } from "../../src/domain/operators/pause.ts";

// Their reads each some seconds would be counted at random. Their own tests ask other ones. A module of its own, imported
// before every app of the tests is made.
systemDependencies.schemaVersions = { isNewer: async () => false };
systemDependencies.pauses = {
  ask: async () => NOTHING_PAUSED,
  list: async () => NOTHING_PAUSED,
  of: async () => null,
  pause: async () => NOTHING_PAUSED,
  resume: async () => NOTHING_PAUSED,
};
