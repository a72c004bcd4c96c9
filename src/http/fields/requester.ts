import { z } from "@hono/zod-openapi";
import { REQUESTER_KINDS } from "../../domain/access/requester.ts";

/** Who asked for money to move, or decided about it. */
export const RequesterSchema = z
  .object({
    kind: z.enum(REQUESTER_KINDS),
    id: z.string().openapi({
      description:
        "A client id; of a person `person_` and his id; of a rule its reason; of a provider its account.",
    }),
    name: z.string().openapi({ description: "Empty for what was stored before names were." }),
  })
  .openapi("Requester", {
    example: { kind: "application", id: "app_local_loja", name: "Loja" },
  });

export const NullableRequester = z.union([RequesterSchema, z.null()]).openapi({
  description: "Who asked; null where nobody did, and for what is older than this record.",
});
