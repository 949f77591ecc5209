import { describe, expect, test } from 'bun:test'
import type { RuleFields } from './rule-fields.ts'
import { keepRuleIds, RULE_ID, ruleIdsIn, withRuleIds } from './rule-ids.ts'

const [GERMAN, FRENCH, OTHERS]: RuleFields[] = [
  { when: { country: ['DE'] }, to: 'https://example.com/de' },
  { when: { country: ['FR'] }, to: 'https://example.com/fr' },
  {
    split: [
      { to: 'https://example.com/a', weight: 1 },
      { to: 'https://example.com/b', weight: 1 },
    ],
  },
] as const as [RuleFields, RuleFields, RuleFields]

test('every rule and every part has an id of its own, the same for the same contents', () => {
  const rules = withRuleIds([GERMAN, GERMAN, OTHERS])
  const ids = ruleIdsIn(rules)
  expect(ids).toHaveLength(5)
  expect(new Set(ids).size).toBe(5)
  for (const id of ids) expect(id).toMatch(RULE_ID)
  expect(withRuleIds([GERMAN, GERMAN, OTHERS])).toEqual(rules)
})

test('equal rules are equal texts, with their ids in any place or without', () => {
  const text = JSON.stringify(withRuleIds([OTHERS]))
  const [{ id, split, ...rule }] = JSON.parse(text)
  const idsLast = { ...rule, split: split.map(({ id, ...part }: { id: string }) => ({ ...part, id })), id }
  expect(JSON.stringify(withRuleIds([idsLast]))).toBe(text)
})

describe('an edit keeps the id of a rule', () => {
  const [german, french, others] = withRuleIds([GERMAN, FRENCH, OTHERS])

  test('that is moved, sent with its id or without', () => {
    const moved = [others, french, german]
    expect(editedFrom([GERMAN, FRENCH, OTHERS], [OTHERS, FRENCH, GERMAN])).toEqual(moved as never)
    expect(editedFrom([GERMAN, FRENCH, OTHERS], moved as RuleFields[])).toEqual(moved as never)
  })

  test('that is changed and sent with its id, and a new one like the old one gets another', () => {
    const changed = { ...german!, to: 'https://example.com/at' }
    const [first, second] = editedFrom([GERMAN], [changed, GERMAN])
    expect(first).toEqual(changed)
    expect(second!.id).not.toBe(german!.id)
    // And so it stays when the rules are sent without their ids.
    const unnamed = [GERMAN, { when: GERMAN.when, to: 'https://example.com/at' }]
    expect(editedFrom([first!, second!], unnamed)).toEqual([second!, first!])
  })

  test('and of the parts of its split, when their weights change', () => {
    const [a, b] = OTHERS.split!
    const [edited] = editedFrom([OTHERS], [{ split: [{ ...b!, weight: 9 }, a!] }])
    expect(edited!.id).toBe(others!.id)
    expect(edited!.split!.map(({ id }) => id)).toEqual([others!.split![1]!.id, others!.split![0]!.id])
  })

  test('whose split gets other parts', () => {
    const [edited] = editedFrom(
      [OTHERS],
      [{ id: others!.id, split: [OTHERS.split![0]!, { to: 'https://example.com/c', weight: 1 }] }],
    )
    expect(edited!.id).toBe(others!.id)
    expect(edited!.split![0]!.id).toBe(others!.split![0]!.id)
    expect(ruleIdsIn([others!])).not.toContain(edited!.split![1]!.id)
  })
})

const editedFrom = (before: readonly RuleFields[], sent: readonly RuleFields[]) =>
  keepRuleIds(sent, withRuleIds(before))
