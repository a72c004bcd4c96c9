import { z } from "@hono/zod-openapi";
import type { Api } from "../../../http/api.ts";
import { requireScope } from "../../../http/auth/auth.ts";
import { PDF_TYPE } from "../../../http/negotiation.ts";
import { Dossier } from "./schemas.ts";
import { dossierOf, filesOfDossier } from "./service.ts";
import { routesOf } from "../../../http/openapi/route.ts";
import { companyDeps } from "../../../http/context.ts";

const route = routesOf("Disputes");

const dossier = route.get("/api/v1/disputes/{id}/dossier", {
  operationId: "getDisputeDossier",
  summary: "Get all that is known of a dispute, signed",
  description:
    "The dispute, its transaction, timeline, postings with their hashes, webhooks with the receiver's " +
    "answers, payer, items and evidence, signed with the company's Ed25519 key. `Accept: application/pdf` " +
    "answers the same as a PDF in Portuguese for a bank, with the signed JSON attached and, with `pii:read`, the " +
    "files. Personal data are masked without it.",
  guard: requireScope("transactions:read"),
  params: z.object({
    id: z.string().openapi({ example: "E00000000202611211201a1b2c3d4e5f:D1" }),
  }),
  answers: {
    200: {
      description: "The dossier",
      content: {
        "application/json": { schema: Dossier },
        [PDF_TYPE]: { schema: z.string().openapi({ format: "binary" }) },
      },
    },
  },
  problems: ["NOT_FOUND"],
});

export { dossier as getDisputeDossier };

/** The dossier. The first PDF loads the code that draws it, so that the Worker starts fast. */
export function dossierRoute(app: Api): void {
  app.openapi(dossier, async (c) => {
    const now = companyDeps(c).clock.now();
    const signed = await dossierOf(c.env, c.get("caller"), c.req.valid("param").id, now);
    if (c.get("mediaType") !== PDF_TYPE) return c.json(signed, 200);
    const files = await filesOfDossier(c.env, c.get("caller"), c.req.valid("param").id);
    const { dossierPdf } = await import("./pdf.ts");
    return c.body(await dossierPdf(signed, files), 200, {
      "Content-Type": PDF_TYPE,
      "Content-Disposition": 'attachment; filename="dossie.pdf"',
      "Cache-Control": "private, no-store",
    }) as never;
  });
}
