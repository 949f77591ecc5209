import { Table2 } from 'lucide-react'
import { type FormEvent, useId } from 'react'
import { Link } from 'wouter'
import { InitialBadge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Notice } from '../../../components/states.tsx'
import { calendarDay } from '../../../format.ts'
import { useCan } from '../../../use-session.ts'
import { useImports } from '../import-queries.ts'
import { IMPORT_SOURCES, type ImportSource, sourceNamed } from './import-sources.ts'
import { WizardFrame } from './wizard-frame.tsx'
import { wizardStrings } from './wizard-strings.ts'

const texts = wizardStrings.source

type SourceStepProps = {
  chosen: ImportSource | undefined
  onChoose: (source: ImportSource) => void
  onContinue: (source: ImportSource) => void
}

/** Where the links are now. */
export function SourceStep({ chosen, onChoose, onContinue }: SourceStepProps) {
  const form = useId()
  const canMoveDomains = useCan('domains:write')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (chosen) onContinue(chosen)
  }
  return (
    <WizardFrame
      step="source"
      isUpload={chosen !== undefined && chosen.key === undefined}
      title={texts.title}
      lead={texts.lead}
      foot={{
        left: <LastImport />,
        right: (
          <Button type="submit" form={form} variant="primary" missing={chosen ? undefined : texts.missing}>
            {wizardStrings.continue}
          </Button>
        ),
      }}
    >
      <form id={form} onSubmit={submit}>
        <fieldset className="source-cards">
          <legend className="only-spoken">{texts.title}</legend>
          {IMPORT_SOURCES.map((source) => (
            <SourceCard key={source.name} {...{ source, chosen, onChoose }} />
          ))}
        </fieldset>
      </form>
      {canMoveDomains && (
        <Notice>
          {texts.domain} <Link href="/domains">{texts.domainLink}</Link>
        </Notice>
      )}
    </WizardFrame>
  )
}

type SourceCardProps = Pick<SourceStepProps, 'chosen' | 'onChoose'> & { source: ImportSource }

const SourceCard = ({ source, chosen, onChoose }: SourceCardProps) => (
  <label className="source-card">
    <input
      type="radio"
      name="source"
      value={source.name}
      checked={source === chosen}
      onChange={() => onChoose(source)}
    />
    {source.isTable ? (
      <span className="letter is-square" aria-hidden>
        <Table2 size={17} />
      </span>
    ) : (
      <InitialBadge name={source.title} />
    )}
    <span>
      <strong>{source.title}</strong>
      <small>{source.text}</small>
    </span>
  </label>
)

const titleOf = (name: string) => sourceNamed(name)?.title ?? name

function LastImport() {
  const last = useImports(1).data?.data[0]
  return (
    <span className="soft">
      {last
        ? texts.last(last.counts.created, titleOf(last.source), calendarDay(last.created_at))
        : texts.none}{' '}
      <Link href="/imports">{texts.all}</Link>
    </span>
  )
}
