import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { PDFiumLibrary } from "@hyzyla/pdfium";
import { beforeAll, describe, expect, test } from "vitest";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import { BARCODE_MM } from "../../../../../src/methods/boleto/slip/barcode-symbol.ts";
import { slipPage } from "../../../../../src/methods/boleto/slip/html.ts";
import { slipPdf } from "../../../../../src/methods/boleto/slip/pdf.ts";
import { toSlip, type BoletoSlip } from "../../../../../src/methods/boleto/slip/slip.ts";
import {
  givenCharge,
  SLIP_COMPANY,
  SLIP_RENDERED_AT,
} from "../../../../support/builders/charges/slip.ts";

/** 216 dots an inch: a narrow bar of 0.25 mm is two dots wide. */
const PDF_SCALE = 3;
/** Resolution of the rendered page. */
const PIXELS_PER_MODULE = 3;
const BAR_MODULES = 30;
const CLOSED = { status: "paid" } as const;

interface Picture {
  data: Uint8ClampedArray<ArrayBuffer>;
  width: number;
  height: number;
}

let pdfium: PDFiumLibrary;

beforeAll(async () => {
  const wasm = createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm");
  const bytes = await readFile(wasm);
  // The library would fetch it from a server otherwise.
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(bytes).buffer } });
  pdfium = await PDFiumLibrary.init();
});

describe("the PDF", () => {
  test("shows a barcode and a PIX code that scanners read, and names payer, payee and amount", async () => {
    const charge = givenCharge();
    const slip = toSlip(charge, SLIP_COMPANY, SLIP_RENDERED_AT);
    const { text, picture, pages } = await opened(slip);
    const { barcode, qrcode } = charge.boleto.registered;
    expect(await read(picture)).toEqual({ ITF: barcode, QRCode: qrcode });
    expect(pages).toBe(1);
    for (const words of [
      slip.payment?.formattedLine,
      slip.bank,
      slip.payer.name,
      slip.payer.document,
      "Rua das Flores, 10 - Centro - São Paulo/SP - CEP 01001-000",
      slip.beneficiary.name,
      slip.beneficiary.document,
      slip.dueDate,
      slip.issuedOn,
      slip.amount,
      slip.documentNumber,
      slip.ourNumber,
      ...slip.terms,
    ]) {
      expect(text).toContain(words);
    }
    expect(text).not.toContain("AMBIENTE DE TESTES");
  });

  test("of a paid boleto has no code, and is identical for the same slip", async () => {
    const slip = toSlip(
      givenCharge({}, CLOSED),
      { ...SLIP_COMPANY, mode: "sandbox" },
      SLIP_RENDERED_AT,
    );
    const { text, picture } = await opened(slip);
    expect(await read(picture)).toEqual({});
    expect(text).toContain("PAGO");
    expect(text).toContain("AMBIENTE DE TESTES");
    expect(text).not.toContain("00190.00009");
    expect(await slipPdf(slip)).toEqual(await slipPdf(slip));
  });

  test("accepts any text: an unsupported character becomes a question mark, a long text is cut or wrapped", async () => {
    const { payer } = givenCharge();
    const address = { ...payer.address, street: `Rua ${"W".repeat(251)}` };
    const charge = givenCharge(
      { instructions: `${"\n i".repeat(100)}\u202e\u0000🍕`, documentNumber: "M".repeat(16) },
      { payer: { ...payer, name: `Zoé\u0301 王小明 👩‍👩‍👧 ${"M".repeat(106)}`, address } },
    );
    const name = "Café\u0000\nÇÃÕ\t🍕".padEnd(120, "M");
    const slip = toSlip(charge, { ...SLIP_COMPANY, name }, SLIP_RENDERED_AT);
    const { text, picture, pages } = await opened(slip);
    const { barcode, qrcode } = charge.boleto.registered;
    expect(await read(picture)).toEqual({ ITF: barcode, QRCode: qrcode });
    expect(pages).toBe(1);
    expect(text).toContain("Café ÇÃÕ ?MMM");
    expect(text).toMatch(/Zoé\?? \?{3} \?/);
    expect(text).toContain("M…");
  });
});

test("the PDF's barcode is as long as FEBRABAN asks", async () => {
  const { picture } = await opened(toSlip(givenCharge(), SLIP_COMPANY, SLIP_RENDERED_AT));
  const codes = await codesIn(picture, ["ITF"]);
  const dotsPerMm = (72 * PDF_SCALE) / 25.4;
  const lengths = codes.map(
    ({ position: { topLeft, topRight } }) => (topRight.x - topLeft.x) / dotsPerMm,
  );
  expect(lengths).toEqual([expect.closeTo(BARCODE_MM.width, 0)]);
});

describe("the page", () => {
  test("shows a barcode and a PIX code that scanners read, and has no script", async () => {
    const charge = givenCharge();
    const page = await pageOf(toSlip(charge, SLIP_COMPANY, SLIP_RENDERED_AT));
    const pictures = drawings(page);
    expect(pictures).toHaveLength(2);
    const codes = await Promise.all(pictures.map(read));
    const { barcode, qrcode } = charge.boleto.registered;
    expect(Object.assign({}, ...codes)).toEqual({ ITF: barcode, QRCode: qrcode });
    expect(page).toContain(qrcode);
    expect(page).not.toContain("<script");
    expect(page).not.toMatch(/\son\w+=/);
  });

  test("of a paid boleto has no code", async () => {
    const slip = toSlip(givenCharge({}, CLOSED), SLIP_COMPANY, SLIP_RENDERED_AT);
    const page = await pageOf(slip);
    expect(drawings(page)).toEqual([]);
    expect(page).toContain("PAGO");
    expect(page).not.toContain("00190.00009");
    expect(page).not.toContain("br.gov.bcb.pix");
  });
});

async function pageOf(slip: BoletoSlip): Promise<string> {
  const page = await slipPage(slip, "/boletos/x.pdf");
  return page.toString();
}

async function opened(slip: BoletoSlip) {
  const document = await pdfium.loadDocument(await slipPdf(slip));
  const page = document.getPage(0);
  const text = page.getText().replaceAll("\r\n", "\n");
  const { data, width, height } = await page.render({
    scale: PDF_SCALE,
    render: (image) => Promise.resolve(image.data),
  });
  const pages = document.getPageCount();
  const picture = { data: new Uint8ClampedArray(data), width, height };
  document.destroy();
  return { text, pages, picture };
}

/** The codes that a scanner reads in a picture, by kind. */
async function read(picture: Picture): Promise<Record<string, string>> {
  const codes = await codesIn(picture, ["ITF", "QRCode"]);
  return Object.fromEntries(codes.map(({ format, text }) => [format, text]));
}

function codesIn({ data, width, height }: Picture, formats: ("ITF" | "QRCode")[]) {
  const image = { data, width, height, colorSpace: "srgb" } as ImageData;
  return readBarcodes(image, { formats, tryHarder: true });
}

/** The page's drawings as a browser paints them, on white, with a margin. */
function drawings(page: string): Picture[] {
  const svgs = page.matchAll(/viewBox="([^"]+)"[^>]*>\s*<path d="([^"]+)"/g);
  return Array.from(svgs, ([, box = "", path = ""]) => {
    const [left = 0, top = 0, across = 0, down = 0] = box.split(" ").map(Number);
    const tall = down === 1 ? BAR_MODULES : 1;
    const room = 10;
    const width = (across + 2 * room) * PIXELS_PER_MODULE;
    const height = (down * tall + 2 * room) * PIXELS_PER_MODULE;
    const data = new Uint8ClampedArray(width * height * 4).fill(255);
    for (const [, x, y, w, h] of path.matchAll(/M(\d+) (\d+)h(\d+)v(\d+)h-\d+z/g)) {
      const bar = { x: Number(x) - left + room, y: (Number(y) - top) * tall + room };
      for (let row = 0; row < Number(h) * tall * PIXELS_PER_MODULE; row++) {
        const start = (bar.y * PIXELS_PER_MODULE + row) * width + bar.x * PIXELS_PER_MODULE;
        for (let pixel = start; pixel < start + Number(w) * PIXELS_PER_MODULE; pixel++) {
          data.fill(0, pixel * 4, pixel * 4 + 3);
        }
      }
    }
    return { data, width, height };
  });
}
