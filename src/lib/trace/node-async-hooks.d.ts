/** Types of the class that is used here; `@types/node` would add all of Node's globals. */
declare module "node:async_hooks" {
  export class AsyncLocalStorage<Store> {
    getStore(): Store | undefined;
    run<Answer>(store: Store, work: () => Answer): Answer;
  }
}
