/** An accent as a page uses it on one ground, and the colour of a text on it; both `#rrggbb`. */
export interface Tone {
  accent: string;
  onAccent: string;
}

/** The grounds of the light and of the dark page. */
export const GROUNDS = { light: "#ffffff", dark: "#12110f" };

/** The contrast that a text needs (WCAG 2.2, 1.4.3). */
const MIN_CONTRAST = 4.5;
/** Steps of a hundredth are finer than eyes. */
const STEP = 0.01;

type Rgb = [red: number, green: number, blue: number];

/**
 * A brand's colour as an accent on each ground: as it is where it can be read, else darker on the light ground and
 * lighter on the dark one, just as far as 4.5:1 needs. A text on the accent has the ground's colour, which keeps
 * the same contrast.
 */
export function brandTones(color: string): { light: Tone; dark: Tone } {
  return {
    light: { accent: readableOn(GROUNDS.light, color, "#000000"), onAccent: GROUNDS.light },
    dark: { accent: readableOn(GROUNDS.dark, color, "#ffffff"), onAccent: GROUNDS.dark },
  };
}

/** The contrast of two colours `#rrggbb`, from 1 to 21 (WCAG 2.2, relative luminance). */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function readableOn(ground: string, color: string, end: string): string {
  for (let part = 0; part < 1; part += STEP) {
    const mixed = mix(color, end, part);
    if (contrast(ground, mixed) >= MIN_CONTRAST) return mixed;
  }
  return end;
}

function mix(from: string, to: string, part: number): string {
  const ends = rgbOf(to);
  const mixed = rgbOf(from).map((value, at) =>
    Math.round(value + ((ends[at] ?? 0) - value) * part),
  );
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = rgbOf(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function rgbOf(color: string): Rgb {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as Rgb;
}
