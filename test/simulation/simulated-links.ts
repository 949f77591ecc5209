import type { ClickExtras } from '../../src/clicks/journal/click-extras.ts'
import { defaultKey } from '../../src/links/link-key.ts'
import type { LinkRoute } from '../../src/links/routes/link-route.ts'
import { routeOptions, type SomeOptionColumns } from '../../src/links/routes/route-options.ts'
import type { Visit } from '../../src/redirect/visit.ts'
import { MINUTE_US } from '../../src/runtime/clock.ts'
import { NOON_US } from '../rigs/clicks/journal-rig.ts'

// The links of the simulation: plain ones, and one or two of each kind that does not lead everybody to the same place. Where
// each visitor belongs is said here in a second way, which shares nothing with the program.

/** Somewhere a visitor may be led, and what the click says of it. Without a location: to a notice, and there is no click. */
export type Lead = { location?: string; extras: ClickExtras }

/** What decides where a visitor belongs. */
type Visitor = { id: number; nowUs: number; isBot: boolean }

type SimulatedLink = {
  workspaceId: number
  columns?: SomeOptionColumns
  /** Everywhere the visitor may be led, as far as the link alone says. */
  leads(visitor: Visitor): Lead[]
}

const [HOME, AWAY] = ['https://example.com/', 'https://example.org/elsewhere']
const [PART_A, PART_B, PORTUGUESE] = ['a', 'b', 'pt'].map((path) => `https://example.com/${path}`) as [
  ...[string, string, string],
]
/** Visitors come before, in between and after: a minute and a half apart on average, and the clock may jump by days. */
const [START_US, END_US] = [NOON_US + 8 * MINUTE_US, NOON_US + 30 * MINUTE_US]

/** One visitor in five comes from the preview page, or with something in the query for a link that forwards it. */
const queryOf = (id: number, linkId: number) =>
  id % 5 !== 0 ? '' : linkId === FORWARDING ? 'a=1' : 'via=preview'
const languageOf = (id: number) => (id % 3 === 0 ? 'pt-BR,en;q=0.5' : 'en-US,fr;q=0.5')
const FORWARDING = 2
/** Every other visitor opens it by its alias. */
const ALIASED = 3
const ALIAS = 'alias-3'
const codeOf = (id: number, linkId: number) => (linkId === ALIASED && id % 2 === 0 ? ALIAS : `link-${linkId}`)

const extrasWith = (known: Partial<ClickExtras> = {}): ClickExtras => ({
  variant: '',
  via: 'link',
  language: '',
  utm: '',
  alias: '',
  ...known,
})
const to = (location: string, known: Partial<ClickExtras> = {}): Lead => ({
  location,
  extras: extrasWith(known),
})
const elsewhere = to(AWAY, { variant: 'fallback' })
const nowhere: Lead = { extras: extrasWith() }

/** By the whole link: its times and where it leads outside of them. */
const timed = (workspaceId: number, outside: Lead, fallback: string | null): SimulatedLink => ({
  workspaceId,
  columns: { starts_at: START_US, expires_at: END_US, fallback_url: fallback },
  leads: ({ nowUs }) => [nowUs >= START_US && nowUs < END_US ? to(HOME) : outside],
})

const limited = (maxClicks: number, over: Lead, fallback: string | null): SimulatedLink => ({
  workspaceId: 1,
  columns: { max_clicks: maxClicks, fallback_url: fallback },
  leads: ({ isBot }) => (isBot ? [nowhere, over] : [to(HOME), over]),
})

const PORTUGUESE_ID = '0000000a'
/** Of the parts of a split, 70 to 30. */
export const PART_IDS = ['0000000b', '0000000c'] as const

const RULES = [
  { id: PORTUGUESE_ID, when: { language: ['pt'] }, to: PORTUGUESE },
  {
    id: '0000000d',
    split: [
      { id: PART_IDS[0], to: PART_A, weight: 70 },
      { id: PART_IDS[1], to: PART_B, weight: 30 },
    ],
  },
]

const SPLITTING: SimulatedLink = {
  workspaceId: 2,
  columns: { rules: JSON.stringify(RULES) },
  leads({ id }) {
    if (id % 3 === 0) return [to(PORTUGUESE, { variant: PORTUGUESE_ID })]
    return [to(PART_A, { variant: PART_IDS[0] }), to(PART_B, { variant: PART_IDS[1] })]
  },
}

const LINKS = new Map<number, SimulatedLink>([
  [1, { workspaceId: 1, leads: () => [to(HOME)] }],
  [
    FORWARDING,
    {
      workspaceId: 1,
      columns: { forward_query: 1 },
      leads: ({ id }) => [id % 5 === 0 ? to(`${HOME}?a=1`) : to(HOME)],
    },
  ],
  [ALIASED, { workspaceId: 2, leads: ({ id }) => [to(HOME, id % 2 === 0 ? { alias: ALIAS } : {})] }],
  [4, limited(2, elsewhere, AWAY)],
  [5, limited(3, nowhere, null)],
  [6, timed(1, elsewhere, AWAY)],
  [7, timed(2, nowhere, null)],
  [8, SPLITTING],
])

export const LINK_IDS: readonly number[] = [...LINKS.keys()]
/** Its visitors are led where they were led before. */
export const STICKY_LINK = 8

/** How many visitors each link with a limit leads to its destination. */
export const LIMITS: ReadonlyMap<number, number> = new Map(
  [...LINKS].flatMap(([id, { columns }]) => (columns?.max_clicks ? [[id, columns.max_clicks] as const] : [])),
)
/** Whether a visitor of a link with a limit was led on, and not over it. */
export const isWithinLimit = (location: string | undefined) => location === HOME

export const workspaceOf = (linkId: number): number => LINKS.get(linkId)!.workspaceId

/** Everywhere that the visitor may be led, with the way by which the visitor comes, and the language. */
export function leadsOf(linkId: number, visitor: Visitor): Lead[] {
  const language = languageOf(visitor.id).slice(0, 2)
  const via = queryOf(visitor.id, linkId) === 'via=preview' ? 'preview' : 'link'
  return LINKS.get(linkId)!
    .leads(visitor)
    .map((lead) => ({ ...lead, extras: { ...lead.extras, via, language } }))
}

const aliased = (code: string) => (code === ALIAS ? { isAlias: true as const } : {})

/** As a run of the program has read them. */
export const newRoutes = (): Map<string, LinkRoute> =>
  new Map(
    [...LINKS].flatMap(([linkId, { workspaceId, columns = {} }]) => {
      const options = routeOptions(columns)
      const link = { linkId, workspaceId, destination: HOME, isActive: true, blockedBy: undefined, options }
      const codes = [`link-${linkId}`, ...(linkId === ALIASED ? [ALIAS] : [])]
      return codes.map((code) => [code, { ...defaultKey(code), ...link, ...aliased(code) }] as const)
    }),
  )

/** Of which a counted click is known. */
export const referrerOf = (id: number): string => `click-${id}.example`

/** The IP address is the visitor's id. */
export function visitOf(id: number, linkId: number, userAgent: string): Visit {
  const headers: Record<string, string | undefined> = {
    'user-agent': userAgent,
    'accept-language': languageOf(id),
    referer: `https://${referrerOf(id)}/`,
  }
  return {
    method: 'GET',
    host: 'localhost',
    ...defaultKey(codeOf(id, linkId)),
    query: queryOf(id, linkId),
    ip: String(id),
    header: (name) => headers[name] ?? null,
  }
}
