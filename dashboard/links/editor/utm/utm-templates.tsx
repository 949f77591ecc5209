import { Bookmark, ChevronDown, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton, TextButton } from '../../../components/button.tsx'
import { FormDialog, OutsideForm, useFields } from '../../../components/fields/form.tsx'
import { Picker } from '../../../components/pickers/picker.tsx'
import { editorStrings } from '../editor-strings.ts'
import {
  applyTemplate,
  changedTemplates,
  readUtm,
  templateFrom,
  templateOf,
  UTM_NAMES,
  type UtmTemplate,
  withTemplate,
} from './utm.ts'
import { missingStrings } from '../../../components/fields/missing-strings.ts'
import { TextField } from '../../../components/fields/field.tsx'
import { Notice } from '../../../components/states.tsx'
import { RequestFailure } from '../../../api/request.ts'
import { useSettingsChange } from '../../../workspaces/use-settings.ts'

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

const NAME_LENGTH_MAX = 60

type SaveTemplateProps = { url: string; templates: readonly UtmTemplate[]; onClose: () => void }

function SaveTemplateDialog({ url, templates, onClose }: SaveTemplateProps) {
  const { values, field } = useFields({ name: templateOf(url, templates)?.name ?? '' })
  const name = values.name.trim()
  const change = useSettingsChange((now) => ({
    utm_templates: withTemplate(now.utm_templates, templateFrom(url, name)),
  }))
  const newName = name.toLowerCase()
  const same = templates.find((template) => template.name.toLowerCase() === newName)
  return (
    <FormDialog
      title={campaign.saveTemplate}
      action={campaign.save}
      change={change}
      missing={newName === '' ? missingStrings.name : undefined}
      onClose={onClose}
    >
      <TextField
        label={campaign.templateName}
        hint={same ? campaign.replaces(same.name) : campaign.templateHint}
        maxLength={NAME_LENGTH_MAX}
        autoComplete="off"
        {...field('name')}
        errors={allErrors(change.error)}
      />
    </FormDialog>
  )
}

type EditTemplatesProps = { templates: readonly UtmTemplate[]; onClose: () => void }

/** Renames and deletes. What other members have added since stays. */
function EditTemplatesDialog({ templates, onClose }: EditTemplatesProps) {
  const [names, setNames] = useState<ReadonlyMap<string, string | null>>(new Map())
  const change = useSettingsChange((now) => ({
    utm_templates: changedTemplates(now.utm_templates, names),
  }))
  const set = (template: UtmTemplate, name: string | null) =>
    setNames((before) => new Map(before).set(template.name, name))
  const others = templates.filter(({ name }) => names.get(name) !== null)
  const isNameless = others.some(({ name }) => (names.get(name) ?? name).trim() === '')
  const errors = allErrors(change.error)
  return (
    <FormDialog
      title={campaign.editTemplates}
      action={campaign.saveChanges}
      change={change}
      missing={names.size === 0 ? missingStrings.changes : isNameless ? missingStrings.name : undefined}
      onClose={onClose}
    >
      {errors && <Notice tone="bad">{errors.join(' ')}</Notice>}
      {others.map((template, at) => (
        <div key={template.name} className="template-row">
          <TextField
            label={campaign.nameOf(template.name)}
            maxLength={NAME_LENGTH_MAX}
            autoComplete="off"
            value={names.get(template.name) ?? template.name}
            onText={(name) => set(template, name)}
          />
          <IconButton
            label={campaign.deleteTemplate(template.name)}
            icon={Trash2}
            onClick={({ currentTarget }) => {
              // The button goes, and would take the focus with it.
              const rows = [...currentTarget.closest('form')!.querySelectorAll('.template-row')]
              ;(rows[at + 1] ?? rows[at - 1])?.querySelector('input')?.focus()
              set(template, null)
            }}
          />
        </div>
      ))}
      {others.length === 0 && <p className="hint">{campaign.noneLeft}</p>}
    </FormDialog>
  )
}

/** The dialogs have fewer fields than the setting. */
function allErrors(error: unknown): string[] | undefined {
  const errors = error instanceof RequestFailure ? Object.values(error.fields).flat() : []
  return errors.length === 0 ? undefined : errors
}
