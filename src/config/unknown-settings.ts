// Shorter names are too similar to common ones: PORT to SORT, HOST to HOME.
const LETTERS_MIN = 8
// A name of this length is recognizable with two typing errors.
const LETTERS_FOR_TWO_SLIPS = 13

const PREFIX = 'TERN_'

/**
 * A sentence for each variable that was meant for Tern and would be silently ignored: `TERN_…`, or a misspelled setting.
 */
export function unknownSettings(environment: Record<string, string | undefined>, names: string[]): string[] {
  return Object.entries(environment).flatMap(([name, value = '']) => {
    if (names.includes(name) || isServiceLink(name, value)) return []
    const ours = name.startsWith(PREFIX)
    const meant = meantName(ours ? name.slice(PREFIX.length) : name, names)
    if (!ours && meant === undefined) return []
    return [
      meant === undefined ? `${name} is not a setting.` : `${name} is not a setting: did you mean ${meant}?`,
    ]
  })
}

/** Kubernetes sets these in every pod beside a service named `tern` or `tern-…`: TERN_PORT=tcp://10.0.0.1:80. */
function isServiceLink(name: string, value: string): boolean {
  if (!name.startsWith(PREFIX)) return false
  return (
    /_(SERVICE_(HOST|PORT)|PORT_\d+_(TCP|UDP|SCTP))(_|$)/.test(name) || /^(tcp|udp|sctp):\/\//.test(value)
  )
}

function meantName(text: string, names: string[]): string | undefined {
  if (names.includes(text)) return text
  return names.find((name) => {
    if (name.length < LETTERS_MIN) return false
    const slips = name.length < LETTERS_FOR_TWO_SLIPS ? 1 : 2
    return [text, text.replace(/Y$/, 'IES')].some((spelling) => isWithinSlips(slips, spelling, name))
  })
}

/** An error is a letter changed, added, left out, or swapped with the next. */
function isWithinSlips(slips: number, a: string, b: string): boolean {
  if (a === b) return true
  if (slips === 0 || Math.abs(a.length - b.length) > slips) return false
  let same = 0
  while (a[same] === b[same]) same += 1
  const x = a.slice(same)
  const y = b.slice(same)
  const left = slips - 1
  return (
    isWithinSlips(left, x.slice(1), y.slice(1)) ||
    isWithinSlips(left, x.slice(1), y) ||
    isWithinSlips(left, x, y.slice(1)) ||
    (x[0] === y[1] && x[1] === y[0] && isWithinSlips(left, x.slice(2), y.slice(2)))
  )
}
