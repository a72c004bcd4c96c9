import type { Api } from "../../http/api.ts";
import { findForCheckout } from "../checkout/service.ts";
import { findCompany } from "../../db/companies/companies.ts";
import { toTransactionRecord } from "../../db/projection/transaction-mapper.ts";
import { parseSecureId } from "../../domain/shared/ids.ts";
import type { AppContext } from "../../http/context.ts";
import { limitPublicRoute } from "../../http/rate-limits/enforce.ts";
import { notFound } from "../../http/problems.ts";
import { hasSlip, toSlip, type BoletoSlip } from "../../methods/boleto/slip/slip.ts";

/** A slip shows a payer's name, document and address: no cache may keep it and no page pass it on. */
const HEADERS = {
  "Cache-Control": "no-store",
  "X-Robots-Tag": "noindex",
};

/** No script, nothing loaded from anywhere; drawings and styles are in the page itself. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/**
 * `/boletos/{secureId}`: the slip of a boleto, as a page and as a PDF, for anybody with the link. The
 * first request loads the code that draws them, so that the Worker starts fast.
 */
export function boletoPages(app: Api): void {
  app.use("/boletos/*", limitPublicRoute);
  app.get("/boletos/:file{[\\w-]+\\.pdf}", async (c) => {
    const slip = await findSlip(c, c.req.param("file").slice(0, -".pdf".length));
    const { slipPdf } = await import("../../methods/boleto/slip/pdf.ts");
    return c.body(await slipPdf(slip), 200, {
      ...HEADERS,
      "Content-Type": "application/pdf",
      "Content-Disposition": 'inline; filename="boleto.pdf"',
    });
  });
  app.get("/boletos/:secureId", async (c) => {
    const secureId = c.req.param("secureId");
    const slip = await findSlip(c, secureId);
    const { slipPage } = await import("../../methods/boleto/slip/html.ts");
    return c.html(slipPage(slip, `/boletos/${secureId}.pdf`), 200, {
      ...HEADERS,
      "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    });
  });
}

async function findSlip(c: AppContext, secureId: string): Promise<BoletoSlip> {
  // The transaction's UUID alone, by which a payer's page polls, does not open a slip.
  const row = parseSecureId(secureId) === null ? null : await findForCheckout(c.env, secureId);
  const record = row === null ? null : toTransactionRecord(row);
  if (record === null || !hasSlip(record)) throw notFound("boleto");
  const company = await findCompany(c.env, record.companyId);
  if (company === null) throw notFound("boleto");
  return toSlip(record, company, c.get("deps").clock.now());
}
