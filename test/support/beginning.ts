let beganAt = 0;

/** Takes note of when a test file began (epoch ms). */
export function beginFile(): void {
  beganAt = Date.now();
}

/** When the running test file began (epoch ms): what was made before is of other files. */
export function fileBeganAt(): number {
  return beganAt;
}
