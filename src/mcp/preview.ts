import * as z from "zod";
import { configOf } from "../config.ts";
import type { AppContext } from "../http/context.ts";
import { sha256Hex } from "../lib/hash.ts";
import { seal, unseal } from "../lib/secret-box.ts";
import type { Refused } from "./tool.ts";

/** How long a person may think about a preview. */
const PREVIEW_MS = 15 * 60_000;

/** The id of a preview, as its act takes it. */
export const previewId = z
  .string()
  .min(1)
  .describe("The previewId of the preview that a person has seen.");

/**
 * The id of a preview: what its act will do, sealed for the application that asked. Nothing is stored, and another
 * amount needs another preview.
 */
export async function sealPreview(c: AppContext, act: string, asked: unknown): Promise<string> {
  const until = c.get("deps").platformClock.now() + PREVIEW_MS;
  return seal(configOf(c.env).secretsKeys, JSON.stringify({ asked, until }), contextOf(c, act));
}

/**
 * What a preview of this application asked for, and the key under which its act is done once, however often it is
 * called; a refusal for an id of another act or application, or an old one.
 */
export async function openPreview<Asked extends z.ZodType>(
  c: AppContext,
  act: string,
  schema: Asked,
  id: string,
): Promise<{ asked: z.output<Asked>; idempotencyKey: string } | Refused> {
  const ring = configOf(c.env).secretsKeys;
  const text = await unseal(ring, id, contextOf(c, act)).catch(() => null);
  // Sealed by this service, so of its own shape.
  const kept = text === null ? null : (JSON.parse(text) as { until: number; asked: unknown });
  if (kept === null || kept.until <= c.get("deps").platformClock.now()) {
    const detail =
      "The previewId is of another act or application, or older than 15 minutes. Preview again.";
    return { refused: { code: "VALIDATION_FAILED", detail, traceId: c.get("traceId") } };
  }
  return {
    asked: schema.parse(kept.asked),
    idempotencyKey: `mcp_${(await sha256Hex(id)).slice(0, 40)}`,
  };
}

function contextOf(c: AppContext, act: string): string {
  const { company, clientId } = c.get("caller");
  return `mcp-preview:${act}:${company.id}:${clientId}`;
}
