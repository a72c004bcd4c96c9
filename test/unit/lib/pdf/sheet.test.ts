import { expect, it } from "vitest";
import {
  A5,
  drawColumns,
  drawParagraph,
  needRoom,
  newSheet,
  onEachPage,
} from "../../../../src/lib/pdf/sheet.ts";

const MARGIN = 12;
const STYLE = { size: 10 };

it("a text that is longer than a page goes on at the next one", async () => {
  const sheet = await newSheet("Longo", { format: A5, margin: MARGIN });
  drawParagraph(sheet, "palavra ".repeat(1_500), STYLE);
  expect(sheet.document.getPageCount()).toBeGreaterThan(1);
  expect(sheet.y).toBeGreaterThan(MARGIN);
  expect(sheet.y).toBeLessThanOrEqual(A5.height - MARGIN);
});

it("columns take the height of the longest of them", async () => {
  const sheet = await newSheet("Colunas", { format: A5, margin: MARGIN });
  drawColumns(sheet, [{ ...STYLE, text: "um" }]);
  const lineHeight = sheet.y - MARGIN;
  drawColumns(sheet, [
    { ...STYLE, text: "um", width: 40 },
    { ...STYLE, text: "um\ndois\ntrês", x: 60 },
  ]);
  expect(sheet.y).toBeCloseTo(MARGIN + 4 * lineHeight);
});

it("what needs more room than a page has left begins at the next one", async () => {
  const sheet = await newSheet("Espaço", { format: A5, margin: MARGIN });
  needRoom(sheet, A5.height - 2 * MARGIN);
  expect(sheet.document.getPageCount()).toBe(1);
  needRoom(sheet, A5.height - 2 * MARGIN + 1);
  const numbers: [number, number][] = [];
  onEachPage(sheet, (number, count) => numbers.push([number, count]));
  expect(numbers).toEqual([
    [1, 2],
    [2, 2],
  ]);
});
