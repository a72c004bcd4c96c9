import { z } from "@hono/zod-openapi";
import { PIX_KEY_TYPES } from "../../domain/shared/pix-key.ts";
import { allowedPixKeyView } from "../../domain/withdraws/allowed-pix-key.ts";
import {
  cursor,
  EVEN_AFTER_OTHER_ERRORS,
  isoTimeText,
  pageLimit,
  text,
  TEXT_MAX,
} from "../../http/fields/fields.ts";
import { checkPixKey } from "../withdraws/schemas.ts";
import { breaks } from "../../lib/fields/rules.ts";

const ADDED_AT = Date.UTC(2026, 10, 21, 12);
const EXAMPLE = allowedPixKeyView({
  id: 1,
  pixKey: "maria@example.com",
  pixKeyType: "EMAIL",
  addedAt: ADDED_AT,
  countsFrom: ADDED_AT + 86_400_000,
});

export const AddPixKeyBody = z
  .object({
    pixKey: text(TEXT_MAX).min(1, breaks("notEmpty")),
    pixKeyType: z
      .enum(PIX_KEY_TYPES, { error: breaks("oneOf", { values: PIX_KEY_TYPES.join(", ") }) })
      .optional(),
  })
  .superRefine(checkPixKey, EVEN_AFTER_OTHER_ERRORS)
  .openapi("AddPixKey", { example: { pixKey: "maria@example.com", pixKeyType: "EMAIL" } });

const PixKey = z
  .object({
    id: z.int(),
    pixKey: z.string(),
    pixKeyType: z.enum(PIX_KEY_TYPES).openapi("PixKeyType"),
    addedAt: isoTimeText,
    countsFrom: isoTimeText.openapi({ description: "The end of its cool-down." }),
  })
  .openapi("AllowedPixKey", { example: EXAMPLE });

export const AddedPixKey = z.object({ data: PixKey }).openapi("AddedPixKey");

export const RemovedPixKey = z
  .object({ data: z.object({ id: z.int(), removed: z.literal(true) }) })
  .openapi("RemovedPixKey", { example: { data: { id: 1, removed: true } } });

export const PixKeysQuery = z.object({ after: cursor.default(0), limit: pageLimit });

export const PixKeys = z
  .object({ items: z.array(PixKey), after: z.string().nullable(), hasMore: z.boolean() })
  .openapi("AllowedPixKeys", { example: { items: [EXAMPLE], after: "1", hasMore: false } });
