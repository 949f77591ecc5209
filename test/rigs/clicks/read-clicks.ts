import type { ReadClick } from '../../../src/clicks/facts/write-facts.ts'
import type { Click } from '../../../src/clicks/journal/click.ts'
import type { ClickDimensions } from '../../../src/store/click-dimensions.ts'

export const SOME_DIMENSIONS: ClickDimensions = {
  country: 'DE',
  device: 'desktop',
  browser: 'B',
  os: 'O',
  referrer: 'r',
  language: '',
  via: 'link',
  variant: '',
  alias: '',
  region: '',
  city: '',
  utm: '',
}

/** The click, read as that of a person. */
export const visitOf = (click: Click): ReadClick => ({ click, dimensions: SOME_DIMENSIONS })

/** The click, read as that of a bot. */
export const botVisitOf = (click: Click): ReadClick => ({
  click,
  dimensions: undefined,
  botName: 'Googlebot',
})
