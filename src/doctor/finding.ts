/** What one check has found. A warning can wait, a fault cannot. */
export type Finding = { check: string; verdict: 'ok' | 'warning' | 'fault'; says: string }

export type Verdict = Finding['verdict']

/** What is wrong, if anything, in one line; else that all is well. */
export type Complaint = { verdict: 'warning' | 'fault'; says: string }

/** One finding for each complaint; where there is none, that it is well, in these words. */
export function findings(check: string, complaints: Complaint[], well: string): Finding[] {
  if (complaints.length === 0) return [{ check, verdict: 'ok', says: well }]
  return complaints.map((complaint) => ({ check, ...complaint }))
}

export const warning = (says: string): Complaint => ({ verdict: 'warning', says })
export const fault = (says: string): Complaint => ({ verdict: 'fault', says })
