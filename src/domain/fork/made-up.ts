const FIRST_NAMES = [
  "Ana",
  "Bruno",
  "Carla",
  "Davi",
  "Elisa",
  "Fábio",
  "Gabriela",
  "Hugo",
  "Iara",
  "João",
  "Karina",
  "Luís",
  "Marina",
  "Nuno",
  "Olívia",
  "Paulo",
];
const LAST_NAMES = [
  "Almeida",
  "Barbosa",
  "Cardoso",
  "Duarte",
  "Esteves",
  "Ferreira",
  "Gomes",
  "Henriques",
  "Ibarra",
  "Junqueira",
  "Lacerda",
  "Machado",
  "Nogueira",
  "Oliveira",
  "Pereira",
  "Ramos",
];
const CPF_WEIGHTS = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2];
const CNPJ_WEIGHTS = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2];
/** The first establishment of a company. */
const HEAD_OFFICE = "0001";

/** A person's name by two bytes. */
export function madeUpName(bytes: Uint8Array): string {
  const [first = 0, last = 0] = bytes;
  return `${nameAt(FIRST_NAMES, first)} ${nameAt(LAST_NAMES, last)}`;
}

function nameAt(names: readonly string[], byte: number): string {
  return names[byte % names.length] ?? "";
}

/** A valid CPF of three digits that masks hide and six that they show (RFB). */
export function madeUpCpf(hidden: string, shown: string): string {
  return withCheckDigits(hidden + shown, CPF_WEIGHTS);
}

/** A valid CNPJ of two digits that masks hide and six that they show (RFB). */
export function madeUpCnpj(hidden: string, shown: string): string {
  return withCheckDigits(hidden + shown + HEAD_OFFICE, CNPJ_WEIGHTS);
}

/** Modulus 11 twice. A document of one digit only counts as invalid. */
function withCheckDigits(digits: string, weights: readonly number[]): string {
  const [first = ""] = digits;
  const base =
    digits === first.repeat(digits.length)
      ? `${digits.slice(0, -1)}${(Number(first) + 1) % 10}`
      : digits;
  const next = (text: string) =>
    text + checkDigit(text, weights.slice(weights.length - text.length));
  return next(next(base));
}

function checkDigit(digits: string, weights: readonly number[]): number {
  const sum = Array.from(digits).reduce(
    (total, digit, index) => total + Number(digit) * (weights[index] ?? 0),
    0,
  );
  const rest = sum % 11;
  return rest < 2 ? 0 : 11 - rest;
}
