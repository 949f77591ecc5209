import type { LinkVersionView } from '../../../src/http/endpoints/browser-types.ts'
import { Diff } from './diff.tsx'
import { Question } from '../../components/dialogs/dialog.tsx'
import { withoutScheme } from '../../format.ts'
import type { LinkAddress } from '../../link-address.ts'
import { historyStrings as texts } from './history-strings.ts'
import { restoredDiffs } from './change-text.ts'
import { changesBackTo } from './changes-back.ts'
import { useVersions } from './use-versions.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ask } from '../../api-client.ts'
import { sentenceOf } from '../../components/states.tsx'
import { UNDO_MS, useToast } from '../../components/dialogs/toasts.tsx'
import { strings } from '../../strings.ts'

type RestoreQuestionProps = {
  link: LinkAddress
  version: number
  /** The link's latest, which undo restores. */
  current: number
  /** By default, what is about to change. */
  title?: string
  text?: string
  onClose: () => void
}

/** Names everything that a version changes about the link as it is now. */
export function RestoreQuestion({ link, version, current, onClose, ...said }: RestoreQuestionProps) {
  const restoration = useRestoration(link)
  const { data: versions = [] } = useVersions(link)
  const changes = changesBackTo(version, versions)
  const diffs = restoredDiffs(changes)
  const { title = titleOf(changes), text = textOf(changes) } = said
  return (
    <Question
      title={title}
      text={text}
      action={texts.restore}
      isBusy={restoration.isPending}
      onYes={() => restoration.mutate({ version, current }, { onSettled: onClose })}
      onClose={onClose}
    >
      <div className="version-diffs">
        {diffs.map(({ field, name, before, after }) => (
          <div key={field} className="version-diff">
            <span className="hint">{name}</span>
            <Diff before={before} after={after} />
          </div>
        ))}
      </div>
    </Question>
  )
}

type Changes = LinkVersionView['changes']

const titleOf = (changes: Changes): string =>
  Object.keys(changes).join() === 'original_url' ? texts.restoreDestination : texts.restoreVersion

const textOf = ({ original_url: destination }: Changes): string =>
  destination === undefined ? texts.asItWas : texts.visitorsGo(withoutScheme(String(destination.to)))

/** `current`: what undo restores; undefined for undo itself. */
type Restoration = { version: number; current?: number }

function useRestoration(link: LinkAddress) {
  const client = useQueryClient()
  const toast = useToast()
  const restoration = useMutation({
    mutationFn: ({ version }: Restoration) =>
      ask('POST /links/{short_code}/versions/{version}/restore', {
        path: { short_code: link.short_code, version },
        query: { domain: link.domain },
      }),
    onSuccess: async (_, { current }) => {
      await client.invalidateQueries({ queryKey: ['links'] })
      toast({
        text: current === undefined ? texts.restoredBack : texts.restored,
        ...(current === undefined
          ? {}
          : { shownMs: UNDO_MS, onUndo: () => restoration.mutate({ version: current }) }),
      })
    },
    onError: (error) => toast({ tone: 'bad', text: strings.links.notRestored(sentenceOf(error)) }),
  })
  return restoration
}
