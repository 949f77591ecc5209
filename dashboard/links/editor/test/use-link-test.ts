import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ConditionChoices, LinkView } from '../../../../src/http/endpoints/browser-types.ts'
import { ask, type DataOf } from '../../../api-client.ts'
import { useSettled } from '../../../use-settled.ts'
import { RequestFailure } from '../../../request.ts'
import { endErrors } from '../end-errors.ts'
import { editInput, type FieldName, newLinkInput } from '../link-form.ts'
import { useConditionChoices } from '../rules/list-values.tsx'
import type { LinkFields } from '../use-link-form.ts'
import { useScheduleZone } from '../zone-times.ts'
import { ownVisitor, type TestVisitor, visitOf } from './visitor-choices.ts'

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
