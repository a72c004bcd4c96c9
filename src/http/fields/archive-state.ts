import { z } from "@hono/zod-openapi";

export const ArchiveStateName = z.enum(["ok", "missing", "behind", "unknown"]).openapi({
  description:
    "Whether the archive has all that D1 took: no bucket is bound (`missing`), it lacks changes (`behind`), or what " +
    "knows does not answer (`unknown`). The service works without; a restore brings less back.",
});
