/** The host as people write it: `münchen.example` for `xn--mnchen-3ya.example`. As it is where that could be mistaken for another. */
export function unicodeHost(host: string): string {
  if (!host.includes('xn--')) return host
  const labels = host.split('.').map((label) => {
    const text = label.startsWith('xn--') ? decodePunycode(label.slice(4)) : label
    return text === undefined || !isPlain(text) ? label : text
  })
  const text = labels.join('.')
  // The parser normalizes, so what it does not give back was not the name that was decoded.
  return URL.parse(`http://${text}`)?.hostname === host ? text : host
}

// Scripts that one language writes together. Letters of others in one label are how names are imitated.
const SCRIPTS = [
  /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]+$/u,
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Common}\p{Script=Inherited}]+$/u,
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Common}\p{Script=Inherited}]+$/u,
  ...['Greek', 'Cyrillic', 'Arabic', 'Hebrew', 'Devanagari', 'Thai', 'Armenian', 'Georgian'].map(
    (script) => new RegExp(`^[\\p{Script=${script}}\\p{Script=Common}\\p{Script=Inherited}]+$`, 'u'),
  ),
]
/** Cyrillic and Greek letters that look like Latin ones. A label of nothing else could be read as another name. */
const LOOKS_LATIN = /^[асԁеһіјӏорԛѕԝхуъьҽпгѵαικνορτυωγ0-9-]+$/

const isPlain = (label: string): boolean =>
  SCRIPTS.some((script) => script.test(label)) && !LOOKS_LATIN.test(label)

// RFC 3492, 5: the parameters of Punycode.
const BASE = 36
const T_MIN = 1
const T_MAX = 26
const SKEW = 38
const DAMP = 700
const FIRST_BIAS = 72
const FIRST_CODE = 128
const CODE_MAX = 0x10ffff

/** RFC 3492, 6.2. Undefined if it is none. A label has at most 63 characters, so this ends soon. */
function decodePunycode(text: string): string | undefined {
  const basicEnd = Math.max(text.lastIndexOf('-'), 0)
  const output = Array.from(text.slice(0, basicEnd))
  let code = FIRST_CODE
  let at = 0
  let bias = FIRST_BIAS
  for (let next = basicEnd > 0 ? basicEnd + 1 : 0; next < text.length;) {
    const before = at
    for (let [weight, k] = [1, BASE]; ; k += BASE) {
      const digit = digitOf(text.charCodeAt(next++))
      if (digit === undefined) return undefined
      at += digit * weight
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX)
      if (digit < threshold) break
      weight *= BASE - threshold
    }
    const length = output.length + 1
    bias = adapted(at - before, length, before === 0)
    code += Math.floor(at / length)
    at %= length
    if (code > CODE_MAX) return undefined
    output.splice(at++, 0, String.fromCodePoint(code))
  }
  return output.join('')
}

/** Letters are 0 to 25, digits 26 to 35. */
function digitOf(charCode: number): number | undefined {
  if (charCode >= 97 && charCode <= 122) return charCode - 97
  return charCode >= 48 && charCode <= 57 ? charCode - 22 : undefined
}

/** RFC 3492, 6.1. */
function adapted(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2))
  rest += Math.floor(rest / length)
  let k = 0
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - T_MIN))
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW))
}
