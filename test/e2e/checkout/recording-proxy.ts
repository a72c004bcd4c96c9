import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** A request of a browser, with all that left it. */
interface Passed {
  origin: string;
  call: string;
  /** Address, headers and body. */
  text: string;
  /** The `Content-Security-Policy` of its answer. */
  policy: string;
}

/** A proxy between a browser and everything else, on loopback. It keeps what passes, also to `localhost`. */
export class RecordingProxy {
  readonly passed: Passed[] = [];
  readonly url: string;
  readonly #close: () => void;

  private constructor(url: string, close: () => void) {
    this.url = url;
    this.#close = close;
  }

  static async open(): Promise<RecordingProxy> {
    const server = createServer((incoming, outgoing) => void proxy.#pass(incoming, outgoing));
    await new Promise<void>((listening) => {
      server.listen(0, "127.0.0.1", listening);
    });
    const { port } = server.address() as AddressInfo;
    const proxy = new RecordingProxy(`http://127.0.0.1:${port}`, () => {
      server.closeAllConnections();
      server.close();
    });
    return proxy;
  }

  close(): void {
    this.#close();
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
    const { method = "", url = "", headers } = incoming;
    const { origin, pathname } = new URL(url);
    const text = [url, JSON.stringify(headers), body.toString()].join("\n");
    const passed = { origin, call: `${method} ${pathname}`, text, policy: "" };
    this.passed.push(passed);
    const onward = request(url, { method, headers }, (answer) => {
      passed.policy = String(answer.headers["content-security-policy"] ?? "");
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    onward.end(body);
  }
}
