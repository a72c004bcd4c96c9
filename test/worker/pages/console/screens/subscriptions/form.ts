/** What a person types into the form of a new subscription. */
export const SUBSCRIPTION_FORM = {
  name: "Maria da Silva",
  document: "123.456.789-09",
  description: "Clube do livro",
  kind: "fixed",
  amount: "49,90",
  period: "MONTHLY",
  firstDueDate: "2026-12-10",
  journey: "QR",
  retry: "135",
};
