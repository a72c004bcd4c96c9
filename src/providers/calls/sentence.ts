/** Longest text of a house that is kept: a sentence for people, not a page. */
const TEXT_MAX = 200;

/** A house's message for people, on one line and of bounded length. */
export function toSentence(parts: string[]): string {
  const text = parts
    .join(" ")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return text === "" ? "The PSP gave no reason." : text.slice(0, TEXT_MAX);
}
