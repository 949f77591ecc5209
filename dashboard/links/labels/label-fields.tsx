import { ChevronDown } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Combobox } from '../../components/pickers/combobox.tsx'
import { OutsideForm } from '../../components/fields/form.tsx'
import { TagInput } from '../../components/fields/tag-input.tsx'
import { labelStrings } from './label-strings.ts'
import { labelOptions, useLabels } from './label-queries.ts'
import { editing } from '../../chunks/chunks.ts'
import { TextButton } from '../../components/button.tsx'

const { fields: texts } = labelStrings
const FOLDER_CHARS_MAX = 60

type LabelFieldsProps = {
  tags: readonly string[]
  onTags: (tags: string[]) => void
  tagErrors: string[] | undefined
  /** '': none. */
  folder: string
  onFolder: (folder: string) => void
  folderErrors: string[] | undefined
}

/** The tags and the folder of a link. Both may be new: they are created with the link. */
export function LabelFields(props: LabelFieldsProps) {
  const tags = useLabels('tags')
  const folders = useLabels('folders')
  const [isManaging, setManaging] = useState(false)
  return (
    <div className="field-pair label-fields">
      <TagInput
        label={texts.tags}
        placeholder={props.tags.length === 0 ? texts.tagsPlaceholder : ''}
        values={props.tags}
        onValues={props.onTags}
        options={labelOptions(tags.data) ?? []}
        createLabel={texts.createTag}
        errors={props.tagErrors}
        errorOf={(tag) => props.tagErrors?.find((error) => error.startsWith(`${tag}: `))}
        aside={
          <TextButton aria-label={labelStrings.manageTags} onClick={() => setManaging(true)}>
            {labelStrings.manage}
          </TextButton>
        }
      />
      <Combobox
        label={texts.folder}
        placeholder={texts.folderPlaceholder}
        options={labelOptions(folders.data) ?? []}
        value={props.folder}
        allowsOwn
        createLabel={texts.createFolder}
        onValue={props.onFolder}
        errors={props.folderErrors}
        maxLength={FOLDER_CHARS_MAX}
        suffix={<ChevronDown size={16} aria-hidden />}
      />
      {isManaging && (
        <OutsideForm>
          <Suspense>
            <editing.LabelsDialog onClose={() => setManaging(false)} />
          </Suspense>
        </OutsideForm>
      )}
    </div>
  )
}
