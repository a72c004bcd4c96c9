/** Characters of a key that are stored to recognise it by: its kind and 24 of its 256 random bits. */
const PREFIX_LENGTH = 12;

/** The part of an API key that lists and the audit trail show. */
export function keyPrefix(apiKey: string): string {
  return apiKey.slice(0, PREFIX_LENGTH);
}
