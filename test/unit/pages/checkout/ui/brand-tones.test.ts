import { expect, test } from "vitest";
import { brandTones, contrast, GROUNDS } from "../../../../../src/pages/checkout/ui/brand-tones.ts";
import sheet from "../../../../../src/pages/checkout/ui/checkout.css";

const COLORS = ["#000000", "#ffffff", "#ffe600", "#820ad1", "#ff0000", "#00ff00", "#808080"];

test.each(COLORS)("%s keeps 4.5:1 on both grounds, and so does the text on it", (color) => {
  const { light, dark } = brandTones(color);
  for (const [ground, tone] of [
    [GROUNDS.light, light],
    [GROUNDS.dark, dark],
  ] as const) {
    expect(tone.accent).toMatch(/^#[0-9a-f]{6}$/);
    expect(contrast(ground, tone.accent)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(tone.onAccent, tone.accent)).toBeGreaterThanOrEqual(4.5);
  }
});

test("a colour that can be read stays as it is", () => {
  expect(brandTones("#820ad1").light.accent).toBe("#820ad1");
  expect(brandTones("#ffe600").dark.accent).toBe("#ffe600");
});

test("contrast is that of WCAG, in either order", () => {
  expect(contrast("#000000", "#ffffff")).toBe(21);
  expect(contrast("#ffffff", "#000000")).toBe(21);
  expect(contrast("#767676", "#ffffff")).toBeCloseTo(4.54, 2);
});

test("the grounds are those of the style sheet, the light one first", () => {
  const grounds = sheet.match(
    /--ground: light-dark\((?<light>#[\da-f]+), (?<dark>#[\da-f]+)\);/,
  )?.groups;
  expect(grounds).toEqual({ ...GROUNDS, light: "#fff" });
});
