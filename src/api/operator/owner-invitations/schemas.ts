import { z } from "@hono/zod-openapi";
import { MadeInvitation } from "../../people/schemas.ts";
import { WARNINGS_FIELD } from "../given-right.ts";

export const MadeOwnerInvitation = z
  .object({ data: z.object({ ...MadeInvitation.shape.data.shape, ...WARNINGS_FIELD }) })
  .openapi("MadeOwnerInvitation");
