/** One icon of lucide-static as the text of its SVG. The package declares types for all icons together only. */
declare module "lucide-static/dist/esm/icons/*.mjs" {
  const svg: string;
  export default svg;
}
