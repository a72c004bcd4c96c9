import { z } from "@hono/zod-openapi";
import { REQUESTER_KINDS } from "../../domain/access/requester.ts";

/** Who asked for money to move, or decided about it. */
export const RequesterSchema = z
  .object({
    kind: z.enum(REQUESTER_KINDS),
    id: z.string().openapi({ description: "A client id; of a person `person_` and an id." }),
    name: z.string().openapi({ description: "Empty for what was stored before names were." }),
  })
  .openapi("Requester", {
    example: { kind: "application", id: "app_local_loja", name: "default" },
  });
