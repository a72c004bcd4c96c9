/** Runs work for each item, at most `limit` at once. Returns the answers in the items' order; rejects with the first. */
export async function inParallel<Item, Answer>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) answers[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  return answers;
}
