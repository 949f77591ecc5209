import { Image } from 'lucide-react'
import { useState } from 'react'
import { fullNumber } from '../../format.ts'
import { TextArea, TextField } from '../../components/field.tsx'
import { Section } from '../../components/section.tsx'
import { Segments } from '../../components/tabs.tsx'
import { lazyStrings } from '../../strings/lazy-strings.ts'
import type { LinkFields } from './use-link-form.ts'

const { social } = lazyStrings.editor
const NAMES = ['social_title', 'social_description', 'social_image_url'] as const
const NONE = { social_title: '', social_description: '', social_image_url: '' }
const TITLE_LENGTH_MAX = 120
const DESCRIPTION_LENGTH_MAX = 300

export function SocialSection({ fields: { form, set, errorsFor } }: { fields: LinkFields }) {
  const written = NAMES.filter((name) => form[name] !== '')
  const [wantsOwn, setWantsOwn] = useState(false)
  const isOwn = wantsOwn || written.length > 0
  return (
    <Section
      icon={Image}
      title={social.name}
      summary={written.length === 0 ? social.fromPage : social.own(written.map((name) => social.parts[name]))}
      isSet={written.length > 0}
      hasErrors={NAMES.some(errorsFor)}
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
      {isOwn && (
        <>
          <TextField
            label={social.title}
            aside={<Counter text={form.social_title} max={TITLE_LENGTH_MAX} />}
            value={form.social_title}
            onText={(text) => set({ social_title: text })}
            errors={errorsFor('social_title')}
          />
          <TextArea
            label={social.description}
            aside={<Counter text={form.social_description} max={DESCRIPTION_LENGTH_MAX} />}
            rows={2}
            spellCheck
            value={form.social_description}
            onText={(text) => set({ social_description: text })}
            errors={errorsFor('social_description')}
          />
          <TextField
            label={social.image}
            hint={social.imageHint}
            type="url"
            inputMode="url"
            autoComplete="off"
            value={form.social_image_url}
            onText={(text) => set({ social_image_url: text })}
            errors={errorsFor('social_image_url')}
          />
        </>
      )}
      <p className="hint">{social.hint}</p>
    </Section>
  )
}

/** In code points, as the server counts. */
function Counter({ text, max }: { text: string; max: number }) {
  const length = [...text].length
  return (
    <span className={`counter${length > max ? ' is-over' : ''}`}>
      {social.count(fullNumber(length), fullNumber(max))}
    </span>
  )
}
