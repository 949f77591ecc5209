import { Bookmark, ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { Button, TextButton } from '../../../components/button.tsx'
import { OutsideForm } from '../../../components/fields/outside-form.tsx'
import { Picker } from '../../../components/pickers/picker.tsx'
import { editorStrings } from '../editor-strings.ts'
import { applyTemplate, readUtm, templateOf, UTM_NAMES, type UtmTemplate } from './utm.ts'
import { EditTemplatesDialog, SaveTemplateDialog } from './utm-template-dialogs.tsx'

const { campaign } = editorStrings

type UtmTemplatesProps = {
  url: string
  onUrl: (url: string) => void
  /** Undefined while they are loading. */
  templates: readonly UtmTemplate[] | undefined
}

/** UTM parameters that the members of the workspace have saved under a name. */
export function UtmTemplates({ url, onUrl, templates }: UtmTemplatesProps) {
  const [dialog, setDialog] = useState<'save' | 'edit'>()
  const close = () => setDialog(undefined)
  const current = templates && templateOf(url, templates)
  const hasValues = UTM_NAMES.some((name) => readUtm(url, name) !== '')
  return (
    <>
      {templates !== undefined && templates.length > 0 && (
        <TemplatePicker
          templates={templates}
          current={current}
          isDisabled={url.trim() === ''}
          onTemplate={(template) => onUrl(applyTemplate(url, template))}
          onEdit={() => setDialog('edit')}
        />
      )}
      <Button
        variant="quiet"
        size="small"
        icon={Bookmark}
        disabled={!hasValues || templates === undefined}
        onClick={() => setDialog('save')}
      >
        {campaign.saveTemplate}
      </Button>
      {dialog === 'save' && (
        <OutsideForm>
          <SaveTemplateDialog url={url} templates={templates!} onClose={close} />
        </OutsideForm>
      )}
      {dialog === 'edit' && (
        <OutsideForm>
          <EditTemplatesDialog templates={templates!} onClose={close} />
        </OutsideForm>
      )}
    </>
  )
}

type TemplatePickerProps = {
  templates: readonly UtmTemplate[]
  current: UtmTemplate | undefined
  isDisabled: boolean
  onTemplate: (template: UtmTemplate) => void
  onEdit: () => void
}

function TemplatePicker({ templates, current, isDisabled, onTemplate, onEdit }: TemplatePickerProps) {
  const [isOpen, setOpen] = useState(false)
  const edit = () => {
    setOpen(false)
    onEdit()
  }
  return (
    <Picker
      label={campaign.templates}
      trigger={
        <button type="button" className="button is-plain is-small utm-template" disabled={isDisabled}>
          <span className="cut">{current ? campaign.template(current.name) : campaign.chooseTemplate}</span>
          <ChevronDown size={16} aria-hidden />
        </button>
      }
      options={templates.map(({ name }) => ({ value: name, label: name }))}
      none={campaign.noTemplate}
      chosen={current ? [current.name] : []}
      onChoose={([name]) => onTemplate(templates.find((each) => each.name === name)!)}
      isOpen={isOpen}
      onOpen={setOpen}
      foot={<TextButton onClick={edit}>{campaign.editTemplates}</TextButton>}
    />
  )
}
