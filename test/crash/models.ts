import type { Model } from './linearizability.ts'

/** What the service promises of each kind of thing, for requests that come one after the other. */

export type CodeAsked = { by: string; deed: 'claim' | 'delete' | 'look' }
export type CodeAnswered = 'done' | 'refused'

/** A code goes to one account, for ever; that account may delete its link once, and claim the code anew. */
export const codeModel: Model<{ owner: string | null; hasLink: boolean }, CodeAsked, CodeAnswered> = {
  initial: { owner: null, hasLink: false },
  after(state, { by, deed }, answered) {
    const { owner, hasLink } = state
    const isPossible =
      deed === 'claim' ? owner === null || (owner === by && !hasLink) : owner === by && hasLink
    if (answered === 'refused') return isPossible ? undefined : state
    if (!isPossible) return undefined
    return { owner: by, hasLink: deed !== 'delete' }
  },
}

/** Each toggle sees another state than the one before it. The link is on when it is made. */
export const switchModel: Model<boolean, 'toggle' | 'look', boolean> = {
  initial: true,
  after(isOn, asked, answered) {
    const next = asked === 'toggle' ? !isOn : isOn
    return answered === undefined || answered === next ? next : undefined
  },
}

export type TitleAsked = { write: string } | 'look'

/** A title is what was last written. */
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

/** Made by a request that was not answered: which link, only the next answer says. */
const SOME_LINK = 'some link'

/** A request that is sent again with its Idempotency-Key makes one link, and always answers with that one. */
export const repeatModel: Model<string | null, 'make', string> = {
  initial: null,
  after(link, _, answered) {
    if (answered === undefined) return link ?? SOME_LINK
    return link === null || link === SOME_LINK || link === answered ? answered : undefined
  },
}
