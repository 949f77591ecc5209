import { ChevronLeft, RefreshCw, Star } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { ask } from '../api/api-client.ts'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { ActionCard, Card } from '../components/card.tsx'
import { TextField, VERBATIM } from '../components/fields/field.tsx'
import { ChangeForm, FormDialog, useFields } from '../components/fields/form.tsx'
import { useTitle } from '../use-title.ts'
import { domainStrings as texts } from './domain-strings.ts'
import { strings } from '../strings.ts'
import { missingStrings } from '../components/fields/missing-strings.ts'
import { CertificateStatus, DomainNotice, DomainStatus } from './domain-status.tsx'
import {
  type DomainRow,
  useDefaultDomain,
  useDomainChange,
  useDomainCheck,
  useHasTls,
} from './domain-queries.ts'
import { DomainRecords } from './add-domain-dialog.tsx'
import { IgnoreCaseDialog } from './ignore-case-dialog.tsx'
import { HostName } from './host-field.tsx'
import { NotFoundCard } from './not-found-card.tsx'
import { unicodeHost } from './unicode-host.ts'

/** The page of one domain. */
export function DomainSettings({ domain }: { domain: DomainRow }) {
  const { host, status, is_default: isDefault } = domain
  const hasTls = useHasTls()
  useTitle(unicodeHost(host))
  const { check, isPending } = useDomainCheck()
  const makeDefault = useDefaultDomain()
  return (
    <div className="page">
      <Link href="/domains" className="back">
        <ChevronLeft size={16} aria-hidden />
        {texts.title}
      </Link>
      <div className="page-head">
        <div>
          <h1>
            <HostName host={host} />
          </h1>
          <p className="domain-status">
            <DomainStatus domain={domain} />
            {hasTls && <CertificateStatus domain={domain} />}
            {isDefault && <Badge tone="data">{texts.default}</Badge>}
          </p>
        </div>
        <div className="actions">
          <Button icon={RefreshCw} isBusy={isPending} onClick={() => check(host)}>
            {texts.check}
          </Button>
          {!isDefault && status !== 'pending' && (
            <Button icon={Star} onClick={() => makeDefault(host)}>
              {texts.makeDefault}
            </Button>
          )}
        </div>
      </div>
      <div className="domain-cards">
        <DomainNotice domain={domain} />
        <PagesCard key={host} domain={domain} />
        <PrefixCard key={`prefix of ${host}`} domain={domain} />
        <CaseCard domain={domain} />
        <NotFoundCard host={host} />
        <Card title={texts.ownership}>
          <DomainRecords domain={domain} />
        </Card>
        <RemoveCard domain={domain} />
      </div>
    </div>
  )
}

function RemoveCard({ domain }: { domain: DomainRow }) {
  const [, navigate] = useLocation()
  return (
    <ActionCard
      title={texts.remove}
      text={texts.removeText(domain.link_count)}
      tone="danger"
      dialog={(onClose) => (
        <RemoveDomainDialog domain={domain} onClose={onClose} onRemoved={() => navigate('/domains')} />
      )}
    />
  )
}

const FIELDS = [
  { name: 'home_url', label: texts.home, hint: texts.homeHint },
  { name: 'not_found_url', label: texts.notFound, hint: () => texts.notFoundHint },
  { name: 'expired_url', label: texts.expired, hint: () => texts.expiredHint },
] as const

const pagesOf = ({ home_url, not_found_url, expired_url }: DomainRow) => ({
  home_url: home_url ?? '',
  not_found_url: not_found_url ?? '',
  expired_url: expired_url ?? '',
})

function PagesCard({ domain }: { domain: DomainRow }) {
  const { host } = domain
  const saved = pagesOf(domain)
  const { values, set, field } = useFields(saved)
  const edits = FIELDS.filter(({ name }) => values[name].trim() !== saved[name])
  const input = Object.fromEntries(edits.map(({ name }) => [name, values[name].trim() || null]))
  const edit = useDomainChange(() => ask('PUT /domains/{host}', { path: { host }, input }), {
    said: texts.saved,
  })
  return (
    <Card title={texts.pages}>
      <ChangeForm
        change={edit}
        action={strings.actions.save}
        variant="primary"
        missing={edits.length === 0 ? missingStrings.changes : undefined}
        onDone={({ data }) => set(pagesOf(data))}
      >
        {FIELDS.map(({ name, label, hint }) => (
          <TextField
            key={name}
            label={label}
            hint={hint(unicodeHost(host))}
            type="url"
            placeholder="https://"
            {...field(name)}
          />
        ))}
      </ChangeForm>
    </Card>
  )
}

function PrefixCard({ domain: { host, path_prefix: saved } }: { domain: DomainRow }) {
  const { values, set, field } = useFields({ path_prefix: saved ?? '' })
  const prefix = values.path_prefix.trim()
  const input = { path_prefix: prefix || null }
  const edit = useDomainChange(() => ask('PUT /domains/{host}', { path: { host }, input }), {
    said: texts.saved,
  })
  return (
    <Card title={texts.prefix}>
      <ChangeForm
        change={edit}
        action={strings.actions.save}
        missing={prefix === (saved ?? '') ? missingStrings.changes : undefined}
        onDone={({ data }) => set({ path_prefix: data.path_prefix ?? '' })}
      >
        <TextField
          label={texts.prefixLabel}
          hint={texts.prefixHint(unicodeHost(host))}
          placeholder="/s"
          {...VERBATIM}
          {...field('path_prefix')}
        />
      </ChangeForm>
    </Card>
  )
}

function CaseCard({ domain: { host, case_insensitive: isIgnored } }: { domain: DomainRow }) {
  if (isIgnored)
    return (
      <Card title={texts.letterCase}>
        <p className="soft">{texts.caseIgnored}</p>
      </Card>
    )
  return (
    <ActionCard
      title={texts.ignoreCase}
      text={texts.caseCounts}
      dialog={(onClose) => <IgnoreCaseOfOwn host={host} onClose={onClose} />}
    />
  )
}

function IgnoreCaseOfOwn({ host, onClose }: { host: string; onClose: () => void }) {
  const input = { case_insensitive: true }
  const change = useDomainChange(() => ask('PUT /domains/{host}', { path: { host }, input }), {
    said: texts.caseIgnoredNow(unicodeHost(host)),
  })
  return <IgnoreCaseDialog {...{ host, change, onClose }} />
}

type RemoveProps = { domain: DomainRow; onClose: () => void; onRemoved?: () => void }

export function RemoveDomainDialog({ domain, onClose, onRemoved }: RemoveProps) {
  const { host, link_count: links } = domain
  const name = unicodeHost(host)
  const { values, field } = useFields({ name: '' })
  const remove = useDomainChange(() => ask('DELETE /domains/{host}', { path: { host } }), {
    said: texts.removed(name),
  })
  return (
    <FormDialog
      title={texts.removeTitle(name)}
      action={texts.remove}
      variant="danger"
      change={remove}
      missing={[host, name].includes(values.name.trim()) ? undefined : missingStrings.typedDomain}
      onDone={() => {
        onClose()
        onRemoved?.()
      }}
      onClose={onClose}
    >
      <p>{texts.removeText(links)}</p>
      <TextField label={texts.removeConfirm(name)} {...VERBATIM} {...field('name')} />
    </FormDialog>
  )
}
