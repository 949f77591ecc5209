import { isPlan, PLAN_NAMES, type Plan } from '../access/plan-names.ts'
import type { SettingKind } from './setting-kinds.ts'

/** How many links a workspace can have, by its plan. A plan that is not named has no limit. */
export type LinksMax = { readonly [Name in Plan]?: number }

/** `10000` for every plan, or `free=1000,pro=50000`. */
export const linksByPlan: SettingKind<LinksMax> = {
  allowed: `a whole number for every plan, or numbers by plan: free=1000,pro=50000 (plans: ${PLAN_NAMES.join(', ')})`,
  read(text) {
    if (text === '') return {}
    if (isNumber(text)) return Object.fromEntries(PLAN_NAMES.map((plan) => [plan, Number(text)]))
    const entries = text.split(',').map((part) => part.trim().split('='))
    const names = entries.map(([name]) => name)
    const isValid =
      entries.every(
        ([name, number, ...rest]) => rest.length === 0 && isPlan(name ?? '') && isNumber(number),
      ) && new Set(names).size === names.length
    return isValid ? Object.fromEntries(entries.map(([name, number]) => [name, Number(number)])) : undefined
  },
}

const isNumber = (text = '') => /^\d{1,12}$/.test(text)
