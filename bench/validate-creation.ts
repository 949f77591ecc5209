/**
 * What the validation of one new link costs, all fields sent, in one process. CPU time, so that other processes do not count.
 *
 *   npm run bench:validate                          this checkout
 *   npm run bench:validate ../tern-before           beside a4112df, the commit before the fields had schemas:
 *                                                   git worktree add ../tern-before a4112df, with its npm ci
 */
import { join, resolve } from 'node:path'
import { Blocks } from '../src/links/destinations/blocks.ts'
import { linkSchemas } from '../src/links/link-fields.ts'
import { readNewLink, readNewLinks } from '../src/links/read-links.ts'
import { machine, markdownTable, median } from './rigs/measure.ts'

type Input = Record<string, unknown>
type Reader = { label: string; readOne(input: Input): unknown; readMany(input: Input): unknown }

const LINKS = Number(process.env.LINKS ?? 20_000)
const ROUNDS = Number(process.env.ROUNDS ?? 7)
const TARGET_US = 20
const BULK = 100

const rules = { ownHosts: new Set(['tern.example']), allowPrivate: false, blocks: new Blocks() }
const schemas = linkSchemas(rules)
const readers: Reader[] = [
  {
    label: 'now',
    readOne: (input) => readNewLink(input, schemas),
    readMany: (input) => readNewLinks(input, schemas),
  },
]
const before = process.argv[2]
if (before !== undefined) readers.unshift(await readerBefore(before))

const roundsOf = new Map(readers.map((reader) => [reader, { good: [], refused: [], bulk: [] } as Rounds]))
type Rounds = Record<'good' | 'refused' | 'bulk', number[]>

// Round by round in turn, so that a slow moment of the machine is everybody's.
for (let round = -1; round < ROUNDS; round++) {
  for (const [reader, rounds] of roundsOf) {
    const measured = { good: measureGood(reader), refused: measureRefused(reader), bulk: measureBulk(reader) }
    if (round < 0) continue // the first warms up
    rounds.good.push(measured.good)
    rounds.refused.push(measured.refused)
    rounds.bulk.push(measured.bulk)
  }
}

console.log(`\n${machine()}; ${LINKS.toLocaleString('en')} links a round, medians of ${ROUNDS} rounds\n`)
console.log(
  markdownTable(
    [
      'validation',
      'one link, CPU µs',
      'one refused for all fields, µs',
      `in a request of ${BULK}, µs per link`,
      'target',
    ],
    [...roundsOf].map(([{ label }, { good, refused, bulk }]) => [
      label,
      ...[good, refused, bulk].map((rounds) => median(rounds).toFixed(1)),
      median(good) <= TARGET_US ? `≤ ${TARGET_US} met` : `≤ ${TARGET_US} missed`,
    ]),
  ),
)

function measureGood({ readOne }: Reader): number {
  return microsecondsEach((n) => void readOne(goodLink(n)))
}

function measureRefused({ readOne }: Reader): number {
  return microsecondsEach((n) => {
    try {
      readOne({ original_url: `nothing ${n}`, title: `${n}\n`, custom_code: `${n} ${n}`, is_active: 1 })
    } catch {
      return
    }
    throw new Error('A link with errors was accepted.')
  })
}

function measureBulk({ readMany }: Reader): number {
  const bodies = Array.from({ length: LINKS / BULK }, (_, request) => ({
    links: Array.from({ length: BULK }, (_, n) => goodLink(request * BULK + n)),
  }))
  return microseconds(() => {
    for (const body of bodies) readMany(body)
  })
}

function microsecondsEach(work: (n: number) => void): number {
  return microseconds(() => {
    for (let n = 0; n < LINKS; n++) work(n)
  })
}

function microseconds(work: () => void): number {
  const start = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / LINKS
}

function goodLink(n: number): Input {
  return {
    original_url: `https://shop.example.com/spring/${n}?utm_source=newsletter`,
    title: `Spring sale ${n}`,
    custom_code: `spring-${n}`,
    is_active: true,
  }
}

/** The same questions to another checkout, which has its own modules. */
async function readerBefore(checkout: string): Promise<Reader> {
  const { readNewLink, readNewLinks } = await import(join(resolve(checkout), 'src/links/new-link.ts'))
  return {
    label: 'before',
    readOne: (input) => readNewLink(input, rules),
    readMany: (input) => readNewLinks(input, rules),
  }
}
