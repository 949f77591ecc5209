import { appendFileSync, writeFileSync } from 'node:fs'
import { codeOfLink } from '../rigs/make-links.ts'
import { BROWSER_HEADERS, type WrkResult, writeCreateScript, writeCrowdScript } from '../rigs/wrk.ts'

export type Load = {
  name: string
  /** How many of what is counted in one request. */
  perRequest: number
  connections: number
  /** The load creates clicks, which are counted before it ends. */
  makesClicks: boolean
  writeScript(path: string): void
  /** Hears how many requests there were. */
  done(result: WrkResult): void
}

type LoadsSettings = {
  /** Links 1 to `links` exist. */
  links: number
  hotLinks: number
  /** Each of another account; the first is that of the links. */
  keys: readonly string[]
}

const CONNECTIONS = 64
const BULK_LINKS = 100
/** Each has a hundred times as much to do. */
const BULK_CONNECTIONS = 16

const KNOWN = 'redirect, known link, a crowd'
export const LOOK_UP = 'look-up, each code once'

/** The loads, run one at a time. */
export function scaleOutLoads({ links, hotLinks, keys }: LoadsSettings): Load[] {
  const usual = { perRequest: 1, connections: CONNECTIONS, makesClicks: false, done() {} }
  const codes = Array.from({ length: hotLinks }, (_, i) => codeOfLink(1 + i * Math.floor(links / hotLinks)))
  const creations = (some: readonly string[], bulk?: number) => (path: string) => {
    writeCreateScript(path, { 'Content-Type': 'application/json' }, bulk)
    appendFileSync(path, keysInTurn(some))
  }
  return [
    { ...usual, name: KNOWN, makesClicks: true, writeScript: (path) => writeCrowdScript(path, codes) },
    { ...usual, name: 'redirect, known link, uncounted', writeScript: (path) => writeHeads(path, codes) },
    { ...usual, name: LOOK_UP, ...lookUps(links) },
    { ...usual, name: 'creation, all by one key', writeScript: creations(keys.slice(0, 1)) },
    { ...usual, name: `creation, by ${keys.length} keys`, writeScript: creations(keys) },
    {
      ...usual,
      name: `creation, ${BULK_LINKS} a request`,
      perRequest: BULK_LINKS,
      connections: BULK_CONNECTIONS,
      writeScript: creations(keys, BULK_LINKS),
    },
  ]
}

/** HEAD is redirected and not counted, so that what is left beside the look-up is the answer alone. */
function writeHeads(path: string, codes: readonly string[]): void {
  const lines = [
    ...browserHeaders,
    `local codes={${codes.map((code) => `"/${code}"`).join(',')}}`,
    'local n=0',
    `request=function() n=(n*1103515245+12345)%1000003; return wrk.format("HEAD",codes[n%${codes.length}+1]) end`,
  ]
  writeFileSync(path, lines.join('\n'))
}

/** Every code once, one far from the other, from where the run before has ended; then all of them again. */
function lookUps(links: number): Pick<Load, 'writeScript' | 'done'> {
  let asked = 0
  return {
    done: ({ requests }) => void (asked += requests),
    writeScript(path) {
      const lines = [
        ...browserHeaders,
        'local digits="0123456789abcdefghijklmnopqrstuvwxyz"',
        `local n=${asked}`,
        'request=function()',
        // A prime, so that every link has its turn; and as codeOfLink spells it.
        `  n=n+1; local id=(n*7368787)%${links}+1; local code=""`,
        '  for place=1,6 do local digit=id%36; code=digits:sub(digit+1,digit+1)..code; id=(id-digit)/36 end',
        '  return wrk.format("HEAD","/c"..code)',
        'end',
      ]
      writeFileSync(path, lines.join('\n'))
    },
  }
}

const browserHeaders = Object.entries(BROWSER_HEADERS).map(
  ([name, value]) => `wrk.headers["${name}"]=${JSON.stringify(value)}`,
)

const keysInTurn = (keys: readonly string[]): string => `
local keys={${keys.map((key) => `"${key}"`).join(',')}}
local turn=0
local made=request
request=function()
  turn=turn+1
  wrk.headers["X-API-Key"]=keys[turn%#keys+1]
  return made()
end`
