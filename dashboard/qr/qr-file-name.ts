import type { LinkView } from '../../src/http/endpoints/browser-types.ts'

export const qrFileName = (link: LinkView, type: 'png' | 'svg'): string =>
  `${new URL(link.short_url).hostname}-${link.short_code}.${type}`
