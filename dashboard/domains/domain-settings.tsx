import { ChevronLeft, RefreshCw, Star } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { ask } from '../api-client.ts'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { ActionCard, Card } from '../components/card.tsx'
import { TextField } from '../components/fields/field.tsx'
import { Form } from '../components/fields/form.tsx'
import { errorsOf } from '../components/states.tsx'
import { useToast } from '../components/dialogs/toasts.tsx'
import { useTitle } from '../use-title.ts'
import { domainStrings as texts } from './domain-strings.ts'
import { strings } from '../strings.ts'
import { useDefaultDomain } from './domain-list.tsx'
import { DomainNotice } from './domain-notice.tsx'
import { type DomainRow, useDomainChange, useDomainCheck, useHasTls } from './domain-queries.ts'
import { DomainRecords } from './domain-records.tsx'
import { CertificateStatus, DomainStatus } from './domain-status.tsx'
import { HostName } from './host-name.tsx'
import { unicodeHost } from './unicode-host.ts'
import { RemoveDomainDialog } from './remove-domain-dialog.tsx'

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

type Pages = Record<(typeof FIELDS)[number]['name'], string>

function PagesCard({ domain }: { domain: DomainRow }) {
  const { host } = domain
  const saved: Pages = {
    home_url: domain.home_url ?? '',
    not_found_url: domain.not_found_url ?? '',
    expired_url: domain.expired_url ?? '',
  }
  const [pages, setPages] = useState(saved)
  const toast = useToast()
  const edit = useDomainChange((input: Record<string, string | null>) =>
    ask('PUT /domains/{host}', { path: { host }, input }),
  )
  const edits = FIELDS.filter(({ name }) => pages[name].trim() !== saved[name])
  const save = () =>
    edit.mutate(Object.fromEntries(edits.map(({ name }) => [name, pages[name].trim() || null])), {
      onSuccess: ({ data }) => {
        setPages({
          home_url: data.home_url ?? '',
          not_found_url: data.not_found_url ?? '',
          expired_url: data.expired_url ?? '',
        })
        toast({ text: texts.saved })
      },
    })
  return (
    <Card title={texts.pages}>
      <Form error={edit.error} onSubmit={save}>
        {FIELDS.map(({ name, label, hint }) => (
          <TextField
            key={name}
            label={label}
            hint={hint(unicodeHost(host))}
            type="url"
            placeholder="https://"
            value={pages[name]}
            onText={(text) => setPages({ ...pages, [name]: text })}
            errors={errorsOf(edit.error, name)}
          />
        ))}
        <div className="actions">
          <Button
            type="submit"
            variant="primary"
            missing={edits.length === 0 ? strings.missing.changes : undefined}
            isBusy={edit.isPending}
          >
            {strings.actions.save}
          </Button>
        </div>
      </Form>
    </Card>
  )
}
