import type { LinkVersionView } from '../../../src/http/endpoints/browser-types.ts'
import { Diff } from './diff.tsx'
import { Question } from '../../components/dialogs/dialog.tsx'
import { withoutScheme } from '../../format.ts'
import type { LinkAddress } from '../link-address.ts'
import { historyStrings as texts } from './history-strings.ts'
import { restoredDiffs } from './change-text.ts'
import { useVersions } from './use-versions.ts'
import { ask } from '../../api/api-client.ts'
import { sentenceOf } from '../../components/states.tsx'
import { useToast } from '../../components/dialogs/toasts.tsx'
import { LINKS } from '../listed-links.ts'
import { strings } from '../../strings.ts'
import { useChange } from '../../api/use-change.ts'

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
      failed={strings.links.notRestored}
      onYes={() => restoration.mutateAsync({ version, current })}
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

/** `current`: what undo restores. */
type Restoration = { version: number; current: number }

function useRestoration(link: LinkAddress) {
  const toast = useToast()
  const undo = useChange((version: number) => restore(link, version), {
    said: texts.restoredBack,
    rereads: [LINKS],
    onError: (error) => toast({ tone: 'bad', text: strings.links.notRestored(sentenceOf(error)) }),
  })
  return useChange(({ version }: Restoration) => restore(link, version), {
    said: (_, { current }) => ({
      text: texts.restored,
      onUndo: () => undo.mutate(current),
    }),
    rereads: [LINKS],
  })
}

const restore = (link: LinkAddress, version: number) =>
  ask('POST /links/{short_code}/versions/{version}/restore', {
    path: { short_code: link.short_code, version },
    query: { domain: link.domain },
  })

/** What changes about a link that gets an earlier version back: from the latest value to the one of then. */
export function changesBackTo(version: number, versions: readonly LinkVersionView[]): Changes {
  const later = versions.filter((each) => each.version > version).sort((a, b) => b.version - a.version)
  const back: Changes = {}
  for (const { changes } of later) {
    for (const [field, { from, to }] of Object.entries(changes)) {
      back[field] = { from: back[field] === undefined ? to : back[field].from, to: from }
    }
  }
  return Object.fromEntries(Object.entries(back).filter(([field, change]) => isRestored(field, change)))
}

/** A password stays as it is: only its hash is kept. */
const isRestored = (field: string, { from, to }: Changes[string]): boolean =>
  field !== 'has_password' && JSON.stringify(from) !== JSON.stringify(to)
