import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { simulate } from './simulation.ts'

const USAGE = `npm run simulate -- --seeds 100000 [--from 1]   many seeds, on all cores; prints those that violate an invariant
npm run simulate -- --seeds 1000 --until-broken     the same, until the first violation
npm run simulate -- --seed 1234 [--verbose]     one seed; --verbose prints all that happens in it`

const SHOWN_MAX = 20
const PROGRESS_EVERY = 500

/** The command that repeats a seed. */
export const commandFor = (seed: number) => `npm run simulate -- --seed ${seed} --verbose`

type Seeds = { from: number; count: number; brokenMax: number }

/** Fewer are done before another process has started. */
const SEEDS_PER_PROCESS_MIN = 250

/** A process for each core, with as many seeds. How many of the processes found a violation. */
async function simulateOnAllCores({ from, count }: Pick<Seeds, 'from' | 'count'>): Promise<number> {
  const processes = Math.min(availableParallelism(), Math.ceil(count / SEEDS_PER_PROCESS_MIN))
  const share = Math.ceil(count / processes)
  const ended = Array.from({ length: processes }, (_, i) => {
    const seeds = Math.min(share, count - i * share)
    const words = ['--seeds', String(seeds), '--from', String(from + i * share), '--one-core']
    return Bun.spawn([process.execPath, import.meta.path, ...words], {
      stdio: ['ignore', 'inherit', 'inherit'],
    }).exited
  })
  return (await Promise.all(ended)).filter((exitCode) => exitCode !== 0).length
}

/** How many of the seeds violated an invariant. */
async function simulateMany({ from, count, brokenMax }: Seeds): Promise<number> {
  const startedAt = performance.now()
  let brokenCount = 0
  for (let seed = from; seed < from + count && brokenCount < brokenMax; seed++) {
    const { broken } = await simulate(seed)
    if (broken.length > 0 && ++brokenCount <= SHOWN_MAX)
      console.log(`\nSeed ${seed}:\n  ${broken.join('\n  ')}\n  ${commandFor(seed)}`)
    const done = seed - from + 1
    if (done % PROGRESS_EVERY !== 0 && done !== count) continue
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
    process.stderr.write(`\r${done} of ${count} seeds in ${seconds} s, ${brokenCount} violated an invariant`)
  }
  process.stderr.write('\n')
  return brokenCount
}

async function simulateOne(seed: number, isVerbose: boolean): Promise<number> {
  const { broken, tally, history } = await simulate(seed, { keepsHistory: isVerbose })
  for (const line of history) console.log(line)
  const { sent, acknowledged, excused, counted, turnedAway } = tally
  console.log(
    `${sent} clicks sent, ${acknowledged} acknowledged (${excused} excused), ${counted} counted; ${turnedAway} visitors turned away`,
  )
  for (const sentence of broken) console.log(`BROKEN: ${sentence}`)
  return broken.length
}

function wholeNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) throw new Error(`${text} is not a whole number.`)
  return Number(text)
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      seeds: { type: 'string' },
      from: { type: 'string', default: '1' },
      'until-broken': { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      'one-core': { type: 'boolean', default: false },
    },
  })
  const [seed, count] = [wholeNumber(values.seed), wholeNumber(values.seeds)]
  if (seed !== undefined) return simulateOne(seed, values.verbose)
  if (count === undefined) throw new Error(USAGE)
  const from = wholeNumber(values.from)!
  const brokenMax = values['until-broken'] ? 1 : Infinity
  if (brokenMax === 1 || values['one-core'] || count <= SEEDS_PER_PROCESS_MIN)
    return simulateMany({ from, count, brokenMax })
  return simulateOnAllCores({ from, count })
}

if (import.meta.main) {
  const broken = await main().catch((error: Error) => {
    console.error(error.message)
    return 1
  })
  process.exit(broken === 0 ? 0 : 1)
}
