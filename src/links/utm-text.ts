import { UTM_NAMES, utmInQuery } from './utm-parameters.ts'

// The UTM parameters with which a short URL was opened, as clicks have them: one text, so that they are one value. It is
// a query, and read as such.

/** As much as the journal has room for. */
const TEXT_LENGTH_MAX = 1_024
/** Others are not counted: as in destinations, a value is a line of text. */
const VALUE = /^\P{Cc}{1,200}$/u

/** In one order and spelling; '' without any. What has no room is left out. */
export function utmTextOf(query: string): string {
  const values = utmInQuery(query)
  return UTM_NAMES.reduce((text, name) => {
    const value = values?.[name] ?? ''
    if (!VALUE.test(value)) return text
    const longer = `${text}${text === '' ? '' : '&'}utm_${name}=${encodeURIComponent(value)}`
    return longer.length > TEXT_LENGTH_MAX ? text : longer
  }, '')
}
