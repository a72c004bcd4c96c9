/** What workerd has and browsers lack: sources that are shared with Node are checked here as well. */
interface Scheduler {
  wait(ms: number, options?: { signal?: AbortSignal }): Promise<void>;
}
