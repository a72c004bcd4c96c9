/** workerd's inspector: the Chrome DevTools protocol, over a WebSocket for each isolate. */

interface Target {
  id: string;
  webSocketDebuggerUrl?: string;
}

interface Message {
  id?: number;
  result?: unknown;
  error?: { message: string };
}

/** The Worker with its objects, among workerd's isolates: D1 and the queues have their own. */
const WORKER = /:user:/;
/** An isolate answers between two turns of its work, which may be long. */
const ANSWER_MS = 60_000;

export class Inspector {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, (message: Message) => void>();
  #sent = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      const message = JSON.parse(String(data)) as Message;
      if (message.id === undefined) return;
      this.#waiting.get(message.id)?.(message);
      this.#waiting.delete(message.id);
    });
  }

  /** Connects to the isolate of the Worker behind an inspector's address (`ws://127.0.0.1:port`). */
  static async connect(address: string): Promise<Inspector> {
    const listed = await fetch(new URL("/json", address.replace(/^ws/, "http")));
    const targets = (await listed.json()) as Target[];
    const target = targets.find(({ id }) => WORKER.test(id));
    if (target === undefined) {
      throw new Error(`no Worker is inspected: ${targets.map(({ id }) => id).join(", ")}`);
    }
    const socket = new WebSocket(new URL(`/${target.id}`, address));
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve, { once: true });
      socket.addEventListener("error", reject, { once: true });
    });
    return new Inspector(socket);
  }

  /** One command of the protocol. Throws where it is refused or not answered. */
  async send<Result>(method: string, params: object = {}): Promise<Result> {
    const id = (this.#sent += 1);
    const answered = new Promise<Message>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`${method} was not answered`)), ANSWER_MS);
      this.#waiting.set(id, (message) => {
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
