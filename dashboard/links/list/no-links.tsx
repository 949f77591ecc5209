import { Archive, Import, Link2, Plus, SearchX } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useLocation } from 'wouter'
import { Button, TextButton } from '../../components/button.tsx'
import { Empty } from '../../components/states.tsx'
import { useToast } from '../../components/dialogs/toasts.tsx'
import { fullNumber, withoutScheme, shortUrlText } from '../../format.ts'
import { PHONE, useMedia } from '../../use-media.ts'
import { useCan, useSession } from '../../use-session.ts'
import { strings } from '../../strings.ts'
import { listStrings } from './list-strings.ts'
import { filterTexts, useMemberNames } from '../filters/list-pickers.tsx'
import { useCodeCheck } from '../editor/use-code-check.ts'
import { InTrash } from '../trash/in-trash.tsx'
import { isFiltered, type ListQuery, NO_FILTERS } from './list-query.ts'
import { editing } from '../../chunks/chunks.ts'
import { useLinkCounts } from '../views/view-queries.ts'
import { once } from '../../once.ts'

const { noLinks: texts } = listStrings

const lists = once(() => new Intl.ListFormat('en'))

/** What may be searched for because no link has it yet. */
const CODE = /^[\w-]{3,64}$/

type NoLinksProps = {
  query: ListQuery
  /** How many archived links the workspace has. */
  archived: number
  onChange: (change: Partial<ListQuery>) => void
  onStart: () => void
  /** Not after the last link was deleted: Ctrl+Z would undo typing. */
  takesFocus: boolean
}

/** Of an account without links, or when nothing matches. */
export default function NoLinks({ query, archived, onChange, onStart, takesFocus }: NoLinksProps) {
  const isPlain = !isFiltered(query)
  const isFirst = isPlain && archived === 0
  const canCreate = useCan('links:create')
  const canImport = useCan('links:write')
  const [, navigate] = useLocation()
  const isPhone = useMedia(PHONE)
  // A user without links probably wants to create one. The focus is not taken from another element, and on a phone the
  // editor would cover the page before it was seen.
  const start = useEffectEvent(() => {
    const isFree = document.activeElement?.matches('body, #content') ?? true
    if (isFirst && canCreate && isFree && takesFocus && !isPhone) onStart()
  })
  useEffect(() => start(), [isFirst])
  if (isFirst) {
    return (
      <Empty
        icon={Link2}
        title={canCreate ? texts.emptyTitle : texts.noneYetTitle}
        text={canCreate ? (isPhone ? texts.emptyOnPhone : texts.empty) : texts.noneYet}
      >
        {canCreate && (
          <Button variant="primary" onClick={onStart}>
            {strings.links.paste}
          </Button>
        )}
        {canImport && (
          <Button icon={Import} onClick={() => navigate('/imports/new')}>
            {listStrings.importLinks}
          </Button>
        )}
      </Empty>
    )
  }
  if (isPlain) {
    return <OnlyArchived count={archived} onShow={() => onChange({ archived: 'only' })} onStart={onStart} />
  }
  return (
    <NoMatch query={query} onClear={() => onChange(NO_FILTERS)}>
      {canCreate && CODE.test(query.search) && (
        <UseCode code={query.search} onCreated={() => onChange(NO_FILTERS)} />
      )}
    </NoMatch>
  )
}

type NoMatchProps = { query: ListQuery; onClear: () => void; children: ReactNode }

/** Says what was asked for, so that it is seen which part of it asks for too much. */
function NoMatch({ query, onClear, children }: NoMatchProps) {
  const members = useMemberNames(query.creators.length > 0)
  const nameOf = (id: number) => members?.find((member) => member.id === id)?.name ?? String(id)
  const text = texts.none(query.search, lists().format(filterTexts(query, nameOf)))
  return (
    <Empty icon={SearchX} title={texts.noneTitle} text={text}>
      <Button onClick={onClear}>{texts.clear}</Button>
      {children}
    </Empty>
  )
}

/** Offers to create the link that was searched for, or to restore it. */
function UseCode({ code, onCreated }: { code: string; onCreated: () => void }) {
  const { isFree, trashed } = useCodeCheck(code, '')
  const [isOpen, setOpen] = useState(false)
  const baseUrl = useSession().data?.instance.base_url ?? ''
  const toast = useToast()
  // The editor checks the code again, and stays open while that is under way.
  if (isFree !== true && !isOpen) return trashed && <InTrash code={code} link={trashed} />
  return (
    <>
      <Button variant="quiet" icon={Plus} onClick={() => setOpen(true)}>
        {texts.createCode(`${withoutScheme(baseUrl)}/${code}`)}
      </Button>
      <Suspense>
        {isOpen && (
          <editing.CreatePanel
            firstUrl=""
            firstForm={{ custom_code: code }}
            onCreated={({ short_url: url }, isCopied) => {
              const { created, createdOnly } = strings.links
              toast({ text: (isCopied ? created : createdOnly)(shortUrlText(url)) })
              onCreated()
            }}
            onClose={() => setOpen(false)}
          />
        )}
      </Suspense>
    </>
  )
}

type OnlyArchivedProps = { count: number; onShow: () => void; onStart: () => void }

/** Of a workspace whose links are all archived. */
function OnlyArchived({ count, onShow, onStart }: OnlyArchivedProps) {
  const canCreate = useCan('links:create')
  return (
    <Empty
      icon={Archive}
      title={listStrings.onlyArchivedTitle}
      text={listStrings.onlyArchived(fullNumber(count))}
    >
      {canCreate && (
        <Button variant="primary" onClick={onStart}>
          {strings.links.paste}
        </Button>
      )}
      <Button onClick={onShow}>{listStrings.showArchived}</Button>
    </Empty>
  )
}

type ArchivedMatchesProps = {
  query: ListQuery
  /** Whether the list itself has none. */
  isEmpty: boolean
  onChange: (change: Partial<ListQuery>) => void
}

/** At the end of a search: how many archived links it finds as well. */
export function ArchivedMatches({ query, isEmpty, onChange }: ArchivedMatchesProps) {
  const [count] = useLinkCounts([{ ...query, archived: 'only' }])
  if (count === undefined) return null
  if (count === 0) return isEmpty ? <p className="archived-matches">{listStrings.archivedSearched}</p> : null
  return (
    <p className="archived-matches">
      <Archive size={15} aria-hidden />
      {listStrings.archivedMatch(fullNumber(count))}
      <TextButton onClick={() => onChange({ archived: 'only' })}>{listStrings.showArchived}</TextButton>
    </p>
  )
}
