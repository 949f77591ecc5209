import { type ReactElement, useState } from 'react'
import type { OwnLink } from '../../../src/http/endpoints/browser-types.ts'
import { fullNumber } from '../../format.ts'
import { Button } from '../../components/button.tsx'
import type { Option } from '../../components/pickers/option-rows.ts'
import { Picker } from '../../components/pickers/picker.tsx'
import { labelColor } from '../../components/tag.tsx'
import { selectionStrings as texts } from './selection-strings.ts'
import { useLabels } from '../labels/label-queries.ts'
import type { BulkSet } from './bulk-set.ts'

type PickerProps = {
  trigger: ReactElement
  links: readonly OwnLink[]
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}

const UNTOUCHED: TouchedTags = new Map()

/** Which of the tags all links have, some or none. Only what is touched changes. */
export function TagPicker({ onApply, ...props }: PickerProps & { onApply: (set: BulkSet) => void }) {
  const { links, isOpen, onOpen } = props
  const [touched, setTouched] = useState(UNTOUCHED)
  const { options, chosen } = useTagOptions(links, touched)
  const open = (next: boolean) => {
    setTouched(UNTOUCHED)
    onOpen(next)
  }
  const apply = () => {
    const set = tagsSet(touched)
    open(false)
    if (set !== undefined) onApply(set)
  }
  const touch = (name: string, isOn: boolean) => setTouched(new Map([...touched, [name, isOn]]))
  return (
    <Picker
      label={texts.tags}
      trigger={props.trigger}
      isOpen={isOpen}
      onOpen={open}
      isMulti
      options={options}
      findText={texts.findTag}
      none={texts.noTags}
      chosen={chosen}
      onChoose={(next) => {
        const name = next.find((each) => !chosen.includes(each))
        if (name !== undefined) touch(name, true)
        else
          touch(
            chosen.find((each) => !next.includes(each))!,
            false,
          )
      }}
      createLabel={texts.createTag}
      onCreate={(name) => touch(name, true)}
      onApply={apply}
      foot={
        <div className="bulk-apply">
          <span className="soft" aria-hidden>
            <kbd>{texts.toggleKey}</kbd> {texts.toggle}
          </span>
          <Button
            variant="primary"
            size="small"
            missing={tagsSet(touched) === undefined ? texts.noneTouched : undefined}
            onClick={apply}
          >
            {texts.apply(fullNumber(links.length))}
          </Button>
        </div>
      }
    />
  )
}

function useTagOptions(links: readonly OwnLink[], touched: TouchedTags) {
  const labels = useLabels('tags').data
  const counts = tagCounts(links)
  const total = links.length
  const hasAll = (name: string) => touched.get(name) ?? counts.get(name) === total
  const names = [...new Set([...counts.keys(), ...touched.keys(), ...(labels ?? []).map(({ name }) => name)])]
  const colors = new Map(labels?.map(({ name, color }) => [name, color]))
  const option = (name: string): Option => {
    const count = counts.get(name) ?? 0
    const isSome = !touched.has(name) && count > 0 && count < total
    const detail = hasAll(name)
      ? texts.ofAll(fullNumber(total))
      : texts.ofSome(fullNumber(count), fullNumber(total))
    return {
      value: name,
      label: name,
      color: labelColor(colors.get(name)),
      isSome,
      ...(isSome || hasAll(name) ? { detail } : {}),
    }
  }
  return { options: labels && names.map(option), chosen: names.filter(hasAll) }
}

/** No name of a folder: names are not empty. */
const NO_FOLDER = ''

export function FolderPicker({
  onMove,
  ...props
}: PickerProps & { onMove: (folder: string | null) => void }) {
  const labels = useLabels('folders').data
  const folders = new Set(props.links.map(({ folder }) => folder ?? NO_FOLDER))
  const options = labels && [
    { value: NO_FOLDER, label: texts.noFolder },
    ...labels.map(({ name, color }) => ({ value: name, label: name, color: labelColor(color) })),
  ]
  return (
    <Picker
      label={texts.folders}
      trigger={props.trigger}
      isOpen={props.isOpen}
      onOpen={props.onOpen}
      options={options}
      findText={texts.findFolder}
      none={texts.noFolders}
      chosen={folders.size === 1 ? [...folders] : []}
      onChoose={([folder]) => onMove(folder === NO_FOLDER ? null : folder!)}
      createLabel={texts.createFolder}
      onCreate={onMove}
    />
  )
}

/** By name: whether all links shall have it, or none. What was not touched stays as it is. */
type TouchedTags = ReadonlyMap<string, boolean>

/** How many of the links have each tag, the most frequent first. */
export function tagCounts(links: readonly OwnLink[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { tags } of links) for (const name of tags) counts.set(name, (counts.get(name) ?? 0) + 1)
  return new Map([...counts].sort(([, a], [, b]) => b - a))
}

/** Undefined if nothing is changed. */
export function tagsSet(touchedTags: TouchedTags): BulkSet | undefined {
  const names = (wanted: boolean) => [...touchedTags].flatMap(([name, isOn]) => (isOn === wanted ? name : []))
  const added = names(true)
  const removed = names(false)
  if (added.length + removed.length === 0) return undefined
  return {
    ...(added.length === 0 ? {} : { add_tags: added }),
    ...(removed.length === 0 ? {} : { remove_tags: removed }),
  }
}
