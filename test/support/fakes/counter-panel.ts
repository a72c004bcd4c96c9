/** Calls that a page shows. */
const CALLS_MAX = 1_000;
const COUNT_MAX = 100;

/** Makes a house's next answer lie, to a call that matches where it is told which. */
type Lie = (on?: RegExp) => void;

/** What a house lies about, by the names of its faults. */
export function liesOf<Name extends string>(
  faults: Record<Name, unknown>,
  faultOnce: (name: Name, on?: RegExp) => void,
): Record<string, Lie> {
  const names = Object.keys(faults) as Name[];
  return Object.fromEntries(names.map((name) => [name, (on?: RegExp) => faultOnce(name, on)]));
}

/**
 * What each counter has: a choice of what the house's next answers lie about (`POST /lies` with `kind`, `count` and `on`, how
 * the calls begin), and the calls that came, newest first.
 */
export class CounterPanel {
  readonly #lies: Record<string, Lie>;
  readonly #calls: { at: string; name: string; status: string }[] = [];

  constructor(lies: Record<string, Lie>) {
    this.#lies = lies;
  }

  /** The panel's own answer, or the house's, whose call it keeps. */
  async answer(
    request: Request,
    house: (request: Request) => Promise<Response>,
  ): Promise<Response> {
    const name = `${request.method} ${new URL(request.url).pathname}`;
    if (name === "POST /lies") return this.#choose(new URLSearchParams(await request.text()));
    const call = { at: new Date().toISOString().slice(11, 19), name, status: "no answer" };
    this.#calls.unshift(call);
    this.#calls.splice(CALLS_MAX);
    const answer = await house(request);
    call.status = String(answer.status);
    return answer;
  }

  /** As HTML, below what the counter itself shows. */
  html(): string {
    const kinds = Object.keys(this.#lies).map((kind) => `<option>${kind}</option>`);
    const calls = this.#calls.map(({ at, name, status }) => `${at} ${name} ${status}`);
    return (
      `<h2>Lies</h2><form method="post" action="/lies">` +
      `<label>The next <input name="count" type="number" value="1" min="1" max="${COUNT_MAX}"></label> ` +
      `<label>answers to <input name="on" placeholder="any call, or POST /..."></label> ` +
      `<label>are <select name="kind">${kinds.join("")}</select></label> <button>Lie</button></form>` +
      `<h2>Calls</h2><pre>${calls.join("\n")}</pre>`
    );
  }

  #choose(form: URLSearchParams): Response {
    const lie = this.#lies[form.get("kind") ?? ""];
    const count = Number(form.get("count") ?? 1);
    if (lie === undefined || !Number.isInteger(count) || count < 1 || count > COUNT_MAX) {
      const kinds = Object.keys(this.#lies).join(", ");
      return new Response(`count: 1 to ${COUNT_MAX}; kind: ${kinds}\n`, { status: 400 });
    }
    const on = form.get("on") ?? "";
    for (let times = 0; times < count; times++) {
      lie(on === "" ? undefined : new RegExp(`^${on.replaceAll(/\W/g, "\\$&")}`));
    }
    return new Response(null, { status: 303, headers: { Location: "/" } });
  }
}
