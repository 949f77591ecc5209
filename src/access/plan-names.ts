/** The plans that operators assign to workspaces, the smallest first. */
export const PLAN_NAMES = ['free', 'pro', 'business', 'enterprise'] as const
export type Plan = (typeof PLAN_NAMES)[number]
export const DEFAULT_PLAN: Plan = 'free'

export const isPlan = (text: string): text is Plan => (PLAN_NAMES as readonly string[]).includes(text)
