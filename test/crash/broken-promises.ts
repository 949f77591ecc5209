import { inexplicable } from './linearizability.ts'
import { clickCountModel, codeModel, repeatModel, switchModel, titleModel } from './models.ts'
import type { Records } from './recording-client.ts'

type Histories = Pick<Records, 'codes' | 'switches' | 'titles' | 'clickCounts' | 'repeats'>

/** What clients have seen and cannot have seen, had every promise been kept; nothing, as it should be. */
export function brokenPromises({ codes, switches, titles, clickCounts, repeats }: Histories): string[] {
  return [
    ...inexplicable(codeModel, codes),
    ...inexplicable(switchModel, switches),
    ...inexplicable(titleModel, titles),
    ...inexplicable(clickCountModel, clickCounts),
    ...inexplicable(repeatModel, repeats),
  ]
}
