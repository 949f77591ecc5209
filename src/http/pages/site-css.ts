import { createHash } from 'node:crypto'
import siteCss from './site.css' with { type: 'text' }
import themeCss from './theme.css' with { type: 'text' }

export const SITE_CSS: string = themeCss + siteCss

const HASH_CHARS = 12

/** Contains the hash of the stylesheet, so browsers can cache it for good. */
export const CSS_HREF = `/assets/site-${createHash('sha256').update(SITE_CSS).digest('hex').slice(0, HASH_CHARS)}.css`
