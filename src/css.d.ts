/** A style sheet is imported as its text: a rule of wrangler.toml, and of vitest.config.ts for tests in Node. */
declare module "*.css" {
  const text: string;
  export default text;
}
