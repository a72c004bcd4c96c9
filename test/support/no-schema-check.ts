import { systemDependencies } from "../../src/dependencies.ts";

// Its read each half minute would be counted at random. Its own tests ask another one. A module of its own, imported
// before every app of the tests is made.
systemDependencies.schemaVersions = { isNewer: async () => false };
