import { splitModel } from './android-model.ts'
import { deviceOf, systemOf, SYSTEM_NAMES, type Device } from './device.ts'
import {
  BROWSERS_OF_SYSTEMS,
  CLIENT_NAMES,
  HTTP_TOOLS,
  KNOWN_CLIENTS,
  TRAILING_HTTP_TOOLS,
  type KnownClient,
} from './known-clients.ts'
import { namesItselfBot, soundsLikeProgram } from './is-bot.ts'
import { memoize } from './memoize.ts'

export { DEVICES } from './device.ts'

/** What a User-Agent says about the client. Names come from fixed lists, so a visitor cannot invent one. */
export type Visitor = { isBot: boolean; device: Device; browser: string; os: string }

/** Cut before any regular expression runs, because they backtrack. Real User-Agents are shorter. */
const USER_AGENT_CHARS_MAX = 512
const VISITORS_REMEMBERED_MAX = 5_000
const DEVICES_REMEMBERED_MAX = 500

export const UNKNOWN = 'Unknown'
const NOBODY: Visitor = { isBot: false, device: 'other', browser: UNKNOWN, os: UNKNOWN }
const WORDS = /[a-z][a-z_.-]*\/?/g

const rememberedVisitor = memoize(VISITORS_REMEMBERED_MAX, visitorOf)
const rememberedDevice = memoize(DEVICES_REMEMBERED_MAX, nameOfDevice)

/** Every name of a browser and of a system that readUserAgent gives, or gave. */
export const BROWSERS: ReadonlySet<string> = new Set([...CLIENT_NAMES, UNKNOWN])
export const SYSTEMS: ReadonlySet<string> = new Set([...SYSTEM_NAMES, UNKNOWN])

/** Crawlers keep their name if it is a known one, but have no device and no system. */
export function readUserAgent(userAgent: string): Visitor {
  if (userAgent === '') return NOBODY
  return rememberedVisitor(userAgent.slice(0, USER_AGENT_CHARS_MAX))
}

/** `Firefox on Linux`, for the list of sessions. A headless browser counts as a bot but has a system. */
export function deviceName(userAgent: string): string {
  if (userAgent === '') return 'Unknown browser'
  return rememberedDevice(userAgent.slice(0, USER_AGENT_CHARS_MAX))
}

function nameOfDevice(userAgent: string): string {
  const { browser } = visitorOf(userAgent)
  const os = systemOf(splitModel(userAgent))
  const browserName = browser === UNKNOWN ? 'Unknown browser' : browser
  return os === '' ? browserName : `${browserName} on ${os}`
}

function visitorOf(userAgent: string): Visitor {
  const parts = splitModel(userAgent)
  const client = clientIn(parts.rest)
  const os = systemOf(parts)
  const browser = browserName(client, os)
  // Takes precedence over the name of a tool or app: crawlers are built with python-requests.
  if (namesItselfBot(parts.rest)) return { ...NOBODY, isBot: true, browser }

  const tool = httpTool(userAgent)
  if (tool !== undefined && parts.model === '') return { ...NOBODY, browser: tool }

  const isWebView = client?.isApp === true && userAgent.startsWith('Mozilla/')
  if (tool === undefined && !isWebView && soundsLikeProgram(parts.rest))
    return { ...NOBODY, isBot: true, browser }

  return { isBot: false, device: deviceOf(parts, os), browser: tool ?? browser, os: os || UNKNOWN }
}

function clientIn(text: string): KnownClient | undefined {
  let first: KnownClient | undefined
  for (const word of text.toLowerCase().match(WORDS) ?? []) {
    const client = KNOWN_CLIENTS.get(word) ?? KNOWN_CLIENTS.get(word.replace('/', ''))
    if (client !== undefined && (first === undefined || client.rank < first.rank)) first = client
  }
  return first
}

function browserName(client: KnownClient | undefined, os: string): string {
  const name = client?.name ?? UNKNOWN
  if (name === 'Safari' || name === UNKNOWN || os === 'WebOS') return BROWSERS_OF_SYSTEMS[os] ?? name
  return name
}

function httpTool(userAgent: string): string | undefined {
  const firstWord = userAgent.split(/[\s/(;]/, 1)[0] ?? ''
  return (
    HTTP_TOOLS.get(firstWord.toLowerCase()) ?? TRAILING_HTTP_TOOLS.find(([mark]) => mark.test(userAgent))?.[1]
  )
}
