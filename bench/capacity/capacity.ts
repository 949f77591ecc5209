/** Processor time in µs of the side that is named, from `npm run bench:scale-out`. */
export type Costs = {
  /** On the thread that answers visitors. */
  redirect: number
  /** On the same, when the link has to be looked up. */
  lookUp: number
  /** On the thread that counts. */
  click: number
  postgres: {
    /** To look up links: for the question, and for each of its codes. */
    question: number
    code: number
    /** To count a click, by how many are counted together. */
    clicks: readonly { batch: number; each: number }[]
    creation: number
    /** Per second, for each idle process. */
    process: number
  }
  walBytes: { click: number; creation: number }
}

export type Traffic = {
  nodes: number
  /** Redirects a second, of all nodes. */
  perSecond: number
  /** Of the redirects, those whose link is in memory. */
  hits: number
  /** Links made for each redirect. */
  creations: number
  /** A node counts so often what it has journaled; four times a second where PostgreSQL keeps up. */
  countEverySeconds: number
}

export type PostgresLoad = {
  lookUpsPerSecond: number
  creationsPerSecond: number
  transactionsPerSecond: number
  walBytesPerSecond: number
  /** Busy cores. */
  cores: { lookUps: number; counting: number; creations: number; idle: number; all: number }
}

/** How much of a core, or of all cores, is used before others have to wait noticeably. */
const BUSY_MAX = 0.7
/** To PostgreSQL and back: a node asks its next question when the last was answered. */
const ROUND_TRIP_S = 0.001
const CODES_MAX = 64
const BATCH_MAX = 10_000

/** What that traffic asks of PostgreSQL. */
export function postgresLoad(
  costs: Costs,
  { nodes, perSecond, hits, creations, countEverySeconds }: Traffic,
): PostgresLoad {
  const { postgres, walBytes } = costs
  const ofNode = perSecond / nodes
  const missesOfNode = ofNode * (1 - hits)
  const codes = Math.min(CODES_MAX, Math.max(1, missesOfNode * ROUND_TRIP_S))
  const batch = Math.min(BATCH_MAX, Math.max(1, ofNode * countEverySeconds))
  const parts = {
    lookUps: (nodes * missesOfNode * (postgres.question / codes + postgres.code)) / 1e6,
    counting: (perSecond * clickCost(postgres.clicks, batch)) / 1e6,
    creations: (perSecond * creations * postgres.creation) / 1e6,
    idle: (nodes * postgres.process) / 1e6,
  }
  return {
    lookUpsPerSecond: nodes * missesOfNode,
    creationsPerSecond: perSecond * creations,
    transactionsPerSecond: perSecond / batch,
    walBytesPerSecond: perSecond * (walBytes.click + creations * walBytes.creation),
    cores: { ...parts, all: parts.lookUps + parts.counting + parts.creations + parts.idle },
  }
}

/** Between what was measured by the logarithm of the batch, beyond it as at the nearest. */
export function clickCost(measured: Costs['postgres']['clicks'], batch: number): number {
  const points = measured.toSorted((a, b) => a.batch - b.batch)
  const after = points.findIndex((point) => point.batch >= batch)
  if (after === -1) return points.at(-1)!.each
  if (after === 0) return points[0]!.each
  const [low, high] = [points[after - 1]!, points[after]!]
  const part = Math.log(batch / low.batch) / Math.log(high.batch / low.batch)
  return low.each + part * (high.each - low.each)
}

/** Redirects a second that the nodes' own threads carry: the one that answers, or the one that counts. */
export function nodesCarry(costs: Costs, { nodes, hits }: Pick<Traffic, 'nodes' | 'hits'>): number {
  const busiest = Math.max(costs.redirect + (1 - hits) * costs.lookUp, costs.click)
  return (nodes * BUSY_MAX * 1e6) / busiest
}

export type Server = { cores: number; walBytesPerSecond: number }

/** Redirects a second that nodes and PostgreSQL carry together. */
export function bothCarry(costs: Costs, traffic: Omit<Traffic, 'perSecond'>, server: Server): number {
  const isTooMuch = (perSecond: number) => {
    const { cores, walBytesPerSecond } = postgresLoad(costs, { ...traffic, perSecond })
    return cores.all > server.cores * BUSY_MAX || walBytesPerSecond > server.walBytesPerSecond
  }
  let [least, most] = [0, nodesCarry(costs, traffic)]
  if (!isTooMuch(most)) return most
  while (most - least > 1) {
    const middle = (least + most) / 2
    if (isTooMuch(middle)) most = middle
    else least = middle
  }
  return least
}
