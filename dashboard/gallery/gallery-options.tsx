import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { Combobox } from '../components/combobox.tsx'
import type { Option } from '../components/option-rows.ts'
import { FilterPill } from '../components/filter-pill.tsx'
import { Marked } from '../components/marked.tsx'
import { FolderName, Tag, Tags as LinkTags } from '../components/tag.tsx'
import { Tick } from '../components/tick.tsx'
import { TagInput } from '../components/tag-input.tsx'
import { Picker } from '../components/picker.tsx'
import { LabelColor } from '../links/labels/label-color.tsx'
import { Group } from './gallery-group.tsx'

const TAGS: Option[] = [
  { value: '1', label: 'Winter 2026', color: 'var(--data-1)', detail: '148' },
  { value: '2', label: 'Newsletter', color: 'var(--data-2)', detail: '62' },
  { value: '3', label: '冬セール', color: 'var(--data-3)', detail: '12' },
  {
    value: '4',
    label: 'A tag whose name is far too long for the list that it has to stand in',
    color: 'var(--data-4)',
    detail: '1',
  },
]
const MANY = Array.from({ length: 230 }, (_, at) => ({ value: `${at}`, label: `Option ${at}` }))
const MEDIA = ['email', 'social', 'print'].map((value) => ({ value, label: value }))

const nothing = () => {}

const COLORS = new Map(TAGS.map(({ label }, at) => [label, at]))

export const OptionParts = () => (
  <>
    <Group title="Tag">
      {[0, 1, 2, 3, 4, 5, undefined].map((color) => (
        <Tag key={color ?? 'none'} name={color === undefined ? 'Loading' : `Color ${color}`} color={color} />
      ))}
      <LinkTags names={TAGS.map(({ label }) => label).toReversed()} colors={COLORS} max={2} />
      <FolderName name="Campaigns" />
      <ColorOf />
    </Group>
    <FilterPills />
    <Group title="Picker">
      <Tags />
      <One />
      <Picker
        label="Folders"
        trigger={<Button>Loading</Button>}
        options={undefined}
        none="No folders match"
        chosen={[]}
        onChoose={nothing}
      />
    </Group>
    <Group title="Combobox">
      <Medium />
      <Folder />
      <Combobox
        label="Wrong"
        options={MEDIA}
        value="no such"
        allowsOwn
        onValue={nothing}
        errors={['The medium must be a string.']}
      />
    </Group>
    <Group title="TagInput">
      <Labels />
      <NewTags />
      <TagInput
        label="Wrong tags"
        values={[
          'launch',
          'no good',
          'a tag whose name is far too long for the field that it has to stand in',
        ]}
        onValues={nothing}
        errorOf={(value) => (value === 'no good' ? 'no good: a code has no spaces.' : undefined)}
      />
      <TagInput label="Disabled tags" values={['launch']} onValues={nothing} disabled />
    </Group>
  </>
)

const FilterPills = () => (
  <>
    <Group title="FilterPill">
      {[
        undefined,
        'Winter 2026',
        '3 tags',
        'a tag whose name is far too long for a filter that stands among others',
      ].map((value) => (
        <FilterPill key={value ?? 'none'} label="Tag" value={value} onClear={nothing}>
          {(trigger) => trigger}
        </FilterPill>
      ))}
    </Group>
    <Group title="Tick">
      {([false, 'some', true] as const).map((state) => (
        <Tick key={String(state)} label={`Select ${state}`} state={state} onTick={nothing} />
      ))}
    </Group>
    <Group title="Marked">
      <p>
        <Marked text="Winter collection 2026: all that winter needs" search="2026 win" />
      </p>
    </Group>
  </>
)

function Tags() {
  const [tags, setTags] = useState(TAGS)
  const [chosen, setChosen] = useState(['2'])
  return (
    <Picker
      label="Tags"
      trigger={<Button>Tags: {chosen.length}</Button>}
      options={tags}
      none="No tags match"
      createLabel={(text) => `Create tag “${text}”`}
      onCreate={(text) => {
        setTags([...tags, { value: text, label: text, color: 'var(--data-5)' }])
        setChosen([...chosen, text])
      }}
      chosen={chosen}
      onChoose={setChosen}
      isMulti
      foot={
        <button type="button" className="text-button" onClick={() => setChosen([])}>
          Clear all
        </button>
      }
    />
  )
}

function Labels() {
  const [values, setValues] = useState(['Winter 2026'])
  const options = TAGS.map(({ label, color }) => ({ value: label, label, ...(color && { color }) }))
  return (
    <TagInput
      label="Labels"
      hint="Enter or a comma adds one."
      values={values}
      onValues={setValues}
      options={options}
      placeholder="Add a label"
    />
  )
}

function NewTags() {
  const [values, setValues] = useState(['Winter 2026', 'new'])
  const options = TAGS.map(({ label, color }) => ({ value: label, label, ...(color && { color }) }))
  return (
    <TagInput
      label="Tags of a link"
      values={values}
      onValues={setValues}
      options={options}
      createLabel={(text) => `Create tag “${text}”`}
      aside={
        <button type="button" className="text-button">
          Manage
        </button>
      }
    />
  )
}

function ColorOf() {
  const [color, setColor] = useState(1)
  const label = { id: 1, name: 'Winter 2026', color, link_count: 148, archived_link_count: 0 }
  return <LabelColor label={label} onColor={setColor} />
}

function One() {
  const [chosen, setChosen] = useState<string[]>([])
  return (
    <Picker
      label="Numbers"
      trigger={<Button>Number: {chosen[0] ?? 'none'}</Button>}
      options={MANY}
      none="No numbers match"
      chosen={chosen}
      onChoose={setChosen}
    />
  )
}

function Medium() {
  const [medium, setMedium] = useState('')
  return <Combobox label="Medium" options={MEDIA} value={medium} allowsOwn onValue={setMedium} />
}

function Folder() {
  const [folder, setFolder] = useState('2')
  return (
    <Combobox
      label="Folder"
      options={TAGS}
      none="No folders match"
      value={folder}
      allowsOwn={false}
      onValue={setFolder}
    />
  )
}
