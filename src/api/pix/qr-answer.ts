import { z } from "@hono/zod-openapi";
import { breaks } from "../../lib/fields/rules.ts";
import type { AppContext } from "../../http/context.ts";
import { PNG_TYPE, SVG_TYPE } from "../../http/negotiation.ts";

/** The query of a QR code. */
export const QrQuery = z.object({
  format: z.enum(["svg", "png"], { error: breaks("value", { values: "svg or png" }) }).optional(),
});

/** The answers of a QR code, for the document. */
export const QR_ANSWERS = {
  200: {
    description: "The QR code",
    content: {
      [SVG_TYPE]: { schema: z.string() },
      [PNG_TYPE]: { schema: z.string().openapi({ format: "binary" }) },
    },
  },
};

/** A text as a QR code, SVG or PNG by `format` or by `Accept`; SVG where neither says. */
export async function qrResponse(
  c: AppContext,
  text: string,
  { format = c.get("mediaType") === PNG_TYPE ? "png" : "svg" }: z.output<typeof QrQuery>,
): Promise<Response> {
  const { qrPng, qrSvg } = await import("../../lib/symbols/qr-image.ts");
  return format === "png"
    ? c.body(await qrPng(text), 200, { "Content-Type": PNG_TYPE })
    : c.body(qrSvg(text), 200, { "Content-Type": SVG_TYPE });
}
