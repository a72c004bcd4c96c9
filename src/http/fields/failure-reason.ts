import { z } from "@hono/zod-openapi";
import { FAILURE_CODES } from "../../domain/charges/failure-reason.ts";

/** `failureReason` of a withdraw or a transaction. */
export const FailureReasonSchema = z
  .object({
    code: z.enum(FAILURE_CODES).openapi({ example: "KEY_NOT_FOUND" }),
    message: z.string().openapi({ example: "The PIX key does not exist." }),
    retryable: z
      .boolean()
      .openapi({ description: "Whether the same request may succeed later.", example: false }),
  })
  .openapi("FailureReason", { description: "Why a withdraw or a transaction failed." });
