import { Globe, Plus, RefreshCw, Settings, Star, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { AddDomainDialog } from './add-domain-dialog.tsx'
import { type DomainRow, useDefaultDomain, useDomainCheck, useDomains, useHasTls } from './domain-queries.ts'
import { DomainSettings, RemoveDomainDialog } from './domain-settings.tsx'
import { Button } from '../components/button.tsx'
import { domainStrings as texts } from './domain-strings.ts'
import './domains.css'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import { Page } from '../components/page.tsx'
import { Empty } from '../components/states.tsx'
import { type Column, ListCard } from '../components/table.tsx'
import { CertificateStatus, DomainNotice, DomainStatus, isUrgent, settingsPath } from './domain-status.tsx'
import { unicodeHost } from './unicode-host.ts'
import { Link } from 'wouter'
import { Badge } from '../components/badge.tsx'
import { Menu, type MenuItem } from '../components/pickers/menu.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { fullNumber, withoutScheme } from '../format.ts'
import { HostName } from './host-field.tsx'

/** All domains, or the settings of one. */
export default function DomainsPage({ host }: { host: string | undefined }) {
  const { data } = useDomains()
  if (host === undefined) return <AllDomains />
  const domain = data?.find((each) => each.host === host && !each.is_shared)
  if (domain !== undefined) return <DomainSettings domain={domain} />
  return data === undefined ? <AllDomains /> : <NotFoundPage />
}

function AllDomains() {
  const [isOpen, setOpen] = useState(false)
  const open = () => setOpen(true)
  const hasOwn = useDomains().data?.some(({ is_shared: isShared }) => !isShared)
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      // Without a domain, the button stands with its steps.
      action={
        hasOwn !== false && (
          <Button variant="primary" icon={Plus} onClick={open}>
            {texts.add}
          </Button>
        )
      }
    >
      <DomainList onAdd={open} />
      {isOpen && <AddDomainDialog onClose={() => setOpen(false)} />}
    </Page>
  )
}

function DomainList({ onAdd }: { onAdd: () => void }) {
  const domains = useDomains()
  const { check } = useDomainCheck()
  const makeDefault = useDefaultDomain()
  const [removing, setRemoving] = useState<DomainRow>()
  const hasTls = useHasTls()
  const columns = domainColumns({
    hasTls,
    onCheck: ({ host }) => check(host),
    onDefault: ({ host }) => makeDefault(host),
    onRemove: setRemoving,
  })
  return (
    <>
      {domains.data?.filter(isUrgent).map((domain) => (
        <DomainNotice key={domain.host} domain={domain} hasLink />
      ))}
      <ListCard
        query={domains}
        caption={texts.title}
        columns={columns}
        rows={domains.data}
        keyOf={({ host }) => host}
        skeletonRows={2}
      >
        {domains.data?.every(({ is_shared: isShared }) => isShared) && (
          <Empty icon={Globe} title={texts.emptyTitle} text={texts.empty} steps={texts.steps}>
            <Button variant="primary" icon={Plus} onClick={onAdd}>
              {texts.add}
            </Button>
          </Empty>
        )}
      </ListCard>
      {hasTls && (
        <p className="hint">
          {texts.tls} <code>/.well-known/tls-ask?domain=…</code>
        </p>
      )}
      {removing && <RemoveDomainDialog domain={removing} onClose={() => setRemoving(undefined)} />}
    </>
  )
}

type DomainActions = {
  /** Whether visitors use https. */
  hasTls: boolean
  onCheck: (domain: DomainRow) => void
  onDefault: (domain: DomainRow) => void
  onRemove: (domain: DomainRow) => void
}

const TLS_COLUMN: Column<DomainRow> = {
  id: 'tls',
  head: texts.columns.tls,
  cell: (domain) => <CertificateStatus domain={domain} />,
}

const domainColumns = (actions: DomainActions): Column<DomainRow>[] => [
  {
    id: 'domain',
    head: texts.columns.domain,
    cell: (domain) => <DomainName domain={domain} />,
    skeleton: <Skeleton width={180} height={16} />,
  },
  {
    id: 'dns',
    head: texts.columns.dns,
    cell: (domain) => <DomainStatus domain={domain} />,
  },
  ...(actions.hasTls ? [TLS_COLUMN] : []),
  {
    id: 'links',
    head: texts.columns.links,
    isNumber: true,
    cell: ({ link_count: links }) => fullNumber(links),
  },
  {
    id: 'home',
    head: texts.columns.home,
    cell: ({ home_url: url }) =>
      url === null ? <span className="soft">{texts.notSet}</span> : <span>{withoutScheme(url)}</span>,
  },
  {
    id: 'menu',
    head: texts.columns.menu,
    isHeadHidden: true,
    cell: (domain) => {
      const items = itemsOf(domain, actions)
      return items.length > 0 && <Menu label={texts.menuOf(unicodeHost(domain.host))} items={items} />
    },
  },
]

const DomainName = ({ domain: { host, is_default, is_shared } }: { domain: DomainRow }) => (
  <span className="domain-name">
    <Globe size={16} aria-hidden />
    {is_shared ? (
      <strong>
        {/* The server's own domain, as it is in short URLs. */}
        {host === location.hostname ? location.host : <HostName host={host} />}
      </strong>
    ) : (
      <Link href={settingsPath(host)}>
        <HostName host={host} />
      </Link>
    )}
    {is_default && <Badge tone="data">{texts.default}</Badge>}
    {is_shared && <Badge>{texts.shared}</Badge>}
  </span>
)

function itemsOf(domain: DomainRow, { onCheck, onDefault, onRemove }: DomainActions): MenuItem[] {
  const { host, is_default: isDefault, is_shared: isShared, status, created_at: addedAt } = domain
  // Of the shared domains only that of the server can be the default.
  const canBeDefault = !isDefault && status !== 'pending' && (!isShared || addedAt === null)
  return [
    ...(canBeDefault ? [{ label: texts.makeDefault, icon: Star, onSelect: () => onDefault(domain) }] : []),
    ...(isShared
      ? []
      : [
          { label: texts.settings, icon: Settings, to: settingsPath(host) },
          { label: texts.check, icon: RefreshCw, onSelect: () => onCheck(domain) },
          { label: texts.remove, icon: Trash2, isDanger: true, onSelect: () => onRemove(domain) },
        ]),
  ]
}
