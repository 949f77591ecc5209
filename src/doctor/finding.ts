/** The result of a check. A warning can wait, a fault cannot. */
export type Finding = { check: string; severity: 'ok' | 'warning' | 'fault'; message: string }

export type Problem = { severity: 'warning' | 'fault'; message: string }

/** One finding for each problem; without problems, one that says `well`. */
export function findings(check: string, problems: Problem[], well: string): Finding[] {
  if (problems.length === 0) return [{ check, severity: 'ok', message: well }]
  return problems.map((problem) => ({ check, ...problem }))
}

export const warning = (message: string): Problem => ({ severity: 'warning', message })
export const fault = (message: string): Problem => ({ severity: 'fault', message })
