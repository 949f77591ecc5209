import { ALIAS_KIND, CITY_KIND, type Click, EXTENDED_KIND, PLAIN_BYTES_MIN, PLAIN_KIND } from './click.ts'
import { decodeExtras } from './decode-extras.ts'

const KINDS: readonly unknown[] = [PLAIN_KIND, EXTENDED_KIND, ALIAS_KIND, CITY_KIND]

/** Reads a click back; undefined when the record is not one that this version understands. */
export function decodeClick(payload: Buffer): Click | undefined {
  const kind = payload[0]
  if (!KINDS.includes(kind) || payload.length < PLAIN_BYTES_MIN) return undefined
  const userAgentEnd = 37 + payload.readUInt16LE(35)
  if (userAgentEnd >= payload.length) return undefined
  const end = userAgentEnd + 1 + payload[userAgentEnd]!
  const click: Click = {
    linkId: payload.readDoubleLE(1),
    workspaceId: payload.readDoubleLE(9),
    clickedAtUs: payload.readDoubleLE(17),
    visitor: payload.readDoubleLE(25),
    country: payload[33] === 0 ? '' : payload.toString('latin1', 33, 35),
    userAgent: payload.toString('latin1', 37, userAgentEnd),
    referrer: payload.toString('latin1', userAgentEnd + 1, end),
    extras: undefined,
  }
  if (!isPlausible(click)) return undefined
  if (kind === PLAIN_KIND) return end === payload.length ? click : undefined
  click.extras = decodeExtras(payload, {
    start: end,
    hasAlias: kind === ALIAS_KIND,
    hasCity: kind === CITY_KIND,
  })
  return click.extras && click
}

const isCount = (value: number, least: number) => Number.isSafeInteger(value) && value >= least

function isPlausible({ linkId, workspaceId, clickedAtUs, visitor, country }: Click): boolean {
  const numbers =
    isCount(linkId, 1) && isCount(workspaceId, 1) && isCount(clickedAtUs, 0) && isCount(visitor, 0)
  return numbers && (country === '' || /^[A-Z]{2}$/.test(country))
}
