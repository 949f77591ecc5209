import { useMutation } from '@tanstack/react-query'
import { Dices } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { ask } from '../../api/api-client.ts'
import { Badge } from '../../components/badge.tsx'
import { IconButton, TextButton } from '../../components/button.tsx'
import { describedBy, FieldNotes, Select, VERBATIM } from '../../components/fields/field.tsx'
import { editorStrings as texts } from './editor-strings.ts'
import { useSignedIn } from '../../use-session.ts'
import { InTrash } from '../trash/in-trash.tsx'
import { withoutScheme } from '../../format.ts'
import { rootOf } from '../root-of.ts'
import { useCodeCheck } from './use-code-check.ts'
import type { LinkFields } from './use-link-form.ts'
import { useErrorToast } from '../../components/dialogs/toasts.tsx'

type ShortUrlProps = { fields: LinkFields; onAnotherCode: () => void }

/** The domain and the code of a new link. */
export function ShortUrlField({ fields, onAnotherCode }: ShortUrlProps) {
  const { form, set, errorsFor } = fields
  const { domains } = useSignedIn().user
  const { isFree, reasons, trashed } = useCodeCheck(form.custom_code, form.domain)
  const codeErrors = trashed === undefined ? (errorsFor('custom_code') ?? reasons ?? []) : []
  const errors = [...(errorsFor('domain') ?? []), ...codeErrors]
  return (
    <Frame
      hint={texts.codeHint}
      errors={errors}
      note={trashed && <InTrash code={form.custom_code} link={trashed} />}
      onAnotherCode={onAnotherCode}
    >
      {(described) => (
        <>
          {domains.length > 1 ? (
            <Select
              aria-label={texts.domain}
              value={form.domain}
              choices={domains.map((host) => ({ value: host, label: host }))}
              onChoice={(domain) => set({ domain })}
            />
          ) : (
            <Host form={form} />
          )}
          <CodeInput
            {...described}
            maxLength={64}
            value={form.custom_code}
            onChange={({ target }) => set({ custom_code: target.value })}
            suffix={
              <>
                <span role="status">
                  {isFree === true && <Badge tone="ok">{texts.codeFree}</Badge>}
                  {isFree === false && trashed === undefined && <Badge tone="bad">{texts.codeTaken}</Badge>}
                </span>
                <Suggestion onCode={(code) => set({ custom_code: code })} />
              </>
            }
          />
        </>
      )}
    </Frame>
  )
}

/** Of an existing link. */
export const FixedShortUrl = ({ fields: { form }, onAnotherCode }: ShortUrlProps) => (
  <Frame hint={texts.codeFixed} errors={[]} onAnotherCode={onAnotherCode}>
    {(described) => (
      <>
        <Host form={form} />
        <CodeInput {...described} value={form.custom_code} readOnly />
      </>
    )}
  </Frame>
)

type Described = ReturnType<typeof describedBy>

type FrameProps = {
  hint: string
  errors: readonly string[]
  note?: ReactNode
  onAnotherCode: () => void
  children: (described: Described) => ReactNode
}

function Frame({ hint, errors, note, onAnotherCode, children }: FrameProps) {
  const id = useId()
  return (
    <div className="field short-url-field" role="group" aria-labelledby={`${id}-label`}>
      <span className="label-line" id={`${id}-label`}>
        {texts.shortUrl}
      </span>
      <span className="short-url">{children(describedBy(id, { hint, errors }))}</span>
      <FieldNotes id={id} hint={hint} errors={errors}>
        {note}
      </FieldNotes>
      {/* At the end, so that the keyboard gets from the destination to the code. It is shown next to the label. */}
      <TextButton onClick={onAnotherCode}>{texts.addAlias}</TextButton>
    </div>
  )
}

function Host({ form }: { form: LinkFields['form'] }) {
  const { instance } = useSignedIn()
  const host = withoutScheme(rootOf(form.domain, instance))
  return (
    <span className="code-domain cut" title={host}>
      {host}
    </span>
  )
}

type CodeInputProps = Omit<React.ComponentProps<'input'>, 'className'> & { suffix?: ReactNode }

const CodeInput = ({ suffix, ...input }: CodeInputProps) => (
  <span className="input-with">
    <span className="short-url-slash" aria-hidden>
      /
    </span>
    <input {...input} className="input" aria-label={texts.code} {...VERBATIM} />
    {suffix && <span className="suffix">{suffix}</span>}
  </span>
)

function Suggestion({ onCode }: { onCode: (code: string) => void }) {
  const suggestion = useMutation({
    mutationFn: async () => (await ask('POST /codes')).data,
    onSuccess: ({ code }) => onCode(code),
    onError: useErrorToast(),
  })
  return (
    <IconButton
      label={texts.suggestCode}
      icon={Dices}
      onClick={() => suggestion.mutate()}
      aria-busy={suggestion.isPending || undefined}
    />
  )
}
