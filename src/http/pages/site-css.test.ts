import { expect, test } from 'bun:test'
import { SITE_CSS } from './site-css.ts'

const OKLCH = String.raw`oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)`
const TOKEN = new RegExp(String.raw`--([\w-]+): light-dark\(${OKLCH}, ${OKLCH}\)`, 'g')

const { light, dark } = luminances(SITE_CSS)

test.each([
  ['light', light],
  ['dark', dark],
])(
  'every text color has a contrast of 4.5 or more on every surface, the ring of the focus one of 3, %s',
  (_, tokens) => {
    const data = ['data-1', 'data-2', 'data-3', 'data-4', 'data-5', 'data-6']
    const inks = ['ink', 'ink-soft', 'accent', ...data, 'ok', 'warn', 'bad']
    for (const ink of inks) {
      for (const surface of ['surface', 'surface-raised', 'surface-sunk']) {
        expect([ink, surface, contrast(tokens, ink, surface) >= 4.5]).toEqual([ink, surface, true])
      }
    }
    for (const surface of ['surface', 'surface-raised', 'surface-sunk'])
      expect(contrast(tokens, 'focus', surface)).toBeGreaterThanOrEqual(3)
    for (const fill of ['accent-fill', 'accent-fill-hover']) {
      expect(contrast(tokens, 'on-accent', fill)).toBeGreaterThanOrEqual(4.5)
    }
  },
)

test.each([
  ['light', light],
  ['dark', dark],
])('a badge is readable on its own tint, %s', (_, tokens) => {
  // Browsers lay the 11 % of the badge's colour over the surface in gamma-encoded values.
  const encoded = (name: string) => (tokens.get(name) ?? Number.NaN) ** (1 / 2.2)
  for (const ink of ['data-1', 'ok', 'warn', 'bad']) {
    const behind = (0.89 * encoded('surface') + 0.11 * encoded(ink)) ** 2.2
    expect(contrast(new Map([...tokens, ['tint', behind]]), ink, 'tint')).toBeGreaterThanOrEqual(4.5)
  }
})

test.each([
  ['light', light],
  ['dark', dark],
])('a control has a contrast of 3 or more to what is behind it, %s', (_, tokens) => {
  for (const surface of ['surface', 'surface-raised']) {
    expect(contrast(tokens, 'line-control', surface)).toBeGreaterThanOrEqual(3)
  }
})

test('every color is there for light and for dark', () => {
  const colors = [...SITE_CSS.matchAll(/--[\w-]+: (?:light-dark\()?oklch/g)].map(([text]) => text)
  expect(colors.length).toBeGreaterThan(20)
  expect(colors.filter((text) => !text.includes('light-dark('))).toEqual([])
})

test('every name that is used is defined, and nothing is loaded from elsewhere', () => {
  for (const [, name] of SITE_CSS.matchAll(/var\((--[\w-]+)/g)) expect(SITE_CSS).toContain(`${name}:`)
  expect(SITE_CSS).not.toMatch(/@import|url\(/)
})

type Tokens = Map<string, number>

/** Relative luminance of each opaque OKLCH token (CSS Color 4, WCAG 2.2), in light and in dark. */
function luminances(css: string): { light: Tokens; dark: Tokens } {
  const [light, dark]: [Tokens, Tokens] = [new Map(), new Map()]
  for (const [, name = '', ...numbers] of css.matchAll(TOKEN)) {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers.map(Number)
    light.set(name, luminance(a, b, (c * Math.PI) / 180))
    dark.set(name, luminance(d, e, (f * Math.PI) / 180))
  }
  return { light, dark }
}

function luminance(light: number, chroma: number, hue: number): number {
  const a = chroma * Math.cos(hue)
  const b = chroma * Math.sin(hue)
  const l = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (light - 0.0894841775 * a - 1.291485548 * b) ** 3
  const clamp = (value: number) => Math.min(1, Math.max(0, value))
  const red = clamp(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)
  const green = clamp(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)
  const blue = clamp(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(tokens: Tokens, front: string, back: string): number {
  const [low = 0, high = 0] = [tokens.get(front) ?? Number.NaN, tokens.get(back) ?? Number.NaN].sort(
    (x, y) => x - y,
  )
  return (high + 0.05) / (low + 0.05)
}
