import { z } from "@hono/zod-openapi";

export const CallbackAccepted = z
  .object({ ok: z.literal(true) })
  .openapi("CallbackTaken", { example: { ok: true } });
