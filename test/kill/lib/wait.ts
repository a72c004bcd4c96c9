export function wait(ms: number): Promise<void> {
  return new Promise((wake) => setTimeout(wake, ms));
}
