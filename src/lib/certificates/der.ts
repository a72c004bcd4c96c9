/** One element of DER (X.690): its tag, and where its content and it itself end. */
export interface DerElement {
  tag: number;
  start: number;
  end: number;
}

const LONG_FORM = 0x80;
/** Four bytes of a length are 4 GB, more than any of ours. */
const LENGTH_BYTES_MAX = 4;

/** The element that begins at an index. Throws `RangeError` for bytes that are not whole DER. */
export function elementAt(bytes: Uint8Array, at: number): DerElement {
  const tag = byteAt(bytes, at);
  const first = byteAt(bytes, at + 1);
  const count = first < LONG_FORM ? 0 : first - LONG_FORM;
  if (first === LONG_FORM || count > LENGTH_BYTES_MAX) throw new RangeError("no DER length");
  let length = count === 0 ? first : 0;
  for (let index = 0; index < count; index += 1) {
    length = length * 256 + byteAt(bytes, at + 2 + index);
  }
  const start = at + 2 + count;
  if (start + length > bytes.length) throw new RangeError("DER is cut off");
  return { tag, start, end: start + length };
}

/** The elements within one, in their order. Throws as `elementAt`. */
export function childrenOf(bytes: Uint8Array, { start, end }: DerElement): DerElement[] {
  const children: DerElement[] = [];
  for (let at = start; at < end;) {
    const child = elementAt(bytes, at);
    children.push(child);
    at = child.end;
  }
  return children;
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new RangeError("DER is cut off");
  return byte;
}
