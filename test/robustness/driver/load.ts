import { until } from '../../rigs/eventually.ts'
import { ClickLoad, type LoadTally, seededRandom, sumOf } from '../../rigs/program/click-load.ts'
import { asAnother, type OperatedFolder } from '../../rigs/program/operated-folder.ts'
import { RecordedLoad } from './recorded-load.ts'
import type { Access } from './recording-client.ts'
import type { Tern } from './tern.ts'

/** `max_clicks` by code. The first is reached soon, the last never. */
export const LIMITS = new Map([
  ['limited-soon', 25],
  ['limited-later', 400],
  ['limited-never', 1_000_000_000],
])

type VisitOptions = {
  /** Visitors at the same time. */
  visitors?: number
  codes?: readonly string[]
  /** Ends after this number of visits. */
  visitsMax?: number
  node?: number
  /** In place of that of the node. */
  port?: number
  random?: () => number
}

/** Visitors of the same links, and the statuses by which the links themselves may turn them away. */
type Visitors = { clicks: ClickLoad; statuses: readonly number[] }

/** What is sent to a program while something goes wrong, and what came back. */
export class Load {
  readonly visitors: readonly Visitors[]
  readonly clients: RecordedLoad | undefined
  isRunning = true

  constructor(visitors: readonly Visitors[], clients?: RecordedLoad) {
    this.visitors = visitors
    this.clients = clients
    void Promise.all(visitors.map(({ clicks }) => clicks.finished)).then(() => (this.isRunning = false))
  }

  /** Of the links that lead every visitor on. */
  get tally(): LoadTally {
    return this.visitors[0]!.clicks.tally
  }

  /** Redirects so far. */
  get redirects(): number {
    return sumOf(this.tally.acknowledged)
  }

  /** Waits for this number of further redirects, however long they take. */
  async continues(more = 100): Promise<void> {
    const enough = this.redirects + more
    while (this.redirects < enough) {
      const { redirects } = this
      await until(() => this.redirects > redirects)
    }
  }

  /** Waits for the end of `visitsMax` visits. */
  async finished(): Promise<this> {
    await Promise.all(this.visitors.map(({ clicks }) => clicks.finished))
    return this
  }

  /** Resolves when everybody has an answer, or knows that there will be none. */
  async stop(): Promise<this> {
    await Promise.all([...this.visitors.map(({ clicks }) => clicks.stop()), this.clients?.stop()])
    this.isRunning = false
    return this
  }
}

/** Visitors who open links one after the other. */
export async function startVisits(tern: Tern, options: VisitOptions = {}): Promise<Load> {
  const { codes = ['first', 'second', 'third'] } = options
  await tern.makeLinks(...codes)
  return begin(tern, new Load([visit(tern, { ...options, codes })]))
}

/**
 * Visitors of links that lead on, are switched and have limits; and clients of two accounts that claim, delete, toggle, edit,
 * read and repeat.
 */
export async function startLoad(tern: Tern, { visitors = 4, ...options }: VisitOptions = {}): Promise<Load> {
  const { codes = names('code', 12), port = tern.operator.port, random = seededRandom(1) } = options
  const switches = names('switch', 4)
  const titled = names('titled', 2)
  await tern.makeLinks(...codes, ...switches, ...titled)
  await makeLimitedLinks(tern)
  const rivals = await asAnother(tern.operator, 'rivals@example.com')
  const accounts: [Access, Access] = [access(tern.operator, 'mine', port), access(rivals, 'rivals', port)]
  const groups = [
    visit(tern, { ...options, visitors, codes, random }),
    { ...visit(tern, { ...options, visitors: 2, codes: switches, random }), statuses: [404] },
    { ...visit(tern, { ...options, visitors: 6, codes: [...LIMITS.keys()], random }), statuses: [410] },
  ]
  const clicked = codes.slice(0, 10)
  return begin(tern, new Load(groups, new RecordedLoad({ accounts, switches, titled, clicked, random })))
}

function begin(tern: Tern, load: Load): Load {
  tern.loads.push(load)
  return load
}

function visit(tern: Tern, options: VisitOptions & { codes: readonly string[] }): Visitors {
  const { visitors: clients = 4, codes, visitsMax = Infinity, node = 0, random = seededRandom(1) } = options
  const port = options.port ?? tern.nodes[node]!.port
  return { clicks: new ClickLoad({ port, clients, codes, random, requestsMax: visitsMax }), statuses: [] }
}

const access = ({ key }: OperatedFolder, account: string, port: number): Access => ({ port, key, account })

export const names = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}-${i}`)

async function makeLimitedLinks(tern: Tern): Promise<void> {
  const links = [...LIMITS].map(([code, limit]) => ({
    original_url: `https://example.com/${code}`,
    custom_code: code,
    max_clicks: limit,
  }))
  const { status, body } = await tern.api('POST', '/api/bulk-shorten', { links })
  if (status !== 201) throw new Error(`The links were not made: ${status} ${body}`)
}
