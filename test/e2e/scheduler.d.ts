/** A global of workerd that browsers lack: Node also compiles the shared sources. */
interface Scheduler {
  wait(ms: number, options?: { signal?: AbortSignal }): Promise<void>;
}
