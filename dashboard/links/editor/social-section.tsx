import { Image } from 'lucide-react'
import { useState } from 'react'
import type { DestinationView } from '../../../src/http/endpoints/browser-types.ts'
import { fullNumber } from '../../format.ts'
import { TextArea, TextField } from '../../components/fields/field.tsx'
import { Section } from './section.tsx'
import { Segments } from '../../components/tabs.tsx'
import { editorStrings } from './editor-strings.ts'
import { useDestination } from './preview/link-preview.tsx'
import type { LinkFields } from './use-link-form.ts'

const { social } = editorStrings
const NAMES = ['social_title', 'social_description', 'social_image_url'] as const
const NONE = { social_title: '', social_description: '', social_image_url: '' }
const TITLE_LENGTH_MAX = 120
const DESCRIPTION_LENGTH_MAX = 300

type SocialSectionProps = { fields: LinkFields; onOpen: () => void }

export function SocialSection({ fields, onOpen }: SocialSectionProps) {
  const { form, set, errorsFor } = fields
  const written = NAMES.filter((name) => form[name] !== '')
  const [wantsOwn, setWantsOwn] = useState(false)
  const look = useDestination(form.original_url)?.look
  const isOwn = wantsOwn || written.length > 0
  return (
    <Section
      icon={Image}
      title={social.name}
      summary={written.length === 0 ? social.fromPage : social.own(written.map((name) => social.parts[name]))}
      isSet={written.length > 0}
      hasErrors={NAMES.some(errorsFor)}
      onOpen={onOpen}
    >
      <Segments
        label={social.source}
        choices={[
          { value: 'page', label: social.fromPage },
          { value: 'own', label: social.custom },
        ]}
        value={isOwn ? 'own' : 'page'}
        onChoice={(choice) => {
          setWantsOwn(choice === 'own')
          if (choice === 'page') set(NONE)
        }}
      />
      {isOwn ? <CustomFields fields={fields} look={look} /> : <FoundInPage look={look} />}
      <p className="hint">{social.hint}</p>
    </Section>
  )
}

type LookProps = { look: DestinationView | null | undefined }

const FoundInPage = ({ look }: LookProps) =>
  look?.title && (
    <div className="stack social-found">
      <strong dir="auto">{look.title}</strong>
      {look.description && (
        <p className="hint" dir="auto">
          {look.description}
        </p>
      )}
    </div>
  )

/** What they replace stands in them while they are empty. */
const CustomFields = ({ fields: { form, text }, look }: LookProps & { fields: LinkFields }) => (
  <>
    <TextField
      label={social.title}
      aside={<Counter text={form.social_title} max={TITLE_LENGTH_MAX} />}
      placeholder={look?.title ?? undefined}
      {...text('social_title')}
    />
    <TextArea
      label={social.description}
      aside={<Counter text={form.social_description} max={DESCRIPTION_LENGTH_MAX} />}
      rows={2}
      spellCheck
      placeholder={look?.description ?? undefined}
      {...text('social_description')}
    />
    <TextField
      label={social.image}
      hint={social.imageHint}
      type="url"
      inputMode="url"
      autoComplete="off"
      {...text('social_image_url')}
    />
  </>
)

/** In code points, as the server counts. */
function Counter({ text, max }: { text: string; max: number }) {
  const length = [...text].length
  return (
    <span className={`counter${length > max ? ' is-over' : ''}`}>
      {social.count(fullNumber(length), fullNumber(max))}
    </span>
  )
}
