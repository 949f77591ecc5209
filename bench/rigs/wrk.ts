import { writeFileSync } from 'node:fs'
import { need } from './measure.ts'
import { aUserAgent, SeededChance } from './traffic.ts'

const wrk = need('wrk', 'wrk')
const taskset = need('taskset', 'util-linux')

/** What a browser sends when it follows a link. */
export const BROWSER_HEADERS = {
  'User-Agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
  Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'Accept-Language': 'en-US,en;q=0.9,de;q=0.8',
  'Accept-Encoding': 'gzip, deflate, br, zstd',
  Referer: 'https://news.example.org/some/page',
  'Sec-Fetch-Site': 'cross-site',
  'Sec-Fetch-Mode': 'navigate',
  'Upgrade-Insecure-Requests': '1',
}

export type WrkRun = {
  port: number
  seconds: number
  connections: number
  /** A Lua script that makes the requests. */
  script: string
  /** The core that the load is made on; any when absent. */
  core?: number
}

export type WrkResult = { requests: number; perSecond: number; p50Ms: number; p99Ms: number }

/** Sends as much as gets answered. Anything but a 2xx or 3xx, or a broken connection, ends the bench. */
export async function runWrk({ port, seconds, connections, script, core }: WrkRun): Promise<WrkResult> {
  const pinned = core === undefined ? [] : [taskset, '-c', String(core)]
  const load = [wrk, '-t1', `-c${connections}`, `-d${seconds}`, '--latency', '-s', script]
  const run = Bun.spawn([...pinned, ...load, `http://127.0.0.1:${port}`], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const text = await new Response(run.stdout).text()
  if (/Non-2xx|Socket errors/.test(text)) throw new Error(`The load was not answered in order:\n${text}`)
  return {
    requests: Number(/(\d+) requests in/.exec(text)![1]),
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(text)![1]),
    p50Ms: milliseconds(/50%\s+([\d.]+\w+)/.exec(text)![1]!),
    p99Ms: milliseconds(/99%\s+([\d.]+\w+)/.exec(text)![1]!),
  }
}

function milliseconds(text: string): number {
  const unit = /[a-z]+$/.exec(text)![0] as 'us' | 'ms' | 's' | 'm'
  return parseFloat(text) * { us: 0.001, ms: 1, s: 1000, m: 60_000 }[unit]
}

/** Opens the codes as a browser does, in a fixed, scattered order. */
export function writeRedirectScript(path: string, codes: readonly string[]): void {
  const lines = [
    ...headerLines(BROWSER_HEADERS),
    `local codes={${codes.map((code) => `"/${code}"`).join(',')}}`,
    'local n=0',
    `request=function() n=(n*1103515245+12345)%1000003; return wrk.format("GET",codes[n%${codes.length}+1]) end`,
  ]
  writeFileSync(path, lines.join('\n'))
}

/** Creates links, each with another destination and title: one a request, or as many as `bulk` says. */
export function writeCreateScript(path: string, headers: Record<string, string>, bulk?: number): void {
  const lines = [
    ...headerLines(headers),
    'local n=0',
    'local function link()',
    '  n=n+1',
    `  return '{"original_url":"https://www.example.com/some/landing/page/'..n..'","title":"Landing page '..n..'"}'`,
    'end',
    ...(bulk === undefined ? SINGLE : bulkOf(bulk)),
  ]
  writeFileSync(path, lines.join('\n'))
}

const SINGLE = ['request=function() return wrk.format("POST","/api/links",nil,link()) end']

const bulkOf = (links: number) => [
  'request=function()',
  '  local all={}',
  `  for i=1,${links} do all[i]=link() end`,
  `  return wrk.format("POST","/api/bulk-shorten",nil,'{"links":['..table.concat(all,",")..']}')`,
  'end',
]

const CROWD = 20_000

/** The same from a crowd behind a proxy: each request comes from one of these visitors, with one of many browsers. */
export function writeCrowdScript(path: string, codes: readonly string[]): void {
  const chance = new SeededChance(1)
  const requests = Array.from({ length: CROWD }, () => {
    const address = Array.from({ length: 4 }, () => 1 + Math.floor(chance.next() * 220)).join('.')
    const headers = {
      ...BROWSER_HEADERS,
      'User-Agent': aUserAgent(chance),
      Referer: `https://site-${chance.skewed(300)}.example.org/some/page`,
      'X-Forwarded-For': address,
    }
    const fields = Object.entries(headers).map(([name, value]) => `["${name}"]=${JSON.stringify(value)}`)
    return `wrk.format("GET","/${codes[chance.skewed(codes.length) - 1]}",{${fields.join(',')}})`
  })
  const lines = [
    // One table of all would be too large for Lua.
    'local crowd={}',
    'init=function()',
    ...requests.map((request) => `  crowd[#crowd+1]=${request}`),
    'end',
    'local n=0',
    `request=function() n=n+1; return crowd[n%${CROWD}+1] end`,
  ]
  writeFileSync(path, lines.join('\n'))
}

const headerLines = (headers: Record<string, string>): string[] =>
  Object.entries(headers).map(([name, value]) => `wrk.headers["${name}"]=${JSON.stringify(value)}`)
