import { etag, RETAINED_304_HEADERS } from "hono/etag";
import type { Api } from "../../http/api.ts";
import { findForCheckout } from "../checkout/service.ts";
import { requireTexts } from "../transactions/service.ts";
import { findCompany } from "../../db/companies/companies.ts";
import { toTransactionRecord } from "../../db/projection/transaction-mapper.ts";
import { parseSecureId } from "../../domain/shared/ids.ts";
import { depsOfCompany, type AppContext } from "../../http/context.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { limitPublicRoute } from "../../http/rate-limits/enforce.ts";
import { notFound } from "../../http/problems.ts";
import { hasSlip, toSlip, type BoletoSlip } from "../../methods/boleto/slip/slip.ts";

/**
 * A slip shows a payer's name, document and address: only the payer's own browser may keep it, it asks again each
 * time, and no page passes it on.
 */
const HEADERS = {
  "Cache-Control": "private, no-cache",
  "X-Robots-Tag": "noindex",
};
/** Raised with a change of how slips are drawn, so that no browser keeps an old drawing. */
const DRAWING = 1;
/** Drawn PDFs that an isolate keeps, each some 30 KB: drawing one takes much of a request's CPU time. */
const PDFS_MAX = 50;

/** A 304 says what the 200 said about keeping it. */
const HEADERS_OF_304 = { retainedHeaders: [...RETAINED_304_HEADERS, ...Object.keys(HEADERS)] };

/** Drawn PDFs by ETag, oldest first. */
const pdfs = new Map<string, Uint8Array<ArrayBuffer>>();

/** No script, nothing loaded from anywhere; drawings and styles are in the page itself. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/**
 * `/boletos/{secureId}`: the slip of a boleto, as a page and as a PDF, for anybody with the link. The
 * first request loads the code that draws them, so that the Worker starts fast.
 */
export function boletoPages(app: Api): void {
  app.use("/boletos/*", limitPublicRoute);
  app.get("/boletos/:file{[\\w-]+\\.pdf}", etag(HEADERS_OF_304), async (c) => {
    const slip = await findSlip(c, c.req.param("file").slice(0, -".pdf".length));
    const tag = await etagOf("pdf", slip);
    return c.body(await pdfOf(slip, tag), 200, {
      ...HEADERS,
      ETag: tag,
      "Content-Type": "application/pdf",
      "Content-Disposition": 'inline; filename="boleto.pdf"',
    });
  });
  app.get("/boletos/:secureId", etag(HEADERS_OF_304), async (c) => {
    const secureId = c.req.param("secureId");
    const slip = await findSlip(c, secureId);
    const { slipPage } = await import("../../methods/boleto/slip/html.ts");
    return c.html(slipPage(slip, `/boletos/${secureId}.pdf`), 200, {
      ...HEADERS,
      ETag: await etagOf("page", slip),
      "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    });
  });
}

/** A strong ETag: the same slip is drawn the same. */
async function etagOf(form: "page" | "pdf", slip: BoletoSlip): Promise<string> {
  return `"${await sha256Hex(JSON.stringify([form, DRAWING, slip]))}"`;
}

async function pdfOf(slip: BoletoSlip, tag: string): Promise<Uint8Array<ArrayBuffer>> {
  const known = pdfs.get(tag);
  if (known !== undefined) return known;
  const { slipPdf } = await import("../../methods/boleto/slip/pdf.ts");
  const drawn = await slipPdf(slip);
  const [oldest] = pdfs.keys();
  if (pdfs.size >= PDFS_MAX && oldest !== undefined) pdfs.delete(oldest);
  pdfs.set(tag, drawn);
  return drawn;
}

async function findSlip(c: AppContext, secureId: string): Promise<BoletoSlip> {
  // The transaction's UUID alone, by which a payer's page polls, does not open a slip.
  const row = parseSecureId(secureId) === null ? null : await findForCheckout(c.env, secureId);
  if (row !== null) requireTexts(row);
  const record = row === null ? null : toTransactionRecord(row);
  if (record === null || !hasSlip(record)) throw notFound("boleto");
  const company = await findCompany(c.env, record.companyId);
  if (company === null) throw notFound("boleto");
  return toSlip(record, company, depsOfCompany(c.get("deps"), company).clock.now());
}
