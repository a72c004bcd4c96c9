import { PDFDocument, StandardFonts } from "@cantoo/pdf-lib";
import { describe, expect, it } from "vitest";
import { breakLines, fitToWidth, replaceUnprintable } from "../../../../src/lib/pdf/text.ts";

const document = await PDFDocument.create();
const font = await document.embedFont(StandardFonts.Helvetica);
const SIZE = 10;
const WIDTH = 100;
const widthOf = (text: string, size = SIZE) => font.widthOfTextAtSize(text, size);

describe("lines", () => {
  it("hold all words in order, and none is wider than its column", () => {
    const text = "Entregue à cliente no endereço da nota, sem avaria, contra assinatura. ".repeat(
      20,
    );
    const lines = breakLines(font, text, WIDTH, SIZE);
    expect(lines.join(" ")).toBe(text.trim());
    expect(lines.filter((line) => widthOf(line) > WIDTH)).toEqual([]);
  });

  it("break a word that is longer than a line, and lose no character of it", () => {
    const word = "i".repeat(5_000) + "W".repeat(5_000);
    const lines = breakLines(font, `um ${word}`, WIDTH, SIZE);
    expect(lines[0]).toBe("um");
    expect(lines.slice(1).join("")).toBe(word);
    expect(lines.filter((line) => widthOf(line) > WIDTH)).toEqual([]);
  });

  it("are none without words", () => {
    expect(breakLines(font, "  ", WIDTH, SIZE)).toEqual([]);
  });
});

describe("a text on one line", () => {
  const limits = { maxSize: SIZE, minSize: 6 };

  it("keeps its size where it fits", () => {
    expect(fitToWidth(font, "Maria", WIDTH, limits)).toEqual({ text: "Maria", size: SIZE });
  });

  it("is made as much smaller as it must be", () => {
    const text = "m".repeat(14);
    const shown = fitToWidth(font, text, WIDTH, limits);
    expect(shown.text).toBe(text);
    expect(widthOf(text, shown.size)).toBeCloseTo(WIDTH);
  });

  it("is cut before an ellipsis at the smallest size", () => {
    const shown = fitToWidth(font, "m".repeat(100), WIDTH, limits);
    expect(shown).toMatchObject({ text: expect.stringMatching(/^m{10,}…$/), size: 6 });
    expect(widthOf(shown.text, 6)).toBeLessThanOrEqual(WIDTH);
  });
});

it("characters that the font lacks are question marks, and control characters are spaces", () => {
  expect(replaceUnprintable(font, "Cafe\u0301\u0000ÇÃÕ\t🍕 王")).toBe("Café ÇÃÕ ? ?");
});
