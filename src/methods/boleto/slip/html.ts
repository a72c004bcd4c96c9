import { html, raw } from "hono/html";
import {
  amountCells,
  AMOUNTS_SHARE,
  closedNotice,
  FORM_TITLE,
  formRows,
  payerLines,
  PIX_TITLE,
  RECEIPT_TITLE,
  receiptRows,
  ROW_SHARES,
  TERMS_LABEL,
  TEST_NOTICE,
  type Cell,
} from "./rows.ts";
import type { BoletoSlip } from "./slip.ts";
import { svgPath, type Symbol2d } from "../../../lib/symbols/bars.ts";
import { QR_QUIET_ZONE, qrSymbol } from "../../../lib/symbols/qr.ts";
import { BARCODE_MM, barcodeSymbol, QUIET_ZONE_MM } from "./barcode-symbol.ts";

type Markup = ReturnType<typeof html>;

const STYLE = `
  :root { color-scheme: light; }
  * { box-sizing: border-box; }
  body { margin: 0; background: #eef0f3; color: #16181d; font: 15px/1.35 system-ui, sans-serif; }
  main { max-width: 210mm; margin: 0 auto; padding: 16px; }
  section { background: #fff; border-radius: 8px; padding: 16px; margin-bottom: 16px; }
  header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 14px; margin-bottom: 8px; }
  h1, h2 { font-size: 15px; margin: 0; }
  .bank { font-size: 21px; font-weight: 700; padding-right: 12px; border-right: 2px solid #16181d; }
  .line { font-size: 16px; font-weight: 600; font-variant-numeric: tabular-nums; user-select: all; }
  .closed { margin-top: 10px; font-size: 17px; }
  .end { margin-left: auto; }
  .stamp { font-size: 21px; font-weight: 800; letter-spacing: 1px; color: #a3171b; }
  .test { background: #fff4d6; border: 1px solid #d9a514; border-radius: 8px; padding: 10px 16px; margin: 0 0 16px; }
  .form { border: solid #8b919c; border-width: 1px 0 0 1px; }
  .row { display: flex; flex-wrap: wrap; }
  .cell { flex: 1 1 40%; min-width: 0; padding: 3px 7px 4px; min-height: 42px;
    border: solid #8b919c; border-width: 0 1px 1px 0; overflow-wrap: anywhere; }
  .cell.wide, .amounts { flex-basis: 100%; }
  .label { display: block; font-size: 11px; font-weight: 400; color: #5a606b; }
  .foot { text-align: right; }
  .strong { font-weight: 700; }
  .strong, .amounts .cell { text-align: right; }
  .strong .label, .amounts .label { text-align: left; }
  .amounts { display: flex; flex-direction: column; }
  .amounts .cell { flex: 1 1 auto; }
  p { margin: 0 0 3px; }
  .barcode { padding: 12px ${QUIET_ZONE_MM}mm 4px; }
  .barcode svg { display: block; width: ${BARCODE_MM.width}mm; max-width: 100%; height: ${BARCODE_MM.height}mm; }
  .pix { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; margin-top: 12px; }
  .pix svg { width: 44mm; height: 44mm; }
  .pix div { flex: 1 1 55mm; min-width: 0; }
  .code { font: 12px/1.4 ui-monospace, monospace; overflow-wrap: anywhere; user-select: all; }
  a { color: #0b57d0; }
  @media print, (min-width: 640px) {
    .row > * { flex: 0 0 calc(var(--share) / ${ROW_SHARES} * 100%); }
    .row > .cell.wide { flex-basis: calc(var(--share) / ${ROW_SHARES} * 100%); }
  }
  @page { size: A4; margin: 12mm; }
  @media print {
    body { background: #fff; font-size: 12px; }
    main { padding: 0; max-width: none; }
    section { padding: 0; border-radius: 0; margin: 0; break-inside: avoid; }
    section + section { border-top: 1px dashed #16181d; margin-top: 8mm; padding-top: 8mm; }
    .cell { min-height: 34px; }
    .label { font-size: 9px; }
    .screen { display: none; }
  }
`;

/** The slip as a page without scripts; `pdfPath` is where the same is as a PDF. */
export function slipPage(slip: BoletoSlip, pdfPath: string): Markup {
  return html`<!doctype html>
    <html lang="pt-BR">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>Boleto - ${slip.beneficiary.name}</title>
        <link rel="icon" href="data:," />
        <style>
          ${raw(STYLE)}
        </style>
      </head>
      <body>
        <main>
          ${slip.isTest ? html`<p class="test">${TEST_NOTICE}</p>` : ""} ${receipt(slip, pdfPath)}
          ${form(slip)}
        </main>
      </body>
    </html>`;
}

function receipt(slip: BoletoSlip, pdfPath: string): Markup {
  return html`<section>
    <header>
      <h1>${RECEIPT_TITLE}</h1>
      ${slip.stamp === null ? "" : html`<span class="stamp">${slip.stamp}</span>`}
      <a class="screen end" href="${pdfPath}">Baixar PDF</a>
    </header>
    <div class="form">${receiptRows(slip).map(row)}</div>
    ${pix(slip)}
  </section>`;
}

function pix({ payment }: BoletoSlip): Markup | "" {
  if (payment === null || payment.qrcode === null) return "";
  return html`<div class="pix">
    ${svg("QR code do PIX", qrSymbol(payment.qrcode), QR_QUIET_ZONE)}
    <div>
      <h2>${PIX_TITLE}</h2>
      <p>Aponte a câmera do aplicativo do seu banco, ou copie o código:</p>
      <p class="code">${payment.qrcode}</p>
    </div>
  </div>`;
}

function form(slip: BoletoSlip): Markup {
  const { payment, stamp } = slip;
  return html`<section>
    <header>
      <span class="bank">${slip.bank}</span>
      ${
        payment === null
          ? html`<span class="stamp">${stamp}</span>`
          : html`<span class="line">${payment.formattedLine}</span>`
      }
    </header>
    <div class="form">
      ${formRows(slip).map(row)}
      <div class="row">
        <div class="cell wide" style="--share:${ROW_SHARES - AMOUNTS_SHARE}">
          <span class="label">${TERMS_LABEL}</span>
          ${[...slip.terms, slip.instructions].map((text) => html`<p>${text}</p>`)}
        </div>
        <div class="amounts" style="--share:${AMOUNTS_SHARE}">${amountCells(slip).map(cell)}</div>
      </div>
      <div class="row">
        <div class="cell wide" style="--share:${ROW_SHARES}">
          <span class="label">Pagador</span>
          ${payerLines(slip).map((text) => html`<p>${text}</p>`)}
        </div>
      </div>
    </div>
    ${
      payment === null
        ? html`<p class="stamp closed">${closedNotice(stamp ?? "")}</p>`
        : html`<div class="barcode">
            ${svg("Código de barras", barcodeSymbol(payment.barcode), 0)}
          </div>`
    }
    <p class="label foot">Autenticação mecânica - ${FORM_TITLE}</p>
  </section>`;
}

function row(cells: Cell[]): Markup {
  return html`<div class="row">${cells.map(cell)}</div>`;
}

function cell({ label, value, share, strong }: Cell): Markup {
  return html`<div class="cell${strong === true ? " strong" : ""}" style="--share:${share}">
    <span class="label">${label}</span>${value}
  </div>`;
}

/** Stretched to whatever size the page gives it; `quiet` is the white around it, in modules. */
function svg(title: string, symbol: Symbol2d, quietZone: number): Markup {
  const { width, height } = symbol;
  const box = [-quietZone, -quietZone, width + 2 * quietZone, height + 2 * quietZone].join(" ");
  return html`<svg
    role="img"
    aria-label="${title}"
    viewBox="${box}"
    preserveAspectRatio="none"
    shape-rendering="crispEdges"
  >
    <path d="${svgPath(symbol)}" />
  </svg>`;
}
