/** A document as Vite gives it: its text. */
declare module "*.md?raw" {
  const text: string;
  export default text;
}
