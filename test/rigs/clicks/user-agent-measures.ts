import { readUserAgent, type Visitor } from '../../../src/clicks/visitor/read-user-agent.ts'
import { isPreviewFetcher } from '../../../src/redirect/preview-fetchers.ts'

/** A User-Agent with what it is, in the words of device-detector. */
export type Row = {
  source: string
  kind: string
  device: string
  system: string
  browser: string
  userAgent: string
}

/** Opens documents: it looks at a link before the user's browser does. */
const isOffice = ({ browser, userAgent }: Row) =>
  /^Microsoft (?:Office|Outlook|Lync)/.test(browser) || /ms-office|MSOffice/i.test(userAgent)
const isPerson = (row: Row) => row.kind.startsWith('person') && !isOffice(row)
const isBot = ({ kind }: Row) => kind.startsWith('bot') && kind !== 'bot:http-library'
const isBrowser = ({ kind }: Row) => kind === 'person:browser'
/** They show a picture, or answer other questions than what a page is about. */
const NO_PREVIEWS =
  /ImgProxy|GoogleImageProxy|YahooMailProxy|github-camo|meta-(?:externalagent|webindexer|externalfetcher)|BingPreview|AASA-Bot|Favicon|Image Fetcher|TikTokSpider|TwilioProxy|domain-status/i
const isPreview = ({ kind, userAgent }: Row) =>
  kind.includes('social-preview') && !NO_PREVIEWS.test(userAgent)

export type Measure = {
  name: string
  of: (row: Row) => boolean
  isRight: (row: Row, visitor: Visitor) => boolean
}

const SYSTEM_NAMES: Record<string, string> = {
  'GNU/Linux': 'Linux',
  Mac: 'macOS',
  iPadOS: 'iOS',
  'Chrome OS': 'ChromeOS',
  webOS: 'WebOS',
  'Fire OS': 'Android',
  'Android TV': 'Android',
}
const SYSTEMS = ['Android', 'iOS', 'Windows', 'macOS', 'Linux', 'ChromeOS', 'KaiOS', 'WebOS', 'Tizen']
const systemOf = ({ system }: Row) => SYSTEM_NAMES[system] ?? system

export const MEASURES: Measure[] = [
  { name: 'people not called bots', of: isPerson, isRight: (_, { isBot }) => !isBot },
  { name: 'bots called bots', of: isBot, isRight: (_, { isBot }) => isBot },
  { name: 'previews that get the card', of: isPreview, isRight: (row) => isPreviewFetcher(row.userAgent) },
  {
    name: 'people who get no card',
    of: isPerson,
    isRight: (row) => !isPreviewFetcher(row.userAgent),
  },
  {
    name: 'Office called a bot',
    of: (row) => row.kind.startsWith('person') && isOffice(row),
    isRight: (_, { isBot }) => isBot,
  },
  {
    name: 'televisions called other',
    of: (row) => isPerson(row) && row.device === 'tv',
    isRight: (_, { device }) => device === 'other',
  },
  {
    name: 'phones called mobile',
    of: (row) => isPerson(row) && /^(?:smartphone|phablet|feature phone)$/.test(row.device),
    isRight: (_, { device }) => device === 'mobile',
  },
  {
    name: 'tablets called tablet',
    of: (row) => isPerson(row) && row.device === 'tablet',
    isRight: (_, { device }) => device === 'tablet',
  },
  {
    name: 'desktops called desktop',
    of: (row) => isBrowser(row) && row.device === 'desktop',
    isRight: (_, { device }) => device === 'desktop',
  },
  {
    name: 'consoles, watches, headsets called other',
    of: (row) => isPerson(row) && /^(?:console|wearable|car browser|smart display)$/.test(row.device),
    isRight: (_, { device }) => device === 'other',
  },
  {
    name: 'Android not called iOS',
    of: (row) => isPerson(row) && row.system === 'Android',
    isRight: (_, { os }) => os !== 'iOS',
  },
  {
    name: 'systems',
    of: (row) => isBrowser(row) && SYSTEMS.includes(systemOf(row)),
    isRight: (row, { os }) => os === systemOf(row),
  },
]

/** With a header and the columns source, kind, device, system, browser, user_agent. */
export const readRows = (tsv: string): Row[] =>
  tsv
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [source = '', kind = '', device = '', system = '', browser = '', userAgent = ''] =
        line.split('\t')
      return { source, kind, device, system, browser, userAgent }
    })

export function wrongRows({ of, isRight }: Measure, rows: Row[]): Row[] {
  return rows.filter((row) => of(row) && !isRight(row, readUserAgent(row.userAgent)))
}
