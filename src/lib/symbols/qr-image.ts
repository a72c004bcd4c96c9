import { crc32 } from "./crc32.ts";
import { svgPath } from "./bars.ts";
import { QR_QUIET_ZONE, qrSymbol } from "./qr.ts";

/** Pixels of one module: sharp on a screen and in print at the size of a card. */
const MODULE_PIXELS = 12;

/** A text as a QR code in SVG, with the white that readers need around it. */
export function qrSvg(text: string): string {
  const symbol = qrSymbol(text);
  const side = symbol.width + 2 * QR_QUIET_ZONE;
  const box = `${-QR_QUIET_ZONE} ${-QR_QUIET_ZONE} ${side} ${side}`;
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M${-QR_QUIET_ZONE} ${-QR_QUIET_ZONE}h${side}v${side}h-${side}z"/>` +
    `<path d="${svgPath(symbol)}"/></svg>`
  );
}

/** As `qrSvg`, as a PNG of one bit for each pixel (ISO/IEC 15948). */
export async function qrPng(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const { width, bars } = qrSymbol(text);
  const side = (width + 2 * QR_QUIET_ZONE) * MODULE_PIXELS;
  // Each line begins with the number of its filter: none.
  const lineBytes = 1 + Math.ceil(side / 8);
  const pixels = new Uint8Array(lineBytes * side).fill(0xff);
  for (let y = 0; y < side; y++) pixels[y * lineBytes] = 0;
  for (const bar of bars) {
    const left = (bar.x + QR_QUIET_ZONE) * MODULE_PIXELS;
    const top = (bar.y + QR_QUIET_ZONE) * MODULE_PIXELS;
    for (let y = top; y < top + bar.height * MODULE_PIXELS; y++) {
      for (let x = left; x < left + bar.width * MODULE_PIXELS; x++) {
        const at = y * lineBytes + 1 + (x >> 3);
        pixels[at] = pixels[at]! & ~(0x80 >> (x & 7));
      }
    }
  }
  const header = new Uint8Array(13);
  const view = new DataView(header.buffer);
  view.setUint32(0, side);
  view.setUint32(4, side);
  // One bit of grey; the methods of compression, filter and interlace are 0.
  header.set([1, 0, 0, 0, 0], 8);
  const stream = new Blob([pixels]).stream().pipeThrough(new CompressionStream("deflate"));
  const compressed = new Uint8Array(await new Response(stream).arrayBuffer());
  return new Uint8Array(
    await new Blob([
      new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk("IHDR", header),
      chunk("IDAT", compressed),
      chunk("IEND", new Uint8Array()),
    ]).arrayBuffer(),
  );
}

/** A chunk: its length, name and data, and the CRC of name and data. */
function chunk(name: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(new TextEncoder().encode(name), 4);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)));
  return bytes;
}
