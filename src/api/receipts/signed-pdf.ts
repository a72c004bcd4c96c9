import { z } from "zod";
import type { KeyRing } from "../../lib/secret-box.ts";
import { fromBase64, toBase64 } from "../../lib/base64.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { signDocument } from "../../webhooks/signing/signed-document.ts";

/** A comment of the PDF format (ISO 32000-1, 7.2.4) after its end, which readers skip. */
const MARK = "\n%Centavo-Signature ";
/** The comment's line is shorter. */
const MARK_MAX = 2_048;

/** What is signed of a PDF. */
const PdfProof = z.looseObject({
  type: z.literal("receipt_pdf"),
  company: z.object({ id: z.int() }),
  sha256: z.string(),
});

/** Appends the company's signature over all bytes of a PDF, so that any change of it can be seen. */
export async function signPdf(
  secretsKeys: KeyRing,
  company: { id: number; providerCompanyId: string },
  pdf: Uint8Array<ArrayBuffer>,
  nowMs: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const proof = await signDocument(
    secretsKeys,
    company.providerCompanyId,
    {
      type: "receipt_pdf",
      company: { id: company.id },
      sha256: await sha256Hex(pdf),
    } satisfies z.input<typeof PdfProof>,
    nowMs,
  );
  const text = new TextEncoder().encode(JSON.stringify(proof));
  const comment = new TextEncoder().encode(`${MARK}${toBase64(text)}\n`);
  const signed = new Uint8Array(pdf.length + comment.length);
  signed.set(pdf);
  signed.set(comment, pdf.length);
  return signed;
}

/**
 * The signed proof at the end of a PDF whose bytes it names; null where there is none, or where the PDF was
 * changed. The caller verifies the proof's signature.
 */
export async function proofOfPdf(bytes: Uint8Array<ArrayBuffer>): Promise<object | null> {
  const tailStart = Math.max(0, bytes.length - MARK_MAX);
  // One character for each byte, so that positions stay.
  const tail = new TextDecoder("latin1").decode(bytes.subarray(tailStart));
  const at = tail.lastIndexOf(MARK);
  if (at === -1) return null;
  const proof = parseProof(tail.slice(at + MARK.length).trimEnd());
  if (proof === null) return null;
  const sha256 = await sha256Hex(bytes.slice(0, tailStart + at));
  return proof.sha256 === sha256 ? proof : null;
}

function parseProof(base64: string): z.output<typeof PdfProof> | null {
  try {
    const json: unknown = JSON.parse(new TextDecoder().decode(fromBase64(base64)));
    return PdfProof.safeParse(json).data ?? null;
  } catch {
    return null;
  }
}
