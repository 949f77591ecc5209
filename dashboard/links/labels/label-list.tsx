import { type LabelKind, LABELS, listedLinks, useLabels } from './label-queries.ts'
import { Folder, Plus, Tag } from 'lucide-react'
import { Suspense, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { LabelView } from '../../../src/http/endpoints/browser-types.ts'
import { editing } from '../../chunks/chunks.ts'
import { Button } from '../../components/button.tsx'
import { SearchField, Select, TextField } from '../../components/fields/field.tsx'
import { folded } from '../../components/pickers/option-rows.ts'
import { Skeleton } from '../../components/skeleton.tsx'
import { Empty, Failed, hasFailed } from '../../components/states.tsx'
import { labelStrings } from './label-strings.ts'
import './labels.css'
import { useCan } from '../../use-session.ts'
import { LabelRow } from './label-row.tsx'
import { type LabelToRemove, RemoveLabelDialog } from './remove-label-dialog.tsx'
import { missingStrings } from '../../components/fields/missing-strings.ts'
import { FormDialog, useFields } from '../../components/fields/form.tsx'
import { ask } from '../../api/api-client.ts'
import { useChange } from '../../api/use-change.ts'

const SORTS = [
  { value: 'name', label: labelStrings.sorts.name },
  { value: 'links', label: labelStrings.sorts.links },
] as const
type Sort = (typeof SORTS)[number]['value']

const SKELETON_ROWS = 4
/** More are found by typing. */
const SHOWN_MAX = 200
const ICONS = { tags: Tag, folders: Folder }

type LabelListProps = {
  kind: LabelKind
  /** The numbers of links lead to those links. */
  hasLinks: boolean
}

/** All tags or folders of the workspace, and what can be done with them. */
export function LabelList({ kind, hasLinks }: LabelListProps) {
  const labels = useLabels(kind)
  const [text, setText] = useState('')
  const [sort, setSort] = useState<Sort>('name')
  const [isAdding, setAdding] = useState(false)
  const [toRemove, setToRemove] = useState<LabelToRemove>()
  const [toShare, setToShare] = useState<LabelView>()
  const element = useRef<HTMLDivElement>(null)
  const newButton = useCan('tags:write') && (
    <Button icon={Plus} onClick={() => setAdding(true)}>
      {labelStrings.kinds[kind].new}
    </Button>
  )
  return (
    <div className="stack" ref={element}>
      {hasFailed(labels) ? (
        <Failed what={labelStrings.kinds[kind].title} query={labels} />
      ) : labels.data?.length === 0 ? (
        <Empty
          icon={ICONS[kind]}
          title={labelStrings.kinds[kind].emptyTitle}
          text={labelStrings.kinds[kind].empty}
        >
          {newButton}
        </Empty>
      ) : (
        <>
          <div className="label-tools">
            <SearchField label={labelStrings.kinds[kind].find} text={text} onText={setText} />
            <Select aria-label={labelStrings.sort} choices={[...SORTS]} value={sort} onChoice={setSort} />
            {newButton}
          </div>
          <Rows
            kind={kind}
            labels={labels.data && foundLabels(labels.data, text, sort)}
            canMerge={(labels.data?.length ?? 0) > 1}
            hasLinks={hasLinks}
            onRemove={setToRemove}
            onShare={setToShare}
          />
        </>
      )}
      {isAdding && <NewLabelDialog kind={kind} onClose={() => setAdding(false)} />}
      <Suspense>
        {toShare && (
          <editing.ShareDialog
            subject={{ kind, id: toShare.id, name: toShare.name }}
            onClose={() => setToShare(undefined)}
          />
        )}
      </Suspense>
      {toRemove && (
        <RemoveLabelDialog
          {...toRemove}
          kind={kind}
          all={labels.data ?? []}
          onClose={() => setToRemove(undefined)}
          onRemoved={() => {
            flushSync(() => setToRemove(undefined))
            // The row goes too, with the button that the dialog returns the focus to.
            element.current?.querySelector<HTMLElement>('input, button')?.focus()
          }}
        />
      )}
    </div>
  )
}

function foundLabels(labels: readonly LabelView[], text: string, sort: Sort): LabelView[] {
  const search = folded(text.trim())
  const matches = labels.filter(({ name }) => folded(name).includes(search))
  // The server sends them by name.
  return sort === 'name' ? matches : matches.toSorted((a, b) => listedLinks(b) - listedLinks(a))
}

type RowsProps = LabelListProps & {
  /** Undefined while they are loading. */
  labels: readonly LabelView[] | undefined
  canMerge: boolean
  onRemove: (label: LabelToRemove) => void
  onShare: (label: LabelView) => void
}

const Rows = ({ kind, labels, canMerge, hasLinks, onRemove, onShare }: RowsProps) => (
  <>
    <ul className="label-list" aria-label={labelStrings.kinds[kind].title} aria-busy={labels === undefined}>
      {labels === undefined
        ? Array.from({ length: SKELETON_ROWS }, (_, at) => (
            <li key={at} className="label-row">
              <Skeleton width={180} height={16} />
            </li>
          ))
        : labels
            .slice(0, SHOWN_MAX)
            .map((label) => (
              <LabelRow
                key={label.id}
                kind={kind}
                label={label}
                canMerge={canMerge}
                hasLinks={hasLinks}
                onRemove={(how) => onRemove({ label, how })}
                onShare={() => onShare(label)}
              />
            ))}
    </ul>
    <p className="hint" role="status">
      {labels?.length === 0 && labelStrings.kinds[kind].none}
      {labels !== undefined && labels.length > SHOWN_MAX && labelStrings.typeForMore}
    </p>
  </>
)

export function NewLabelDialog({ kind, onClose }: { kind: LabelKind; onClose: () => void }) {
  const { values, field } = useFields({ name: '' })
  const creation = useChange(() => ask(`POST /${kind}`, { input: values }), {
    said: ({ data }) => labelStrings.created(data.name),
    rereads: [LABELS],
  })
  return (
    <FormDialog
      title={labelStrings.kinds[kind].new}
      action={labelStrings.kinds[kind].create}
      change={creation}
      missing={values.name.trim() === '' ? missingStrings.name : undefined}
      onClose={onClose}
    >
      <TextField
        label={labelStrings.name}
        autoComplete="off"
        {...field('name')}
        // Too many of them is said of the field of links.
        apiName={['name', 'tags', 'folder']}
      />
    </FormDialog>
  )
}
