import { z } from "@hono/zod-openapi";
import { cursor, pageLimit, text, TEXT_MAX } from "../../../http/fields/fields.ts";
import { ISSUE_FIELDS, IssuedApiKey } from "../../applications/keys/schemas.ts";
import { WARNINGS_FIELD } from "../given-right.ts";

export const OperatorKeysQuery = z.object({
  clientId: text(TEXT_MAX).optional().openapi({ description: "Only this application's keys." }),
  after: cursor.optional(),
  limit: pageLimit,
});

export const IssueApiKey = z
  .object({
    clientId: text(TEXT_MAX).optional().openapi({
      description: "The application; by default the company's only one.",
      example: "app_kq3vX9r2TfWm0sZbY1hUeA",
    }),
    ...ISSUE_FIELDS,
  })
  .openapi("IssueApiKey");

export const IssuedCompanyKey = z
  .object({ ...IssuedApiKey.shape, ...WARNINGS_FIELD })
  .openapi("IssuedCompanyKey");
