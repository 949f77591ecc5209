import { notLinearizable } from './linearizability.ts'
import { clickCountModel, codeModel, repeatModel, switchModel, titleModel } from './models.ts'
import type { Records } from './recording-client.ts'

type Histories = Pick<Records, 'codes' | 'switches' | 'titles' | 'clickCounts' | 'repeats'>

/** Responses that violate a guarantee; should be empty. */
export function invariantViolations({ codes, switches, titles, clickCounts, repeats }: Histories): string[] {
  return [
    ...notLinearizable(codeModel, codes),
    ...notLinearizable(switchModel, switches),
    ...notLinearizable(titleModel, titles),
    ...notLinearizable(clickCountModel, clickCounts),
    ...notLinearizable(repeatModel, repeats),
  ]
}
