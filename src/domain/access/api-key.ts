/** The kind of a key that the gateway issues, such as `sk_live_`. */
const KIND = /^sk_[a-z]+_/;
/** Characters after the kind: 24 of a key's 256 random bits. */
const SHOWN_AFTER_KIND = 4;

/** The part of an API key that lists and the audit trail show: its kind and its next four characters. */
export function keyPrefix(apiKey: string): string {
  const kind = KIND.exec(apiKey)?.[0] ?? "";
  return apiKey.slice(0, kind.length + SHOWN_AFTER_KIND);
}
