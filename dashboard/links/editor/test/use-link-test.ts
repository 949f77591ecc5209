import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConditionChoices, LinkView } from '../../../../src/http/endpoints/browser-types.ts'
import { ask, type DataOf } from '../../../api/api-client.ts'
import { useSettled } from '../../../use-settled.ts'
import { RequestFailure } from '../../../api/request.ts'
import { endErrors, useScheduleZone } from '../zone-times.ts'
import { editInput, type FieldName, newLinkInput } from '../link-form.ts'
import { LANGUAGES, useConditionChoices } from '../rules/list-values.tsx'
import type { LinkFields } from '../use-link-form.ts'
import { dayAndTime } from '../../../later-format.ts'
import { testStrings } from '../editor-strings.ts'
import { nameOf } from '../rules/chip-text.ts'

const SETTLED_MS = 250

export type Explanation = DataOf<'POST /links/resolve'>

export type LinkTest = {
  visitor: TestVisitor
  setVisitor: (change: Partial<TestVisitor>) => void
  choices: ConditionChoices | undefined
  explanation: Explanation | undefined
  error: unknown
  /** What is wrong with the form, without what stands under its fields. */
  formErrors: string[]
  /** The form has no destination yet. */
  isEmpty: boolean
  /** The rule, counted from 1, that the visitor meets. */
  rule: number | null
  /** The link as it is in the form. */
  redirectStatus: string
  drawAgain: () => void
}

/** Asks the server what the visitor would meet, for the link as it is in the form. Nothing is stored. */
export function useLinkTest(fields: LinkFields, link: LinkView | undefined, isShown: boolean): LinkTest {
  const [visitor, setVisitor] = useState(ownVisitor)
  const [draw, setDraw] = useState(0)
  const { form, before } = fields
  const isEmpty = form.original_url.trim() === ''
  const linkInput = link
    ? { short_code: link.short_code, link: editInput(before, form) }
    : { link: newLinkInput(form) }
  const input = useSettled(JSON.stringify({ ...linkInput, visit: visitOf(visitor) }), SETTLED_MS)
  const { data, error } = useQuery({
    queryKey: ['link-test', input, draw],
    queryFn: async ({ signal }) =>
      (
        await ask('POST /links/resolve', {
          input: JSON.parse(input),
          query: link ? { domain: link.domain } : {},
          signal,
        })
      ).data,
    enabled: isShown && !isEmpty,
    placeholderData: keepPreviousData,
    // Time passes, limits are used up, and the form may hold a password.
    staleTime: 0,
    gcTime: 0,
  })
  const choices = useConditionChoices(isShown)
  const { zone } = useScheduleZone()
  const explanation = isEmpty || error !== null ? undefined : data
  return {
    visitor,
    setVisitor: (change) => setVisitor((now) => ({ ...now, ...change })),
    choices,
    explanation,
    error,
    formErrors: formErrorsOf(error, fields, zone),
    isEmpty,
    rule: isShown ? (explanation?.rule ?? null) : null,
    redirectStatus: form.redirect_status,
    drawAgain: () => setDraw((count) => count + 1),
  }
}

function formErrorsOf(error: unknown, { form, errorsFor }: LinkFields, zone: string): string[] {
  if (!(error instanceof RequestFailure)) return []
  const sentences = Object.entries(error.fields)
    .filter(([name]) => errorsFor(name as FieldName) === undefined)
    .flatMap(([name, each]) => (name === 'expires_at' ? endErrors(each, form, zone)! : each))
  return [...new Set(sentences)]
}

/** Who opens the link. Empty: not known. */
type TestVisitor = {
  country: string
  device: string
  os: string
  browser: string
  language: string
  /** `own`: in a browser or network that the workspace does not count. */
  traffic: '' | 'own'
  /** `2026-12-01T09:00` in the browser's time zone; empty: now. */
  at: string
}

export const NOBODY: TestVisitor = {
  country: '',
  device: '',
  os: '',
  browser: '',
  language: '',
  traffic: '',
  at: '',
}

/** Who tests, as far as the browser says: a good first visitor. */
function ownVisitor(): TestVisitor {
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
