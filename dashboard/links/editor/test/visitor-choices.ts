import type { ConditionChoices } from '../../../../src/http/endpoints/browser-types.ts'
import { dayAndTime } from '../../../format.ts'
import { testStrings } from './test-strings.ts'
import { nameOf } from '../rules/chip-text.ts'
import { LANGUAGES } from '../rules/list-values.tsx'

/** Who opens the link. Empty: not known. */
export type TestVisitor = {
  country: string
  device: string
  os: string
  browser: string
  language: string
  /** `2026-12-01T09:00` in the browser's time zone; empty: now. */
  at: string
}

export const NOBODY: TestVisitor = { country: '', device: '', os: '', browser: '', language: '', at: '' }

/** Who tests, as far as the browser says: a good first visitor. */
export function ownVisitor(): TestVisitor {
  const { language, region } = new Intl.Locale(navigator.language).maximize()
  return {
    ...NOBODY,
    country: region ?? '',
    device: deviceOf(navigator.userAgent),
    language: LANGUAGES.includes(navigator.language) ? navigator.language : language,
  }
}

function deviceOf(userAgent: string): string {
  if (/iPad|Tablet|Android(?!.*Mobile)/.test(userAgent)) return 'tablet'
  return /Mobi/.test(userAgent) ? 'mobile' : 'desktop'
}

type Choice = { value: string; label: string }

const UNKNOWN: Choice = { value: '', label: testStrings.unknown }
const byLabel = (a: Choice, b: Choice) => a.label.localeCompare(b.label)

/** Before they have arrived, only what is chosen. */
export function visitorChoices(choices: ConditionChoices | undefined) {
  const { country = [], device = [], os = [], browser = [] } = choices ?? {}
  const plain = (names: readonly string[]) => names.map((value) => ({ value, label: value }))
  return {
    country: [UNKNOWN, ...country.map((value) => ({ value, label: nameOf('country', value) })).sort(byLabel)],
    device: [UNKNOWN, ...device.map((value) => ({ value, label: nameOf('device', value) }))],
    os: [UNKNOWN, ...plain(os)],
    browser: [UNKNOWN, ...plain(browser)],
    language: [UNKNOWN, ...LANGUAGES.map((value) => ({ value, label: languageLabel(value) })).sort(byLabel)],
  }
}

const languageLabel = (tag: string) => `${nameOf('language', tag)} (${tag})`

/** What is known, as the server takes it. */
export function visitOf({ at, ...visitor }: TestVisitor): Record<string, string> {
  const choices = Object.fromEntries(Object.entries(visitor).filter(([, value]) => value !== ''))
  return at === '' ? choices : { ...choices, at: new Date(at).toISOString() }
}

/** The server's sentence as part of a list, with its times in the browser's zone. */
export const shortText = (sentence: string): string =>
  sentence.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, dayAndTime).replace(/\.$/, '')
