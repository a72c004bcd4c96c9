import { z } from "@hono/zod-openapi";
import { text } from "../../../http/fields/fields.ts";
import { breaks } from "../../../lib/fields/rules.ts";
import { BINDING_NAME } from "../pix-api/schemas.ts";

/** A chain of four certificates of 4,096 bits fits. */
const PEM_MAX = 16_384;

/** `certificateIssues` also checks what depends on the Worker's bindings and on the time. */
export const NamedCertificate = z
  .object({
    binding: text(64).regex(BINDING_NAME, breaks("binding")).openapi({
      description: "A `mtls_certificates` binding of the Worker, which `npm run deploy` has bound.",
    }),
    certificate: text(PEM_MAX).optional().openapi({
      description:
        "Its public part (PEM), which says when it ends. Never the private key. Required for the binding in use.",
    }),
    request: text(PEM_MAX).optional().openapi({
      description: "The request (PKCS #10, PEM) that the certificate must answer.",
    }),
  })
  .openapi("NamedCertificate", { example: { binding: "PSP_LOJA_2" } });

export type NamedCertificate = z.output<typeof NamedCertificate>;

export const GivenUpTrial = z
  .object({ removed: z.literal(true) })
  .openapi("GivenUpCertificateTrial", { example: { removed: true } });
