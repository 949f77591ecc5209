import { findLinkPassword, passwordKeyOf } from '../../links/link-password.ts'
import { Refusal } from '../../errors/refusal.ts'
import { type LimitKey, WindowLimit } from '../../limits/window-limit.ts'
import type { Counter } from '../../metrics/instruments.ts'
import { limitKeys } from '../../network/client-ip.ts'
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
import { MINUTE_US, type Clock } from '../../runtime/clock.ts'
import type { ReadDb } from '../../store/handles.ts'
import { isStoreUnavailable } from '../../store/store-errors.ts'
import type { PasswordQueue } from '../../users/password/password-queue.ts'
import { isFromOwnPage } from '../dispatch/origins.ts'
import type { Incoming } from '../requests/read-request.ts'
import type { ProxiedVisit } from './api-server.ts'
import { LinkTries } from './link-tries.ts'

const ATTEMPTS_MAX = 10
const ATTEMPTS_MS = 10 * 60_000
/** Of one network, over all links: as for signing in. */
const NETWORK_ATTEMPTS_PER_MINUTE = 30
const BODY_BYTES_MAX = 4_096

export type EnterPasswordDeps = {
  db: ReadDb
  clock: Clock
  baseUrl: string
  passwords: PasswordQueue
  /** On the redirect thread. */
  openLink(visit: ProxiedVisit): Promise<VisitResponse>
  refusals: Pick<Counter, 'add'>
}

/** What comes with the visit. */
export type SentForm = { headers: Headers; body: Incoming }

/** What a visitor sends with the form of a link that has a password: a POST to the short URL. */
export class PasswordForms {
  readonly #deps: EnterPasswordDeps
  readonly #ofLink: WindowLimit
  readonly #ofNetwork: WindowLimit
  readonly #fromAnywhere: LinkTries

  constructor(deps: EnterPasswordDeps) {
    this.#deps = deps
    this.#fromAnywhere = new LinkTries(deps.clock)
    this.#ofLink = new WindowLimit(deps.clock, { windowMs: ATTEMPTS_MS, max: ATTEMPTS_MAX })
    this.#ofNetwork = new WindowLimit(deps.clock, {
      windowMs: MINUTE_US / 1_000,
      max: NETWORK_ATTEMPTS_PER_MINUTE,
    })
  }

  async enter(visit: Visit, form: SentForm): Promise<VisitResponse> {
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

  async #enter(visit: Visit, form: SentForm): Promise<VisitResponse> {
    const { header: _, ...parts } = visit
    // What somebody without the cookie meets: the link may be blocked, too early or over by now.
    const headers = { accept: form.headers.get('accept') ?? '' }
    const met = await this.#deps.openLink({ ...parts, method: 'HEAD', headers })
    if (met.status >= 500) return met
    const link = await findLinkPassword(this.#deps, visit)
    if (link === undefined) return methodNotAllowed()
    if (met.status !== 403) return toShortUrl(visit)
    const request = { ...visit, header: (name: string) => form.headers.get(name) ?? undefined }
    if (!isFromOwnPage(request, this.#deps.baseUrl)) return fromOtherSite(visit)
    const password = passwordIn(form)
    return password === undefined ? passwordNeeded(visit) : this.#check(visit, { ...link, password })
  }

  async #check(visit: Visit, attempt: Attempt): Promise<VisitResponse> {
    const { clock, baseUrl } = this.#deps
    const { linkId, passwordHash } = attempt
    const keys = limitKeys(visit.ip)
    const keysOfLink = keys.map(({ key, times }): LimitKey => ({ key: `${key} ${linkId}`, times }))
    const network = this.#ofNetwork.count(keys)
    const attempts = network.isAllowed ? this.#ofLink.count(keysOfLink) : network
    if (!attempts.isAllowed) return this.#refuse(visit, attempts.retryAfterSeconds)
    const waitSeconds = this.#fromAnywhere.begin(linkId)
    if (waitSeconds > 0) {
      this.#ofLink.giveBack(keysOfLink)
      return this.#refuse(visit, waitSeconds)
    }
    const isNotWrong = () => {
      this.#ofLink.giveBack(keysOfLink)
      this.#fromAnywhere.takeBack(linkId)
    }
    const isRight = await this.#isRight(attempt).catch((error: unknown) => {
      // It was not checked.
      this.#ofNetwork.giveBack(keys)
      isNotWrong()
      throw error
    })
    if (!isRight) {
      const { left, retryAfterSeconds } = attempts
      return left === 0 ? this.#refuse(visit, retryAfterSeconds) : wrongPassword(visit, left)
    }
    // Many people behind one address may know it.
    isNotWrong()
    const link = { linkId, passwordKey: passwordKeyOf(passwordHash) }
    const place = { code: visit.code, isSecure: baseUrl.startsWith('https:'), nowUs: clock.nowUs() }
    return toShortUrl(visit, { 'Set-Cookie': passwordCookie(link, place) })
  }

  async #isRight({ workspaceId, passwordHash, password }: Attempt): Promise<boolean> {
    // Too large for a password, so there is nothing to check.
    if (password === 'too-large') return false
    return this.#deps.passwords.verifyOfLink(workspaceId, password, passwordHash)
  }

  #refuse(visit: Visit, retryAfterSeconds: number): VisitResponse {
    this.#deps.refusals.add()
    return tooManyPasswords(visit, retryAfterSeconds)
  }
}

type Attempt = { linkId: number; workspaceId: number; passwordHash: string; password: string | 'too-large' }

/** Undefined if the form was not sent, or without a password. */
function passwordIn({ headers, body }: SentForm): string | undefined {
  const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded' || body === undefined) return undefined
  if (body === 'too-large' || body.byteLength > BODY_BYTES_MAX) return 'too-large'
  return new URLSearchParams(new TextDecoder().decode(body)).get('password') || undefined
}
