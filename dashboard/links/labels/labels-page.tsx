import { ChevronDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { OwnLink } from '../../../src/http/endpoints/browser-types.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialogs/dialog.tsx'
import { FormDialog } from '../../components/fields/form.tsx'
import { TagInput } from '../../components/fields/tag-input.tsx'
import { TabbedPage } from '../../components/page.tsx'
import { Combobox } from '../../components/pickers/combobox.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { paletteStrings } from '../../palette/palette-strings.ts'
import { editLink, useLinkChange } from '../link-queries.ts'
import { strings } from '../../strings.ts'
import { LabelList } from './label-list.tsx'
import { labelOptions, tagsInput, useLabels } from './label-queries.ts'
import { labelStrings } from './label-strings.ts'

const { fields, kinds } = labelStrings

type Kind = keyof typeof kinds
type KindTab = { id: Kind; label: string; content: ReactNode }

function tabsOf(content: (kind: Kind) => ReactNode): [KindTab, KindTab] {
  const tab = (kind: Kind) => ({ id: kind, label: kinds[kind].title, content: content(kind) })
  return [tab('tags'), tab('folders')]
}

const LabelsPage = ({ tab }: { tab: string | undefined }) => (
  <TabbedPage
    title={labelStrings.title}
    root="/tags"
    open={tab}
    tabs={tabsOf((kind) => (
      <div className="page-tab">
        <div className="card label-card">
          <LabelList kind={kind} hasLinks />
        </div>
        <p className="hint">{labelStrings.lead}</p>
      </div>
    ))}
  />
)

export default LabelsPage

/** The same as the page, for who is in the middle of something else. */
export const LabelsDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog
    title={labelStrings.title}
    width="wide"
    onClose={onClose}
    foot={<Button onClick={onClose}>{labelStrings.done}</Button>}
  >
    <Tabs
      label={labelStrings.title}
      tabs={tabsOf((kind) => (
        <LabelList kind={kind} hasLinks={false} />
      ))}
    />
  </Dialog>
)

type LinkLabelsDialogProps = { link: OwnLink; kind: 'tags' | 'folders'; onClose: () => void }

/** Changes the tags or the folder of one link, on any page. */
export function LinkLabelsDialog({ link, kind, onClose }: LinkLabelsDialogProps) {
  const [tags, setTags] = useState<string[]>(link.tags)
  const [folder, setFolder] = useState(link.folder ?? '')
  const options = labelOptions(useLabels(kind).data) ?? []
  const isTags = kind === 'tags'
  const input = isTags ? { tags: tagsInput(tags) } : { folder: folder.trim() || null }
  const edit = useLinkChange(() => editLink(link, input), {
    said: (isTags ? paletteStrings.tagsChanged : paletteStrings.moved)(link.short_code),
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
