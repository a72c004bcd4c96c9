/** A typed amount of reais, such as `1.234,56` or `1234.56`, in centavos; null for another text. */
export function centsOf(typed: string): number | null {
  const text = typed.replaceAll(/[R$\s]/g, "");
  const plain = text.includes(",") ? text.replaceAll(".", "").replace(",", ".") : text;
  if (!/^\d{1,10}(?:\.\d{1,2})?$/.test(plain)) return null;
  return Math.round(Number(plain) * 100);
}
