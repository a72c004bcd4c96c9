/** A kind of server of the model: so many equal instances, each with so many servers and one queue. */
export interface Station {
  name: string;
  instances: number;
  /** Requests that an instance serves at once; Infinity for a mere delay. */
  servers: number;
}

/** One visit of a job: milliseconds of service at a station. */
export interface Visit {
  station: string;
  ms: number;
}

/** What one station did. Times in milliseconds. */
export interface StationReport {
  name: string;
  instances: number;
  /** Offered work in parts of capacity: above 1 the queue grows without end. */
  load: number;
  meanWaitMs: number;
  p99WaitMs: number;
}

interface Event {
  at: number;
  job: number;
  visit: number;
}

/** Numbers in [0, 1) that repeat with their seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Simulates jobs that arrive at random (Poisson, `perSecond`) and make the same visits in turn, first come first
 * served, with fixed service times. A job goes to one instance of each station. The same seed gives the same
 * figures. The first tenth warms up and is not counted. Throws for a visit to an unknown station.
 */
export function simulate(
  stations: readonly Station[],
  visits: readonly Visit[],
  { perSecond, seconds, seed }: { perSecond: number; seconds: number; seed: number },
): StationReport[] {
  const random = seeded(seed);
  const places = new Map(stations.map((station) => [station.name, new Place(station)]));
  const events = new EventHeap();
  const endMs = seconds * 1_000;
  const nextArrival = (at: number) => at - (Math.log(1 - random()) * 1_000) / perSecond;
  const choices: number[] = [];
  events.push({ at: nextArrival(0), job: 0, visit: 0 });
  for (let event = events.pop(); event !== undefined; event = events.pop()) {
    const { at, job, visit } = event;
    if (visit === 0) {
      choices[job] = random();
      const next = nextArrival(at);
      if (next < endMs) events.push({ at: next, job: job + 1, visit: 0 });
    }
    const { station, ms } = visits[visit] ?? { station: "", ms: 0 };
    const place = places.get(station);
    if (place === undefined) throw new Error(`no station is called ${station}`);
    const doneAt = place.serve(at, ms, choices[job] ?? 0, at > endMs / 10);
    if (visit + 1 < visits.length) events.push({ at: doneAt, job, visit: visit + 1 });
  }
  return [...places.values()].map((place) => place.report(endMs));
}

/** The station with the highest load: the first at which a queue builds up. Mere delays have none. */
export function firstQueue(reports: readonly StationReport[]): StationReport | undefined {
  return reports.toSorted((left, right) => right.load - left.load)[0];
}

/** The instances of a station, each with the times at which its servers are free. */
class Place {
  readonly #station: Station;
  readonly #freeAt: Float64Array[];
  readonly #waits: number[] = [];
  #work = 0;

  constructor(station: Station) {
    this.#station = station;
    const count = Number.isFinite(station.servers) ? station.servers : 0;
    this.#freeAt = Array.from({ length: station.instances }, () => new Float64Array(count));
  }

  /** Serves a job that arrives now, which no later call precedes; returns when it is done. */
  serve(at: number, ms: number, choice: number, isCounted: boolean): number {
    const servers = this.#freeAt[Math.floor(choice * this.#freeAt.length)];
    if (servers === undefined || servers.length === 0) return at + ms;
    let first = 0;
    for (let index = 1; index < servers.length; index++) {
      if ((servers[index] ?? 0) < (servers[first] ?? 0)) first = index;
    }
    const start = Math.max(at, servers[first] ?? 0);
    servers[first] = start + ms;
    this.#work += ms;
    if (isCounted) this.#waits.push(start - at);
    return start + ms;
  }

  report(endMs: number): StationReport {
    const { name, instances, servers } = this.#station;
    const waits = Float64Array.from(this.#waits).sort();
    const sum = waits.reduce((total, wait) => total + wait, 0);
    return {
      name,
      instances,
      load: this.#work / (endMs * instances * servers),
      meanWaitMs: waits.length === 0 ? 0 : sum / waits.length,
      p99WaitMs: waits[Math.floor(waits.length * 0.99)] ?? 0,
    };
  }
}

/** A binary heap: the earliest event first. */
class EventHeap {
  readonly #events: Event[] = [];

  push(event: Event): void {
    const events = this.#events;
    let at = events.push(event) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = events[parent];
      if (above === undefined || above.at <= event.at) break;
      events[at] = above;
      at = parent;
    }
    events[at] = event;
  }

  pop(): Event | undefined {
    const events = this.#events;
    const [first] = events;
    const last = events.pop();
    if (last === undefined || events.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= events.length) break;
      if ((events[child + 1]?.at ?? Infinity) < (events[child]?.at ?? Infinity)) child += 1;
      const below = events[child];
      if (below === undefined || below.at >= last.at) break;
      events[at] = below;
      at = child;
    }
    events[at] = last;
    return first;
  }
}
