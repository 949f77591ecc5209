import { createHash } from 'node:crypto'
import siteCss from './site.css' with { type: 'text' }
import themeCss from './theme.css' with { type: 'text' }

export const SITE_CSS: string = themeCss + siteCss

const HASH_CHARS = 12

/** The stylesheet's address holds its content's hash, so it may be kept for good and still never be stale. */
export const CSS_HREF = `/assets/site-${createHash('sha256').update(SITE_CSS).digest('hex').slice(0, HASH_CHARS)}.css`
