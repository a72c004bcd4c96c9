import { call, type Answer, type Call } from "../requests/api.ts";
import type { TestCompany } from "../companies/env.ts";

/** Asks to erase the data of a payer. */
export function erasePayer(
  company: TestCompany,
  document: string,
  options: Call = {},
): Promise<Answer> {
  return call("/api/v1/payers/erase", { ...options, company, body: { document } });
}

/** One page of a payer's export. */
export function exportPayer(
  company: TestCompany,
  document: string,
  page: { after?: string; limit?: number } = {},
): Promise<Answer> {
  return call("/api/v1/payers/export", { company, body: { document, ...page } });
}

/** All pages of a payer's export, each checked to be one of a bounded size. */
export async function exportAll(
  company: TestCompany,
  document: string,
  limit: number,
): Promise<{ charges: any[]; events: any[]; withdraws: any[]; pages: number }> {
  const all = { charges: [] as any[], events: [] as any[], withdraws: [] as any[], pages: 0 };
  let after: string | undefined;
  for (;;) {
    const { status, text, body } = await exportPayer(company, document, {
      limit,
      ...(after === undefined ? {} : { after }),
    });
    if (status !== 200) throw new Error(`export answered ${status}: ${text}`);
    all.charges.push(...body.data.charges);
    all.events.push(...body.data.events);
    all.withdraws.push(...body.data.withdraws);
    all.pages += 1;
    if (!body.hasMore) return all;
    after = body.after;
  }
}
