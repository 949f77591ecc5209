import { z } from 'zod'
import type { RoutedColumn, ShownOptions } from '../link-fields.ts'
import { passwordKeyOf } from '../link-password.ts'
import { type QueryForwarding, shownForwarding, storedForwarding } from '../query-forwarding.ts'
import { REDIRECT_STATUS, type RedirectStatus } from '../redirect-status.ts'
import { compileRules, type Rules } from '../rules/compile-rules.ts'

/** What only some links have, as a redirect needs it. */
export type RouteOptions = {
  /** Null: from the start. */
  startsAtUs: number | null
  /** Null: never ends. */
  expiresAtUs: number | null
  /** How many visitors it leads to its destination; null: any number. */
  maxClicks: number | null
  /** Where visitors go before the start, after the end and over the limit; null: they read a notice. */
  fallback: string | null
  /** Signs the cookies of visitors who know the password; null: it has none. */
  passwordKey: string | null
  forwardsQuery: QueryForwarding
  forwardsPath: boolean
  status: RedirectStatus
  /** Null: everybody is led to the destination. */
  rules: Rules | null
  /** What link previews get instead of the redirect; null: the redirect. */
  card: SocialCard | null
  /** Those of its URLs that this server does not lead to. Checked when the link is read. */
  blocked: ReadonlySet<string>
}

/** Null where the owner has given nothing. */
export type SocialCard = { title: string | null; description: string | null; imageUrl: string | null }

// Redirect threads load this file, and not the schemas of the fields: the types see to it that no column is missing.
const IS_ROUTED: Record<RoutedColumn, true> = {
  starts_at: true,
  expires_at: true,
  fallback_url: true,
  forward_query: true,
  forward_path: true,
  redirect_status: true,
  rules: true,
  max_clicks: true,
  password_hash: true,
  social_title: true,
  social_description: true,
  social_image_url: true,
}
/** The columns of `links` that options are made of. */
export const ROUTED_COLUMNS = Object.keys(IS_ROUTED) as RoutedColumn[]

type RouteOptionColumns = Pick<ShownOptions, RoutedColumn>
/** What is absent is NULL. */
export type SomeOptionColumns = { [Name in keyof RouteOptionColumns]?: RouteOptionColumns[Name] | undefined }

const NOTHING_BLOCKED: ReadonlySet<string> = new Set()

/** Undefined for a plain link. */
export function routeOptions(some: SomeOptionColumns): RouteOptions | undefined {
  if (ROUTED_COLUMNS.every((name) => some[name] == null)) return undefined
  const columns = Object.fromEntries(ROUTED_COLUMNS.map((name) => [name, some[name] ?? null]))
  const { password_hash: hash, ...others } = columns as RouteOptionColumns
  return optionsOf({ ...others, password_key: hash === null ? null : passwordKeyOf(hash) })
}

/** The hash of a password does not leave the store. */
type EncodedColumns = Omit<RouteOptionColumns, 'password_hash'> & { password_key: string | null }

function optionsOf(columns: EncodedColumns): RouteOptions {
  const { social_title: title, social_description: description, social_image_url: imageUrl } = columns
  return {
    startsAtUs: columns.starts_at,
    expiresAtUs: columns.expires_at,
    maxClicks: columns.max_clicks,
    fallback: columns.fallback_url,
    passwordKey: columns.password_key,
    forwardsPath: columns.forward_path === 1,
    forwardsQuery: shownForwarding(columns.forward_query),
    status: (columns.redirect_status ?? REDIRECT_STATUS) as RedirectStatus,
    rules: compileRules(columns.rules),
    card:
      title === null && description === null && imageUrl === null ? null : { title, description, imageUrl },
    blocked: NOTHING_BLOCKED,
  }
}

/** Every URL, other than the link's destination, to which the options may lead; among them the picture of its card. */
export const destinationsOf = ({ fallback, rules, card }: RouteOptions): string[] => [
  ...[fallback, card?.imageUrl].filter((url) => typeof url === 'string'),
  ...(rules?.destinations ?? []),
]

/** Without those that are NULL. */
export function encodeOptions(options: RouteOptions): Partial<EncodedColumns> {
  const columns: EncodedColumns = {
    starts_at: options.startsAtUs,
    expires_at: options.expiresAtUs,
    max_clicks: options.maxClicks,
    fallback_url: options.fallback,
    password_key: options.passwordKey,
    forward_query: storedForwarding(options.forwardsQuery),
    forward_path: options.forwardsPath ? 1 : null,
    redirect_status: options.status === REDIRECT_STATUS ? null : options.status,
    rules: options.rules?.text ?? null,
    social_title: options.card?.title ?? null,
    social_description: options.card?.description ?? null,
    social_image_url: options.card?.imageUrl ?? null,
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== null))
}

const number = z.int().nullable().default(null)
const text = z.string().nullable().default(null)
const url = z.string().refine(URL.canParse).nullable().default(null)

const ENCODED = z.object({
  starts_at: number,
  expires_at: number,
  max_clicks: number,
  fallback_url: url,
  password_key: text,
  forward_query: z.literal([1, 2]).nullable().default(null),
  forward_path: z.literal(1).nullable().default(null),
  redirect_status: z.literal([301, 307, 308]).nullable().default(null),
  rules: text,
  social_title: text,
  social_description: text,
  social_image_url: url,
}) satisfies z.ZodType<EncodedColumns>

/** Undefined unless it is what encodeOptions gives. */
export const decodeOptions = (json: unknown): RouteOptions | undefined => {
  const { data } = ENCODED.safeParse(json)
  return data && Object.values(data).some((value) => value !== null) ? optionsOf(data) : undefined
}
