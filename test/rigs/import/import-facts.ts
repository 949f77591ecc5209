import type { SourceLink, SourceOptions } from '../../../src/import/source.ts'

/** What the files of one program say, and what becomes of it. `truth.json` was not written by what reads the files. */
export type Program = { source: string; truths: Truth[]; imported: Import }

/** Files that have the same links. */
type Truth = {
  files: string[]
  options?: Partial<SourceOptions>
  links: SourceLink[]
  /** By place, why there is no link. */
  refused?: Record<string, string>
  /** By domain and code, what cannot come along. */
  lost: Record<string, string[]>
}

/** What an import of the files of `truths[0]` to one domain does. */
type Import = {
  created: number
  /** By code, or by place. */
  refused: Record<string, string[]>
  /** What is special about the program, as the API shows it. */
  link: { short_code: string } & Record<string, unknown>
}

/** For each of the words, the sentences. */
export const each = (words: string, ...sentences: string[]): Record<string, string[]> =>
  Object.fromEntries(words.split(' ').map((word) => [word, sentences]))

/** Why links of several programs are refused or come along in part. */
export const FOLDER = 'The name of its folder is not in the list of links.'
export const CLOAKED = 'Visitors will see the URL of the destination: there is no cloaking here.'
export const NO_CODE = 'It is the page of the bare domain, which is a setting of the domain here.'
export const NO_URL = 'The original url must be a valid URL that starts with http:// or https://.'
export const HIDDEN =
  'The link has a password that the source does not say, or only as a hash that is not of bcrypt with a cost of 12 at most. Without it, the link would be open to everybody.'

/** Of many programs. */
export const USERINFO = each('userinfo', 'The original url may not contain a user name or password.')

/** What a `truth.json` may say of a link. Only what it says is compared. */
export type Fact = {
  code: string
  domain: string | null
  destination: string | null
  title?: string | null
  notes?: string | null
  tags?: string[]
  created_at?: string | null
  starts_at?: string | null
  expires_at?: string | null
  fallback_url?: string | null
  max_clicks?: number | null
  clicks?: number | null
  archived?: boolean
  disabled?: boolean
  forward_query?: boolean
  redirect_status?: number
  password_plain?: string | null
  has_password?: boolean
  rules?: object[] | null
  preview?: object | null
}

/** In the words of a source. */
export function linkOf(fact: Fact): SourceLink {
  const link = {
    code: fact.code,
    domain: fact.domain,
    destination: fact.destination,
    createdAt: fact.created_at,
    title: fact.title,
    notes: fact.notes,
    tags: fact.tags,
    startsAt: fact.starts_at,
    expiresAt: fact.expires_at,
    fallbackUrl: fact.fallback_url,
    maxClicks: fact.max_clicks,
    clicks: fact.clicks,
    isArchived: fact.archived,
    isDisabled: fact.disabled,
    forwardQuery: fact.forward_query,
    redirectStatus: fact.redirect_status,
    password: fact.password_plain,
    hasUnknownPassword: fact.has_password,
    ...((fact.rules !== undefined || fact.preview !== undefined) && {
      others: { ...fact.preview, ...(fact.rules && { rules: fact.rules }) },
    }),
  }
  return Object.fromEntries(Object.entries(link).filter(([, value]) => value !== undefined))
}
