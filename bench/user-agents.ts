import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { readUserAgent } from '../src/clicks/visitor/read-user-agent.ts'
import { MEASURES, readRows, wrongRows } from '../test/rigs/clicks/user-agent-measures.ts'

// How well and how quickly User-Agents are judged.
// npm run bench:user-agents -- [file.tsv[.gz]] [--half=0|1] [--wrong]
// Without a file it reads the sample of the tests. `--half` keeps half of the lines, by a hash of the User-Agent.

const SAMPLE = `${import.meta.dir}/../test/user-agents.tsv`
const CHARS_MAX = 512
const ROUNDS = 5
const HOSTILE_TEXTS = 400
const HOSTILE_PIECES = [
  'Mozilla/',
  '(((',
  'a/ (',
  '/ ',
  ';;(',
  'Googl',
  'Android; ',
  'a(',
  'aaa',
  'tab ',
  '1',
  'https://',
  'a.',
  'x@',
  'tv ',
  'compatible; ',
  'Chrome/',
  'Build/',
  '(Linux armv',
]

const [path = SAMPLE] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const half = process.argv.find((argument) => argument.startsWith('--half='))?.slice('--half='.length)
const showsWrong = process.argv.includes('--wrong')

const file = readFileSync(path)
const rows = readRows((path.endsWith('.gz') ? gunzipSync(file) : file).toString()).filter(
  ({ userAgent }) => half === undefined || Number(Bun.hash(userAgent) % 2n) === Number(half),
)
printMeasures()
printTimes()

function printMeasures() {
  for (const measure of MEASURES) {
    const count = rows.filter(measure.of).length
    const wrong = wrongRows(measure, rows)
    const percent = count === 0 ? '-' : ((100 * (count - wrong.length)) / count).toFixed(2)
    console.log(`${measure.name.padEnd(42)} ${percent.padStart(6)} %  ${count - wrong.length} of ${count}`)
    if (!showsWrong) continue
    for (const row of wrong) {
      const { device, os, browser } = readUserAgent(row.userAgent)
      console.log(
        `    ${row.kind} ${row.device} ${row.system} → ${device} ${os} ${browser} | ${row.userAgent}`,
      )
    }
  }
}

function printTimes() {
  const agents = rows.map(({ userAgent }) => userAgent)
  // Compiles what is run.
  microseconds(agents)
  printTime('an agent that was not seen before', agents)
  for (const piece of HOSTILE_PIECES)
    printTime(
      `${JSON.stringify(piece)} repeated`,
      Array.from({ length: HOSTILE_TEXTS }, () => piece.repeat(CHARS_MAX / piece.length)),
    )
}

function printTime(name: string, texts: string[]) {
  console.log(`µs for ${name.padEnd(35)} ${microseconds(texts).toFixed(1).padStart(6)}`)
}

/** Of CPU, for each text. Each is a new one, so nothing is remembered. */
function microseconds(texts: string[]): number {
  let shortest = Infinity
  for (let round = 0; round < ROUNDS; round++) {
    const unseen = texts.map((text, at) => flat(`${text.slice(0, CHARS_MAX - 15)} ${round}.${at}`))
    const start = cpuMicroseconds()
    for (const text of unseen) readUserAgent(text)
    shortest = Math.min(shortest, (cpuMicroseconds() - start) / texts.length)
  }
  return shortest
}

/** Not a tree of its parts. */
function flat(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}

function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}
