import { createServer, type Server, type Socket } from "node:net";

/** The time between two bytes of a slow receiver. */
const DRIP_MS = 200;

/** A webhook receiver that never finishes. */
export interface BadReceiver {
  url: string;
  openConnections: () => number;
  /** The most concurrent connections until the sender gave up the first one. */
  maxOpenConnections: () => number;
  /** The connections that the sender has given up. */
  endedConnections: () => number;
  close(): Promise<void>;
}

/** Accepts each connection and never responds. */
export function startUnresponsive(): Promise<BadReceiver> {
  return startRawServer(() => undefined);
}

/** Responds with 200 at once, then sends one byte of the body at a time, forever. */
export function startDripping(): Promise<BadReceiver> {
  return startRawServer((socket) => {
    socket.write(
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    sendSlowly(socket, "1\r\n.\r\n");
  });
}

/** Starts a header that never ends. */
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
  let [most, ended] = [0, 0];
  const server = createServer((socket) => {
    sockets.add(socket);
    // Of events that came together an end is counted first: it may have let this connection in.
    setImmediate(() => {
      if (ended === 0) most = Math.max(most, sockets.size);
    });
    const end = () => {
      if (sockets.delete(socket)) ended += 1;
    };
    socket.once("end", end);
    socket.once("close", end);
    // The sender resets connections that it cuts off.
    socket.on("error", end);
    socket.once("data", () => onRequest(socket));
    socket.resume();
  });
  return {
    url: `http://localhost:${await listen(server)}/hook`,
    openConnections: () => sockets.size,
    maxOpenConnections: () => most,
    endedConnections: () => ended,
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
