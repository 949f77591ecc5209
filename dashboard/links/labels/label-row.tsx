import { type LabelKind, listedLinks, useLabelEdit } from './label-queries.ts'
import { Check, Combine, Pencil, Share2, Trash2 } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { Link as RouteLink } from 'wouter'
import type { LabelView } from '../../../src/http/endpoints/browser-types.ts'
import { Menu, type MenuItem } from '../../components/pickers/menu.tsx'
import { FieldError } from '../../components/fields/field.tsx'
import { errorsOf, sentenceOf } from '../../components/states.tsx'
import { fullNumber } from '../../format.ts'
import { useCan } from '../../use-session.ts'
import { labelStrings } from './label-strings.ts'
import type { LabelToRemove } from './remove-label-dialog.tsx'
import { Floating } from '../../components/pickers/picker.tsx'
import { labelColor } from '../../components/tag.tsx'

type LabelRowProps = {
  kind: LabelKind
  label: LabelView
  /** There is another one to merge it into. */
  canMerge: boolean
  /** The number of links leads to them. */
  hasLinks: boolean
  onRemove: (how: LabelToRemove['how']) => void
  onShare: () => void
}

export const LabelRow = (props: LabelRowProps) =>
  useCan('tags:write') ? (
    <EditableRow {...props} />
  ) : (
    <li className="label-row">
      <span className="label-name cut">{props.label.name}</span>
      <LinkCount {...props} />
      <Menu
        label={labelStrings.menuOf(props.label.name)}
        items={[{ label: labelStrings.share, icon: Share2, onSelect: props.onShare }]}
      />
    </li>
  )

function EditableRow({ kind, label, canMerge, hasLinks, onRemove, onShare }: LabelRowProps) {
  const [isRenaming, setRenaming] = useState(false)
  /** The field had the focus, and goes. */
  const returnsFocus = useRef(false)
  const edit = useLabelEdit(kind)
  const items: MenuItem[] = [
    { label: labelStrings.rename, icon: Pencil, onSelect: () => setRenaming(true) },
    {
      label: labelStrings.merge,
      icon: Combine,
      isDisabled: !canMerge,
      onSelect: () => onRemove('merge'),
    },
    { label: labelStrings.share, icon: Share2, onSelect: onShare },
    { kind: 'line' },
    { label: labelStrings.delete, icon: Trash2, isDanger: true, onSelect: () => onRemove('delete') },
  ]
  return (
    <li className="label-row">
      <LabelColor label={label} onColor={(color) => edit.mutate({ label, input: { color } })} />
      {isRenaming ? (
        <NameField
          kind={kind}
          label={label}
          onDone={() => {
            returnsFocus.current = true
            setRenaming(false)
          }}
        />
      ) : (
        <button
          type="button"
          className="label-name cut"
          ref={(element) => {
            if (element === null || !returnsFocus.current) return
            returnsFocus.current = false
            element.focus()
          }}
          aria-label={labelStrings.renameOf(label.name)}
          title={labelStrings.renameOf(label.name)}
          onClick={() => setRenaming(true)}
        >
          {label.name}
        </button>
      )}
      <LinkCount kind={kind} label={label} hasLinks={hasLinks} />
      <Menu
        label={labelStrings.menuOf(label.name)}
        items={items}
        onClosed={(event) => isRenaming && event.preventDefault()}
      />
      {edit.error && <FieldError text={sentenceOf(edit.error)} />}
    </li>
  )
}

function LinkCount({ kind, label, hasLinks }: Pick<LabelRowProps, 'kind' | 'label' | 'hasLinks'>) {
  const { link_count: all, archived_link_count: archived } = label
  const isOnlyArchived = archived > 0 && archived === all
  const text = isOnlyArchived
    ? labelStrings.archivedLinks(fullNumber(archived))
    : labelStrings.links(fullNumber(listedLinks(label)))
  if (!hasLinks || all === 0) return <span className="label-count">{text}</span>
  const filter = new URLSearchParams({
    [kind === 'tags' ? 'tag' : 'folder']: label.name,
    ...(isOnlyArchived && { archived: 'only' }),
  })
  const more = archived > 0 && !isOnlyArchived ? labelStrings.alsoArchived(fullNumber(archived)) : undefined
  return (
    <RouteLink className="label-count" href={`/?${filter}`} title={more}>
      {text}
    </RouteLink>
  )
}

type NameFieldProps = Pick<LabelRowProps, 'kind' | 'label'> & { onDone: () => void }

/** In place of the name. Enter saves, and so does leaving it; Escape does not. */
function NameField({ kind, label, onDone }: NameFieldProps) {
  const [name, setName] = useState(label.name)
  const edit = useLabelEdit(kind)
  const errors = edit.error ? (errorsOf(edit.error, 'name') ?? [sentenceOf(edit.error)]) : undefined
  const save = () => {
    if (edit.isPending) return
    if (name.trim() === '' || name.trim() === label.name) onDone()
    else edit.mutate({ label, input: { name } }, { onSuccess: onDone })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || !['Enter', 'Escape'].includes(event.key)) return
    // A dialog around it stays open.
    event.preventDefault()
    if (event.key === 'Enter') save()
    else onDone()
  }
  return (
    <div className="label-rename">
      <input
        className="input"
        aria-label={labelStrings.name}
        aria-invalid={errors !== undefined}
        aria-describedby={errors && `label-error-${label.id}`}
        autoComplete="off"
        autoFocus
        onFocus={({ target }) => target.select()}
        value={name}
        onChange={({ target }) => {
          edit.reset()
          setName(target.value)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => !errors && save()}
      />
      {errors && <FieldError id={`label-error-${label.id}`} text={errors.join(' ')} />}
    </div>
  )
}

type LabelColorProps = { label: LabelView; onColor: (color: number) => void }

/** Its color, and a choice of six. */
function LabelColor({ label, onColor }: LabelColorProps) {
  const [isOpen, setOpen] = useState(false)
  const text = labelStrings.color(label.name)
  return (
    <Floating
      label={text}
      isOpen={isOpen}
      onOpen={setOpen}
      trigger={
        <button type="button" className="button is-quiet is-icon" aria-label={text} title={text}>
          <Swatch color={label.color} />
        </button>
      }
    >
      <div className="label-colors" role="group" aria-label={text}>
        {labelStrings.colors.map((name, color) => (
          <button
            key={name}
            type="button"
            className="button is-quiet is-icon"
            aria-label={name}
            title={name}
            aria-pressed={color === label.color}
            onClick={() => {
              onColor(color)
              setOpen(false)
            }}
          >
            <Swatch color={color} isChosen={color === label.color} />
          </button>
        ))}
      </div>
    </Floating>
  )
}

const Swatch = ({ color, isChosen = false }: { color: number; isChosen?: boolean }) => (
  <span className="label-swatch" style={{ background: labelColor(color) }} aria-hidden>
    {isChosen && <Check size={12} strokeWidth={3} />}
  </span>
)
