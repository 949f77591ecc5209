import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import type { OwnLink } from '../../src/http/endpoints/browser-types.ts'
import { Combobox } from '../components/pickers/combobox.tsx'
import { FormDialog } from '../components/fields/form.tsx'
import { TagInput } from '../components/fields/tag-input.tsx'
import { labelOptions, tagsInput, useLabels } from '../links/labels/label-queries.ts'
import { editLink, useLinkChange } from '../queries.ts'
import { labelStrings } from '../links/labels/label-strings.ts'
import { paletteStrings as texts } from './palette-strings.ts'
import { strings } from '../strings.ts'

const { fields } = labelStrings

type LinkLabelsDialogProps = { link: OwnLink; kind: 'tags' | 'folders'; onClose: () => void }

/** Changes the tags or the folder of one link, on any page. */
export default function LinkLabelsDialog({ link, kind, onClose }: LinkLabelsDialogProps) {
  const [tags, setTags] = useState<string[]>(link.tags)
  const [folder, setFolder] = useState(link.folder ?? '')
  const options = labelOptions(useLabels(kind).data) ?? []
  const isTags = kind === 'tags'
  const input = isTags ? { tags: tagsInput(tags) } : { folder: folder.trim() || null }
  const edit = useLinkChange(() => editLink(link, input), {
    said: (isTags ? texts.tagsChanged : texts.moved)(link.short_code),
  })
  return (
    <FormDialog
      title={isTags ? strings.links.changeTags : strings.links.move}
      action={strings.actions.save}
      change={edit}
      onClose={onClose}
    >
      {isTags ? (
        <TagInput
          label={fields.tags}
          placeholder={tags.length === 0 ? fields.tagsPlaceholder : ''}
          values={tags}
          onValues={setTags}
          options={options}
          createLabel={fields.createTag}
          apiName="tags"
        />
      ) : (
        <Combobox
          label={fields.folder}
          placeholder={fields.folderPlaceholder}
          options={options}
          value={folder}
          allowsOwn
          createLabel={fields.createFolder}
          onValue={setFolder}
          apiName="folder"
          suffix={<ChevronDown size={16} aria-hidden />}
        />
      )}
    </FormDialog>
  )
}
