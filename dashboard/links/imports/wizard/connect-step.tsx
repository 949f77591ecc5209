import { useId, useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../../../components/button.tsx'
import { Form, useFields } from '../../../components/fields/form.tsx'
import type { ImportJobView } from '../../../../src/http/endpoints/browser-types.ts'
import { DropZone } from './drop-zone.tsx'
import type { ImportSource } from './import-sources.ts'
import { KeyFields } from './key-fields.tsx'
import { PlaceFields } from './place-fields.tsx'
import { isWhole, type Upload } from './upload.ts'
import { FIRST_FIELDS, useConnection } from './use-connection.ts'
import { WizardFrame } from './wizard-frame.tsx'
import { wizardStrings } from './wizard-strings.ts'

const texts = wizardStrings.connect
const NO_FILES: ImportJobView['files'] = []

type ConnectStepProps = {
  source: ImportSource
  /** Undefined until something was entered or uploaded. */
  job: ImportJobView | undefined
  upload: Upload
}

/** The key of an API, or files. */
export function ConnectStep({ source, job, upload }: ConnectStepProps) {
  const form = useId()
  const [, navigate] = useLocation()
  const fields = useFields({
    ...FIRST_FIELDS,
    domain: job?.domain ?? '',
    folder: job?.options.folder ?? '',
    clicks: source.clicks ?? '',
    list: job?.options.list ?? '',
    createdFrom: job?.options.created_from ?? '',
    createdTo: job?.options.created_to ?? '',
    timeZone: job?.options.time_zone ?? '',
  })
  const [without, setWithout] = useState(job?.options.without ?? [])
  const entered = { ...fields.values, without }
  const { next, takeFiles, removeFiles } = useConnection({ source, job, upload }, entered)
  const files = job?.files ?? NO_FILES
  const hasFiles = files.length > 0 || upload.sending.length > 0
  const missing = missingOf({ source, files, upload, key: fields.values.key })
  return (
    <WizardFrame
      step="connect"
      isUpload={source.key === undefined || hasFiles}
      {...titleOf(source, hasFiles)}
      foot={{
        left: <Button onClick={() => navigate('/imports/new')}>{wizardStrings.goBack}</Button>,
        right: (
          <Button type="submit" form={form} variant="primary" isBusy={next.isPending} missing={missing}>
            {source.isTable ? texts.columns : texts.check}
          </Button>
        ),
      }}
    >
      <Form id={form} error={next.error} onSubmit={() => next.mutateAsync()}>
        <div className="connect-cards">
          {source.key && !hasFiles && <KeyFields {...{ source, fields }} />}
          <PlaceFields {...{ source, fields, hasFiles, without }} onWithout={setWithout} />
        </div>
        {source.key && !hasFiles && <p className="or-line">{texts.or}</p>}
        <DropZone
          formats={source.files}
          present={files}
          upload={upload}
          onFiles={takeFiles}
          onStartOver={removeFiles}
        />
      </Form>
    </WizardFrame>
  )
}

function titleOf({ title, key, isTable }: ImportSource, hasFiles: boolean) {
  if (key && !hasFiles) return { title: texts.title(title), lead: texts.lead }
  return { title: isTable ? texts.uploadTableTitle : texts.uploadTitle(title), lead: texts.uploadLead }
}

type Entered = Pick<ConnectStepProps, 'source' | 'upload'> & { files: ImportJobView['files']; key: string }

/** What has to be done before the links can be checked. */
function missingOf({ source, files, upload, key }: Entered): string | undefined {
  if (upload.isBusy) return texts.uploading
  if (upload.sending.length > 0 || !files.every(isWhole)) return texts.notWhole
  if (files.length > 0 || key.trim() !== '') return undefined
  return source.key ? texts.noKey : texts.noFile
}
