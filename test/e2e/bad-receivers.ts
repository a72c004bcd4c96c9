import { createServer, type Server, type Socket } from "node:net";

/** How often a dripping receiver lets go of a byte. */
const DRIP_MS = 200;

/** A webhook receiver that never comes to an end. */
export interface BadReceiver {
  url: string;
  /** The most connections that were open at once. */
  maxOpenConnections: () => number;
  close(): Promise<void>;
}

/** Accepts each connection and never says a word. */
export function startUnresponsive(): Promise<BadReceiver> {
  return startRawServer(() => undefined);
}

/** Answers 200 at once and then a byte of the body now and then, for ever. */
export function startDripping(): Promise<BadReceiver> {
  return startRawServer((socket) => {
    socket.write(
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    sendSlowly(socket, "1\r\n.\r\n");
  });
}

/** Begins a header that never ends. */
export function startDrippingHeaders(): Promise<BadReceiver> {
  return startRawServer((socket) => {
    socket.write("HTTP/1.1 200 OK\r\nX-Slow: ");
    sendSlowly(socket, ".");
  });
}

function sendSlowly(socket: Socket, bytes: string): void {
  const timer = setInterval(() => socket.write(bytes), DRIP_MS);
  socket.once("close", () => clearInterval(timer));
}

async function startRawServer(onRequest: (socket: Socket) => void): Promise<BadReceiver> {
  const sockets = new Set<Socket>();
  let most = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    most = Math.max(most, sockets.size);
    socket.once("close", () => sockets.delete(socket));
    // Whoever is cut off resets the connection, which is not this server's concern.
    socket.on("error", () => undefined);
    socket.once("data", () => onRequest(socket));
    socket.resume();
  });
  return {
    url: `http://localhost:${await listen(server)}/hook`,
    maxOpenConnections: () => most,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

async function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, () => {
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("no port"));
      else resolve(address.port);
    });
  });
}
