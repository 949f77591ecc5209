import type { Model } from './linearizability.ts'

/** What the service guarantees for each kind of object if requests come one after the other. */

export type CodeAsked = { by: string; deed: 'claim' | 'delete' | 'look' }
export type CodeAnswered = 'done' | 'refused'

/** A code belongs to one account forever. That account may delete its link once, which stays in the trash with the code. */
export const codeModel: Model<{ owner: string | null; hasLink: boolean }, CodeAsked, CodeAnswered> = {
  initial: { owner: null, hasLink: false },
  after(state, { by, deed }, answered) {
    const { owner, hasLink } = state
    const isPossible = deed === 'claim' ? owner === null : owner === by && hasLink
    if (answered === 'refused') return isPossible ? undefined : state
    if (!isPossible) return undefined
    return { owner: by, hasLink: deed !== 'delete' }
  },
}

/** Each toggle changes the state. A new link is active. */
export const switchModel: Model<boolean, 'toggle' | 'look', boolean> = {
  initial: true,
  after(isOn, asked, answered) {
    const next = asked === 'toggle' ? !isOn : isOn
    return answered === undefined || answered === next ? next : undefined
  },
}

export type TitleAsked = { write: string } | 'look'

/** A title is the last one written. */
export const titleModel: Model<string, TitleAsked, string> = {
  initial: '',
  after(title, asked, answered) {
    const next = asked === 'look' ? title : asked.write
    return answered === undefined || answered === next ? next : undefined
  },
}

/** `click_count` never falls. */
export const clickCountModel: Model<number, 'look', number> = {
  initial: 0,
  after(count, _, answered = count) {
    return answered >= count ? answered : undefined
  },
}

/** Created by a request without an answer; the next answer says which link it is. */
const SOME_LINK = 'some link'

/** Requests with the same Idempotency-Key create one link and always return it. */
export const repeatModel: Model<string | null, 'make', string> = {
  initial: null,
  after(link, _, answered) {
    if (answered === undefined) return link ?? SOME_LINK
    return link === null || link === SOME_LINK || link === answered ? answered : undefined
  },
}
