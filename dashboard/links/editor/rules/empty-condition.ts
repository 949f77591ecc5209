import { type ConditionKind, type Conditions } from './rule-form.ts'

/** As it begins. What must be chosen is empty, so that the server asks for it. */
export function emptyCondition(kind: ConditionKind): Conditions {
  if (kind === 'query') return { query: {} }
  if (kind === 'between') return { between: {} }
  if (kind !== 'hours') return { [kind]: [] }
  return {
    hours: {
      days: ['mon', 'tue', 'wed', 'thu', 'fri'],
      from: '09:00',
      to: '18:00',
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    },
  }
}

/** Another kind at the same place. */
export const exchanged = (when: Conditions, kind: ConditionKind, next: ConditionKind): Conditions =>
  Object.fromEntries(
    Object.entries(when).flatMap(([each, value]) =>
      each === kind ? Object.entries(emptyCondition(next)) : [[each, value]],
    ),
  )
