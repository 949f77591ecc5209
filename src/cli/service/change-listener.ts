import type { ChangeListener } from '../../http/api-server/api-channel.ts'
import type { LinkCache } from '../../links/routes/link-cache.ts'
import type { KeptRedirectState } from '../../links/routes/redirect-state.ts'

/** What the redirect thread does when links or the redirect state may have changed. */
export const changeListener = (links: LinkCache, kept: KeptRedirectState): ChangeListener => ({
  onLinksChanged: (codes) => links.forget(codes),
  onState(state) {
    // A change through the API is reported twice: by the API, and by the store. The cache is emptied once.
    if (kept.replace(state)) links.forgetAll()
  },
})
