/** A black rectangle, in modules from the symbol's upper left corner. */
interface Bar {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A symbol without its quiet zone, in modules. */
export interface Symbol2d {
  width: number;
  height: number;
  bars: Bar[];
}

/** The bars of a row of modules, of which `1` is black. */
export function runs(modules: string, y: number): Bar[] {
  return Array.from(modules.matchAll(/1+/g), ({ index, 0: run }) => ({
    x: index,
    y,
    width: run.length,
    height: 1,
  }));
}

/** The bars as an SVG path, which a PDF takes too. */
export function svgPath({ bars }: Symbol2d): string {
  return bars.map(({ x, y, width, height }) => `M${x} ${y}h${width}v${height}h-${width}z`).join("");
}
