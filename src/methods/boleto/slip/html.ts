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
import sheet from "./slip.css";
import { BARCODE_MM, barcodeSymbol, QUIET_ZONE_MM } from "./barcode-symbol.ts";

type Markup = ReturnType<typeof html>;

/** The measures of the form, by which the style sheet draws it. */
const MEASURES = `:root {
  --row-shares: ${ROW_SHARES};
  --quiet-zone: ${QUIET_ZONE_MM}mm;
  --barcode-width: ${BARCODE_MM.width}mm;
  --barcode-height: ${BARCODE_MM.height}mm;
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
          ${raw(MEASURES + sheet)}
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
    ${svg("QR code do Pix", qrSymbol(payment.qrcode), QR_QUIET_ZONE)}
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
