/** A new link as a request asks for it. */
export type AskedLink = {
  original_url: string
  custom_code?: string
  aliases?: string[]
  external_id?: string
  reuse_existing?: boolean
}

type StoredLink = { id: number; code: string; aliases: string[]; asked: AskedLink }

/** Whose a code is, and what it opens: a link, a link in the trash, or nothing. */
type ModelCode = { isOwn: boolean; opens: StoredLink | undefined; isInTrash: boolean }

/** What a creation is to answer: for each link the one that is there, the place of an equal one, or that it is new. */
export type Expected = Refused | { links: (StoredLink | number | 'new')[] }
type Refused = { code: string; errors: Record<string, string> }

export type Key = { isRestricted: boolean; linksPerDay: number }

/** Which links a workspace has and who may use which codes, in plain objects. Names of errors are those of a list of links. */
export class CreationModel {
  readonly links: StoredLink[] = []
  readonly codes = new Map<string, ModelCode>()
  /** Every code that was claimed, and the link that it opened. */
  readonly claims: { code: string; linkId: number }[] = []
  createdOfDay = 0

  constructor(readonly linksMax: number) {}

  expect(asked: readonly AskedLink[], key: Key): Expected {
    const errors = key.isRestricted ? this.#forbidden(asked) : this.#repeated(asked)
    if (Object.keys(errors).length > 0) return invalid(errors)
    const links: (StoredLink | number | 'new')[] = []
    for (const link of asked) {
      const twin = asked.findIndex((other, at) => links[at] === 'new' && isEqual(link, other, other))
      links.push(twin !== -1 ? twin : (this.#equalTo(link) ?? 'new'))
    }
    const fresh = [...asked.keys()].filter((index) => links[index] === 'new')
    const ids = this.links.map((link) => link.asked.external_id)
    const taken = fresh.filter((index) => ids.includes(asked[index]!.external_id ?? ''))
    if (taken.length > 0)
      return invalid(
        Object.fromEntries(taken.map((index) => [`links.${index}.external_id`, EXTERNAL_ID_TAKEN])),
      )
    if (fresh.length > 0 && this.links.length + fresh.length > this.linksMax)
      return { code: 'limit_reached', errors: {} }
    if (key.isRestricted && this.createdOfDay + fresh.length > key.linksPerDay)
      return { code: 'daily_limit_reached', errors: {} }
    const refused = Object.assign({}, ...fresh.map((index) => this.#refusedCodes(asked[index]!, index)))
    return Object.keys(refused).length > 0 ? invalid(refused) : { links }
  }

  /** What the answer said of a new link. */
  create(asked: AskedLink, { id, code }: { id: number; code: string }, key: Key): StoredLink {
    const link = { id, code, aliases: asked.aliases ?? [], asked }
    this.links.push(link)
    if (key.isRestricted) this.createdOfDay++
    for (const each of codesOf(link)) {
      this.codes.set(each, { isOwn: true, opens: link, isInTrash: false })
      this.claims.push({ code: each, linkId: id })
    }
    return link
  }

  moveToTrash(link: StoredLink): void {
    this.links.splice(this.links.indexOf(link), 1)
    for (const each of codesOf(link)) this.codes.get(each)!.isInTrash = true
  }

  forget(link: StoredLink): void {
    for (const each of codesOf(link))
      this.codes.set(each, { isOwn: true, opens: undefined, isInTrash: false })
  }

  #forbidden(asked: readonly AskedLink[]): Record<string, string> {
    const fields = ['aliases', 'external_id', 'reuse_existing'] as const
    const sent = asked.flatMap((link, index) =>
      fields
        .filter((field) => link[field] !== undefined)
        .map((field) => [`links.${index}.${field}`, MAY_NOT_SET]),
    )
    if (sent.length > 0) return Object.fromEntries(sent)
    const repeated = this.#repeated(asked)
    if (Object.keys(repeated).length > 0) return repeated
    return Object.fromEntries(
      asked.flatMap(({ custom_code: code }, index) =>
        code === undefined || code.startsWith(PREFIX) ? [] : [[`links.${index}.custom_code`, WRONG_PREFIX]],
      ),
    )
  }

  #repeated(asked: readonly AskedLink[]): Record<string, string> {
    const errors: Record<string, string> = {}
    const seen = new Set<string>()
    const note = (text: string | undefined, field: string, name: string) => {
      if (text === undefined) return
      if (seen.has(`${name === 'external id'} ${text}`))
        errors[field] = `The ${name} is used twice in this request.`
      seen.add(`${name === 'external id'} ${text}`)
    }
    for (const [index, link] of asked.entries()) {
      note(link.custom_code, `links.${index}.custom_code`, 'custom code')
      for (const [at, alias] of (link.aliases ?? []).entries())
        note(alias, `links.${index}.aliases.${at}`, 'alias')
      note(link.external_id, `links.${index}.external_id`, 'external id')
    }
    return errors
  }

  #equalTo(link: AskedLink): StoredLink | undefined {
    return this.links.find((stored) =>
      isEqual(link, stored.asked, { ...stored.asked, custom_code: stored.code }),
    )
  }

  #refusedCodes(asked: AskedLink, index: number): Record<string, string> {
    const fields = [['custom_code', asked.custom_code] as const].concat(
      (asked.aliases ?? []).map((alias, at) => [`aliases.${at}`, alias] as never),
    )
    return Object.fromEntries(
      fields.flatMap(([field, code]) => {
        const known = code === undefined ? undefined : this.codes.get(code)
        const name = field === 'custom_code' ? 'custom code' : 'alias'
        if (known === undefined || (known.isOwn && known.opens === undefined)) return []
        const sentence =
          known.isOwn && known.isInTrash
            ? `The ${name} is that of a link in the trash. Restore the link or delete it for good.`
            : `The ${name} has already been taken.`
        return [[`links.${index}.${field}`, sentence]]
      }),
    )
  }
}

export const PREFIX = 'shop-'
const MAY_NOT_SET = 'This API key may not set this field.'
const WRONG_PREFIX = `This API key creates codes that begin with ${PREFIX} only.`
const EXTERNAL_ID_TAKEN = 'The external id has already been taken.'

const invalid = (errors: Record<string, string>): Refused => ({ code: 'validation_failed', errors })

const codesOf = ({ code, aliases }: { code: string; aliases: readonly string[] }) => [code, ...aliases]

/** Whether the link that is asked for may be the other one, which has these codes. */
function isEqual(asked: AskedLink, other: AskedLink, codes: AskedLink): boolean {
  if (asked.reuse_existing !== true || asked.original_url !== other.original_url) return false
  if (asked.external_id !== undefined && asked.external_id !== other.external_id) return false
  const opening = [codes.custom_code, ...(codes.aliases ?? [])]
  return [...(asked.custom_code === undefined ? [] : [asked.custom_code]), ...(asked.aliases ?? [])].every(
    (code) => opening.includes(code),
  )
}
