/** A document's text, as Vite imports it. */
declare module "*.md?raw" {
  const text: string;
  export default text;
}

/** The text of wrangler.toml, likewise. */
declare module "*.toml?raw" {
  const text: string;
  export default text;
}
