/** A client of workerd's inspector: the Chrome DevTools protocol over one WebSocket per isolate. */

interface Target {
  id: string;
  webSocketDebuggerUrl?: string;
}

interface Message {
  id?: number;
  result?: unknown;
  error?: { message: string };
}

/** Matches the isolate of the Worker and its objects. D1 and the queues have their own. */
const WORKER = /:user:/;
/** An isolate answers only between two tasks, which may be long. */
const ANSWER_MS = 60_000;

export class Inspector {
  readonly #socket: WebSocket;
  readonly #pending = new Map<number, (message: Message) => void>();
  #sent = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const message = JSON.parse(String(data)) as Message;
      if (message.id === undefined) return;
      this.#pending.get(message.id)?.(message);
      this.#pending.delete(message.id);
    });
  }

  /** Connects to the isolate of the Worker behind an inspector's address (`ws://127.0.0.1:port`). */
  static async connect(address: string): Promise<Inspector> {
    const listed = await fetch(new URL("/json", address.replace(/^ws/, "http")));
    const targets = (await listed.json()) as Target[];
    const target = targets.find(({ id }) => WORKER.test(id));
    if (target === undefined) {
      throw new Error(`no target is the Worker: ${targets.map(({ id }) => id).join(", ")}`);
    }
    const socket = new WebSocket(new URL(`/${target.id}`, address));
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve, { once: true });
      socket.addEventListener("error", reject, { once: true });
    });
    return new Inspector(socket);
  }

  /** Sends a command of the protocol. Throws for an error or without an answer. */
  async send<Result>(method: string, params: object = {}): Promise<Result> {
    const id = (this.#sent += 1);
    const answered = new Promise<Message>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`${method} was not answered`)), ANSWER_MS);
      this.#pending.set(id, (message) => {
        clearTimeout(late);
        resolve(message);
      });
    });
    this.#socket.send(JSON.stringify({ id, method, params }));
    const { result, error } = await answered;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result as Result;
  }

  close(): void {
    this.#socket.close();
  }
}
