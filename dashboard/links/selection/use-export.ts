import { useQueryClient } from '@tanstack/react-query'
import type { OwnLink } from '../../../src/http/endpoints/browser-types.ts'
import { sentenceOf } from '../../components/states.tsx'
import { fullNumber } from '../../format.ts'
import { nowMs } from '../../now.ts'
import { RequestFailure } from '../../request.ts'
import { saveFile } from '../../save-file.ts'
import { selectionStrings as texts } from '../../strings/selection-strings.ts'
import { endSession } from '../../use-session.ts'
import { type ExportFormat, exportedFile } from './exported-file.ts'
import { useOneToast } from './one-toast.ts'

/** Saves selected links as a file, and says how far it is where that takes more than one part. */
export function useExport() {
  const client = useQueryClient()
  const begin = useOneToast()
  return async (links: readonly OwnLink[], format: ExportFormat) => {
    const say = begin()
    const onProgress = (done: number) => {
      const text = texts.exporting(fullNumber(done), fullNumber(links.length))
      if (done < links.length) say({ text, progress: done / links.length, shownMs: Number.POSITIVE_INFINITY })
    }
    try {
      const file = await exportedFile(links, format, onProgress)
      saveFile(`tern-links-${new Date(nowMs()).toISOString().slice(0, 10)}.${format}`, file)
      say(undefined)
    } catch (error) {
      if (error instanceof RequestFailure && error.kind === 'signed-out') endSession(client)
      say({ tone: 'bad', text: texts.notExported(sentenceOf(error)) })
    }
  }
}
