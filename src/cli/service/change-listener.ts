import type { ChangeListener } from '../../http/api-server/api-channel.ts'
import type { LinkCache } from '../../links/routes/link-cache.ts'
import type { KeptRedirectState } from '../../links/routes/redirect-state.ts'
import type { RouteSource } from '../../links/routes/route-source.ts'

/** What the redirect thread does when links or the redirect state may have changed. */
export const changeListener = (
  links: LinkCache,
  kept: KeptRedirectState,
  source: Pick<RouteSource, 'readStateAgain'>,
): ChangeListener => ({
  onLinksChanged: (codes) => links.forget(codes),
  onState(state) {
    // A change through the API is reported twice: by the API, and by the store. The cache is emptied once.
    const change = kept.replace(state)
    if (change === 'nothing') return
    if (change === 'routes') links.forgetAll()
    // The API thread may have read this before another node made the change that was here already.
    source.readStateAgain()
  },
})
