import Bowser, { BROWSER_MAP, OS_MAP } from 'bowser'
import { createIsbotFromList, list as isbotRules } from 'isbot'
import {
  BROWSER_NAMES,
  HTTP_TOOLS,
  IN_APP_BROWSERS,
  SHAPE_RULES_OF_ISBOT,
  TRAILING_HTTP_TOOLS,
} from './known-clients.ts'
import { memoize } from './memoize.ts'

export const DEVICES = ['desktop', 'mobile', 'tablet', 'other'] as const
type Device = (typeof DEVICES)[number]

/** What a User-Agent says about the client. Names come from fixed lists, so a visitor cannot invent one. */
export type Visitor = { isBot: boolean; device: Device; browser: string; os: string }

/** Cut before any regular expression runs, because they backtrack. Real User-Agents are shorter. */
const USER_AGENT_CHARS_MAX = 512
const VISITORS_REMEMBERED_MAX = 5_000
const DEVICES_REMEMBERED_MAX = 500

export const UNKNOWN = 'Unknown'
const NOBODY: Visitor = { isBot: false, device: 'other', browser: UNKNOWN, os: UNKNOWN }

// Takes precedence over the name of a tool or app: crawlers are built with python-requests. Cubot makes phones.
const CALLS_ITSELF_BOT =
  /(?<!\bcu)bots?(?:\b|_)|crawler|spider|slurp|externalhit|meta-external|\b(?:chatgpt|claude|mistralai|perplexity)-user\b/i
const IS_PHONE = /\bMobile\b/
const IS_TELEVISION = /\b(?:smart-?tv|tv|bravia)\b/i

const namesABot = createIsbotFromList(isbotRules.filter((rule) => !SHAPE_RULES_OF_ISBOT.includes(rule)))
const browsersOfBowser = new Set<string>(Object.values(BROWSER_MAP))
const rememberedVisitor = memoize(VISITORS_REMEMBERED_MAX, visitorOf)
const rememberedDevice = memoize(DEVICES_REMEMBERED_MAX, nameOfDevice)

/** Every name of a browser and of a system that readUserAgent gives. */
export const BROWSERS: ReadonlySet<string> = new Set([
  ...[...browsersOfBowser].map(browserName),
  ...HTTP_TOOLS.values(),
  ...[...TRAILING_HTTP_TOOLS, ...IN_APP_BROWSERS].map(([, name]) => name),
  UNKNOWN,
])
export const SYSTEMS: ReadonlySet<string> = new Set([...Object.values(OS_MAP).map(osName), UNKNOWN])

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
  const os = osName(Bowser.getParser(userAgent, true).getOSName())
  const named = browser === UNKNOWN ? 'Unknown browser' : browser
  return os === UNKNOWN ? named : `${named} on ${os}`
}

function visitorOf(userAgent: string): Visitor {
  const parser = Bowser.getParser(userAgent, true)
  const browser = browserName(parser.getBrowserName())
  if (CALLS_ITSELF_BOT.test(userAgent)) return { ...NOBODY, isBot: true, browser }

  const tool = httpTool(userAgent)
  if (tool !== undefined) return { ...NOBODY, browser: tool }

  const app = nameIn(IN_APP_BROWSERS, userAgent)
  if (app === undefined && namesABot(userAgent)) return { ...NOBODY, isBot: true, browser }

  return {
    isBot: false,
    device: deviceOf(userAgent, parser.getPlatformType()),
    browser: app ?? browser,
    os: osName(parser.getOSName()),
  }
}

function httpTool(userAgent: string): string | undefined {
  const firstWord = userAgent.split(/[\s/(;]/, 1)[0] ?? ''
  return HTTP_TOOLS.get(firstWord.toLowerCase()) ?? nameIn(TRAILING_HTTP_TOOLS, userAgent)
}

function nameIn(table: [RegExp, string][], userAgent: string): string | undefined {
  return table.find(([mark]) => mark.test(userAgent))?.[1]
}

function browserName(name: string): string {
  return BROWSER_NAMES.get(name) ?? (browsersOfBowser.has(name) ? name : UNKNOWN)
}

function osName(name: string): string {
  return name === 'Chrome OS' ? 'ChromeOS' : name || UNKNOWN
}

function deviceOf(userAgent: string, platform: string): Device {
  // bowser reports an Android television as a tablet.
  if (IS_TELEVISION.test(userAgent)) return 'other'
  if (platform === 'desktop' || platform === 'mobile' || platform === 'tablet') return platform
  // bowser reports Yahoo's app as a crawler, and does not know Chromebooks and the BSDs.
  if (IS_PHONE.test(userAgent)) return 'mobile'
  return userAgent.includes('X11;') ? 'desktop' : 'other'
}
