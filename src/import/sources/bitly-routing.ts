import { FieldReader } from '../files/field-reader.ts'
import { type Rule, SYSTEMS } from '../files/visitor-rules.ts'
import { isObject } from '../../validation/is-object.ts'

/** Its conditions that rules here have too, by their names there. */
const CONDITIONS: [name: string, condition: string][] = [
  ['country_match', 'country'],
  ['device_match', 'device'],
  ['os_match', 'os'],
]

const SYSTEM_NAMES = new Map<string, string>(Object.entries(SYSTEMS))

const LEFT_OUT = 'One of its routing rules cannot be a rule here, so it is left out.'

/** What a bitlink has as `dynamic_routing`. */
export function routingRules({ fields: { dynamic_routing: list }, lost }: FieldReader): Rule[] {
  const objects = Array.isArray(list) ? list.filter(isObject) : []
  return objects.flatMap((object) => {
    const rule = ruleOf(new FieldReader(object, lost))
    if (rule === undefined) lost.push(LEFT_OUT)
    return rule ?? []
  })
}

/** Undefined if it also has regions, or what visitors must not have. */
function ruleOf(fields: FieldReader): Rule | undefined {
  const to = fields.text('long_url')
  const isOther = (name: string) => CONDITIONS.every(([known]) => known !== name)
  const hasOthers = Object.entries(fields.fields).some(([name, value]) => isOther(name) && isFilled(value))
  if (to === undefined || hasOthers) return undefined
  const conditions = CONDITIONS.map(
    ([name, condition]) => [condition, fields.names(name).map(nameHere)] as const,
  )
  return { when: Object.fromEntries(conditions.filter(([, values]) => values.length > 0)), to }
}

const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0

const nameHere = (name: string): string => SYSTEM_NAMES.get(name) ?? name
