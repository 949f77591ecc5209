import { Globe, Plus } from 'lucide-react'
import { useState } from 'react'
import { ask } from '../api-client.ts'
import { Button } from '../components/button.tsx'
import { Empty, Failed, sentenceOf } from '../components/states.tsx'
import { Table } from '../components/table.tsx'
import { useToast } from '../components/dialogs/toasts.tsx'
import { domainStrings as texts } from './domain-strings.ts'
import { domainColumns } from './domain-columns.tsx'
import { DomainNotice, isUrgent } from './domain-notice.tsx'
import { unicodeHost } from './unicode-host.ts'
import { type DomainRow, useDomainChange, useDomainCheck, useDomains, useHasTls } from './domain-queries.ts'
import { RemoveDomainDialog } from './remove-domain-dialog.tsx'

/** Makes a domain that of new links, and says so. */
export function useDefaultDomain(): (host: string) => void {
  const toast = useToast()
  const change = useDomainChange((host: string) =>
    ask('PUT /domains/{host}', { path: { host }, input: { is_default: true } }),
  )
  return (host) =>
    change.mutate(host, {
      onSuccess: () => toast({ text: texts.isDefaultNow(unicodeHost(host)) }),
      onError: (error) => toast({ tone: 'bad', text: sentenceOf(error) }),
    })
}

export function DomainList({ onAdd }: { onAdd: () => void }) {
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
      <div className="card">
        {domains.error !== null && domains.data === undefined ? (
          <Failed what={texts.title} error={domains.error} onRetry={() => void domains.refetch()} />
        ) : (
          <Table
            caption={texts.title}
            columns={columns}
            rows={domains.data}
            keyOf={({ host }) => host}
            skeletonRows={2}
          />
        )}
        {domains.data?.every(({ is_shared: isShared }) => isShared) && (
          <Empty icon={Globe} title={texts.emptyTitle} text={texts.empty} steps={texts.steps}>
            <Button variant="primary" icon={Plus} onClick={onAdd}>
              {texts.add}
            </Button>
          </Empty>
        )}
      </div>
      {hasTls && (
        <p className="hint">
          {texts.tls} <code>/.well-known/tls-ask?domain=…</code>
        </p>
      )}
      {removing && <RemoveDomainDialog domain={removing} onClose={() => setRemoving(undefined)} />}
    </>
  )
}
