import type { ChangeLinksDeps } from '../../links/change-links.ts'
import { findLinkPassword, passwordKeyOf } from '../../links/link-password.ts'
import { renewPasswordHash } from '../../links/renew-password-hash.ts'
import { Refusal } from '../../errors/refusal.ts'
import type { Counter } from '../../metrics/instruments.ts'
import {
  fromOtherSite,
  methodNotAllowed,
  passwordNeeded,
  storeDown,
  tooManyPasswords,
  toShortUrl,
  unavailable,
  wrongPassword,
} from '../../redirect/notices.ts'
import { passwordCookie } from '../../redirect/password-cookie.ts'
import type { Visit } from '../../redirect/visit.ts'
import type { VisitResponse } from '../../redirect/visit-response.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { ReadDb } from '../../store/handles.ts'
import { isStoreUnavailable } from '../../store/store-errors.ts'
import { isOutdatedHash } from '../../users/password/password.ts'
import type { PasswordQueue } from '../../users/password/password-queue.ts'
import { isFromOwnPage } from '../dispatch/origins.ts'
import type { Incoming } from '../requests/read-request.ts'
import type { ProxiedVisit } from './api-server.ts'
import type { Attempt, PasswordAttempts } from './password-attempts.ts'

const BODY_BYTES_MAX = 4_096

export type EnterPasswordDeps = {
  db: ReadDb
  clock: Clock
  baseUrl: string
  attempts: PasswordAttempts
  passwords: Pick<PasswordQueue, 'hash'>
  edits: ChangeLinksDeps
  /** On the redirect thread. Undefined if it is a guess, and there is no such link. */
  openLink(visits: readonly ProxiedVisit[]): Promise<VisitResponse | undefined>
  refusals: Pick<Counter, 'add'>
}

/** What comes with the visit. */
export type SentForm = { headers: Headers; body: Incoming }

/** What a visitor sends with the form of a link that has a password: a POST to the short URL. */
export class PasswordForms {
  readonly #deps: EnterPasswordDeps

  constructor(deps: EnterPasswordDeps) {
    this.#deps = deps
  }

  /** To the first that opens a link. Undefined if all are guesses, and none does. */
  async enter(visits: readonly Visit[], form: SentForm): Promise<VisitResponse | undefined> {
    for (const visit of visits) {
      const response = await this.#enterOrRefuse(visit, form)
      if (response !== undefined) return response
    }
    return undefined
  }

  async #enterOrRefuse(visit: Visit, form: SentForm): Promise<VisitResponse | undefined> {
    try {
      return await this.#enter(visit, form)
    } catch (error) {
      if (isStoreUnavailable(error)) return storeDown(visit)
      if (error instanceof Refusal && error.kind === 'unavailable') {
        const { code, message, retryAfterSeconds = 1 } = error
        return unavailable(visit, { code, message, retryAfterSeconds })
      }
      throw error
    }
  }

  async #enter(visit: Visit, form: SentForm): Promise<VisitResponse | undefined> {
    const { header: _, ...parts } = visit
    // What somebody without the cookie meets: the link may be blocked, too early or over by now.
    const headers = { accept: form.headers.get('accept') ?? '' }
    const met = await this.#deps.openLink([{ ...parts, method: 'HEAD', headers }])
    // It says nothing about the link: the server cannot tell, or too many unknown codes were opened.
    if (met === undefined || met.status === 429 || met.status >= 500) return met
    const link = await findLinkPassword(this.#deps, visit)
    if (link === undefined) return methodNotAllowed()
    if (met.status !== 403) return toShortUrl(visit)
    const request = { ...visit, header: (name: string) => form.headers.get(name) ?? undefined }
    if (!isFromOwnPage(request, this.#deps.baseUrl)) return fromOtherSite(visit)
    const password = passwordIn(form)
    return password === undefined ? passwordNeeded(visit) : this.#check(visit, { ...link, password })
  }

  async #check(visit: Visit, entered: EnteredPassword): Promise<VisitResponse> {
    const { attempts, clock, baseUrl } = this.#deps
    const { linkId } = entered
    const result = await attempts.check(visit.ip, { ...entered, page: `link ${linkId}` })
    if (result.outcome === 'wrong') return wrongPassword(visit, result.left)
    if (result.outcome === 'too-many') {
      this.#deps.refusals.add()
      return tooManyPasswords(visit, result.retryAfterSeconds)
    }
    const passwordHash = await this.#ownHash(entered)
    // Somebody else has replaced it, perhaps with that of another password.
    if (passwordHash === undefined) return toShortUrl(visit)
    const link = { linkId, passwordKey: passwordKeyOf(passwordHash) }
    const { code, prefix } = visit
    const place = { code, prefix, isSecure: baseUrl.startsWith('https:'), nowUs: clock.nowUs() }
    return toShortUrl(visit, { 'Set-Cookie': passwordCookie(link, place) })
  }

  /** An imported hash is replaced by one of ours as soon as somebody enters its password. */
  async #ownHash({ linkId, passwordHash: before, password }: EnteredPassword): Promise<string | undefined> {
    if (!isOutdatedHash(before)) return before
    const after = await this.#deps.passwords.hash(password)
    return (await renewPasswordHash(this.#deps.edits, { linkId, before, after })) ? after : undefined
  }
}

type EnteredPassword = Omit<Attempt, 'page'> & { linkId: number }

/** Undefined if the form was not sent, or without a password. */
function passwordIn({ headers, body }: SentForm): string | undefined {
  const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded' || body === undefined) return undefined
  if (body === 'too-large' || body.byteLength > BODY_BYTES_MAX) return 'too-large'
  return new URLSearchParams(new TextDecoder().decode(body)).get('password') || undefined
}
