/** Vitest's module runner of the isolate, where `@cloudflare/vitest-plugin` asks for it. */
const { moduleRunner } = (
  globalThis as unknown as {
    __vitest_mocker__: { moduleRunner: { import(path: string): Promise<object> } };
  }
).__vitest_mocker__;

/** The Worker's entry, as `main` in wrangler.toml. */
const MAIN = /\/src\/index\.ts$/;

const load = moduleRunner.import.bind(moduleRunner);
let main: object | undefined;

/**
 * Has the Worker's entry imported once from now on. The plugin imports it at each call of an object, and vitest asks its
 * process in Node for it each time: a tenth of the suite's time. To be called in each file: a change is seen by the next run.
 */
export function importMainOnce(): void {
  main = undefined;
}

moduleRunner.import = async (path) => {
  if (!MAIN.test(path)) return load(path);
  main ??= await load(path);
  return main;
};
