/** What operators see and scripts read. */
export type Check =
  | 'address'
  | 'proxies'
  | 'country data'
  | 'data folder'
  | 'disk'
  | 'database'
  | 'schema'
  | 'nodes'
  | 'clock'
  | 'visitors'
  | 'domains'
  | 'certificates'
  | 'users'
  | 'single sign-on'
  | 'click files'
  | 'clickhouse'
  | 'journal'
  | 'codes'

/** The result of a check, of a worker's folder if it has one. A warning can wait, a fault cannot. */
export type Finding = {
  check: Check
  worker?: string
  severity: 'ok' | 'warning' | 'fault'
  message: string
}

export type Problem = { severity: 'warning' | 'fault'; message: string }

/** One finding for each problem; without problems, one that says `well`. */
export function findings(check: Check, problems: Problem[], well: string): Finding[] {
  if (problems.length === 0) return [{ check, severity: 'ok', message: well }]
  return problems.map((problem) => ({ check, ...problem }))
}

export const warning = (message: string): Problem => ({ severity: 'warning', message })
export const fault = (message: string): Problem => ({ severity: 'fault', message })
