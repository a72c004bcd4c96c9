import { accepts } from "hono/accepts";
import { createMiddleware } from "hono/factory";
import { EVIDENCE_FILE_TYPES } from "../domain/disputes/evidence-file.ts";
import { Problem } from "../domain/shared/problem.ts";
import type { AppEnv } from "./context.ts";

const JSON_TYPE = "application/json";
export const CSV_TYPE = "text/csv";
/** Open Financial Exchange: what accounting programs import. */
export const OFX_TYPE = "application/x-ofx";
/** A workbook of a spreadsheet program (OOXML). */
export const XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
export const ZIP_TYPE = "application/zip";
export const PDF_TYPE = "application/pdf";
export const SVG_TYPE = "image/svg+xml";
export const PNG_TYPE = "image/png";

/** Media types besides JSON, by the path. */
const EXTRA_TYPES: [RegExp, string][] = [
  [/^\/api\/Balance\/statement\//, CSV_TYPE],
  [/^\/api\/v1\/transactions(?:\/search)?$/, CSV_TYPE],
  [/^\/api\/v1\/withdraws(?:\/search)?$/, CSV_TYPE],
  [/^\/api\/v1\/reports\/(?:rehearsal|fees)$/, CSV_TYPE],
  [/^\/api\/Balance\/statement\//, OFX_TYPE],
  [/^\/api\/v1\/statement\/entries$/, CSV_TYPE],
  [/^\/api\/v1\/statement\/entries$/, OFX_TYPE],
  [/^\/api\/v1\/statement\/entries$/, XLSX_TYPE],
  [/^\/api\/v1\/statement\/archive$/, ZIP_TYPE],
  [/^\/api\/v1\/(?:transactions|withdraws)\/[^/]+\/receipt$/, PDF_TYPE],
  [/^\/api\/v1\/(?:payment-links|transactions)\/[^/]+\/qr$/, SVG_TYPE],
  [/^\/api\/v1\/(?:payment-links|transactions)\/[^/]+\/qr$/, PNG_TYPE],
  [/^\/api\/v1\/disputes\/[^/]+\/dossier$/, PDF_TYPE],
  ...EVIDENCE_FILE_TYPES.map((type): [RegExp, string] => [
    /^\/api\/v1\/disputes\/[^/]+\/evidence\/files\/[^/]+$/,
    type,
  ]),
];

/**
 * Chooses the response's media type (RFC 9110): JSON, unless `Accept` prefers another type of the path. A
 * missing header accepts every type. Throws 406. Hono parses the header; its own matching refuses the range of
 * all types.
 */
export const negotiateContent = createMiddleware<AppEnv>(async (c, next) => {
  const more = EXTRA_TYPES.filter(([path]) => path.test(c.req.path)).map(([, type]) => type);
  const supports = [JSON_TYPE, ...more];
  const chosen = accepts(c, {
    header: "Accept",
    supports,
    default: "",
    match: (accepted, config) => {
      const ranges = accepted.map(({ type, q }) => ({ type: type.toLowerCase(), q }));
      const qualityOf = (type: string) =>
        ranges.find((entry) => entry.type === type)?.q ??
        ranges.find((entry) => entry.type === `${type.split("/")[0]}/*`)?.q ??
        ranges.find((entry) => entry.type === "*/*" || entry.type === "*")?.q ??
        0;
      const best = Math.max(...config.supports.map(qualityOf));
      return config.supports.find((type) => best > 0 && qualityOf(type) === best) ?? config.default;
    },
  });
  if (chosen === "" && c.req.header("Accept")) {
    throw new Problem({
      code: "NOT_ACCEPTABLE",
      detail: `This path answers in ${supports.join(" or ")} only.`,
    });
  }
  c.set("mediaType", chosen === "" ? JSON_TYPE : chosen);
  await next();
});
