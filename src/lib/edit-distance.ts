/**
 * Edits from one text to the other: insert, delete or change a character, or swap two neighbours (optimal
 * string alignment). Returns `max + 1` for more than `max`. `fastest-levenshtein` counts a swap as two edits,
 * so it misses common typing errors.
 */
export function editDistance(left: string, right: string, max: number): number {
  const more = max + 1;
  if (Math.abs(left.length - right.length) > max) return more;
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= right.length; column++) {
      const change = left[row - 1] === right[column - 1] ? 0 : 1;
      let edits = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + change,
      );
      if (
        row > 1 &&
        column > 1 &&
        left[row - 1] === right[column - 2] &&
        left[row - 2] === right[column - 1]
      ) {
        edits = Math.min(edits, (beforeLast[column - 2] ?? 0) + 1);
      }
      current.push(edits);
      least = Math.min(least, edits);
    }
    if (least > max) return more;
    beforeLast = last;
    last = current;
  }
  return Math.min(last[right.length] ?? more, more);
}
