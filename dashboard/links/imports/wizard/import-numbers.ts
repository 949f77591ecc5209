import { fullNumber } from '../../../format.ts'
import type { ImportJobView } from '../../../../src/http/endpoints/browser-types.ts'
import { wizardStrings as texts } from './wizard-strings.ts'

type Checked = Pick<ImportJobView, 'counts' | 'choices'>

/** How many links the import creates or changes. */
export const linksToImport = ({ counts, choices }: Checked): number =>
  counts === null
    ? 0
    : counts.created + choices.keep + choices.replace + choices.rename + choices.move + choices.moved_refused

/** `186 imported, 5 already here, 2 kept as they are, 3 refused`: those that there are. */
export function outcomeText({ counts, choices }: Checked): string {
  if (counts === null) return ''
  const parts: [number, string][] = [
    [linksToImport({ counts, choices }), texts.check.imported],
    [counts.equal, texts.check.alreadyHere],
    [choices.skip, texts.check.kept(choices.skip)],
    [counts.refused - choices.moved_refused, texts.check.refused],
  ]
  return listed(parts)
}

/** `182 new, 3 under another code, 1 replaced`. */
export const resultText = (results: NonNullable<ImportJobView['results']>, renamed: number): string =>
  listed([
    [results.created - renamed, texts.done.isNew],
    [renamed, texts.done.renamed],
    [results.kept, texts.done.filled],
    [results.replaced, texts.done.replaced],
  ])

const listed = (parts: readonly (readonly [number, string])[]): string =>
  parts
    .filter(([count]) => count > 0)
    .map(([count, text]) => `${fullNumber(count)} ${text}`)
    .join(', ')
