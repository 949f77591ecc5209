import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { FloatingRoot } from '../components/floating-root.ts'
import { DomainList } from '../domains/domain-list.tsx'
import { DomainRecords } from '../domains/domain-records.tsx'
import type { DomainRow } from '../domains/domain-queries.ts'
import { RemoveDomainDialog } from '../domains/remove-domain-dialog.tsx'
import { nowMs } from '../now.ts'
import '../domains/domains-style.ts'
import WorkspaceSwitcher from '../workspaces/workspace-switcher.tsx'
import { Group } from './gallery-group.tsx'

const DAY_MS = 86_400_000
const inDays = (days: number): string => new Date(nowMs() + days * DAY_MS).toISOString()

const ACTIVE: DomainRow = {
  ...{ host: 'go.northlight.example', status: 'active', is_default: false, is_shared: false },
  ...{ link_count: 82, home_url: 'https://www.northlight-supply.com/' },
  ...{ not_found_url: null, expired_url: null },
  verification: {
    txt_name: '_tern.go.northlight.example',
    value: 'tern-verify=8fQ2mZ7xK1vBt5RwYc3NhL0s',
    file_path: '/.well-known/tern-domain',
  },
  ...{ verified_at: inDays(-90), checked_at: inDays(-0.1), created_at: inDays(-91) },
  ...{ checks: { ownership: null, dns: null, addresses: ['203.0.113.5'] }, next_check_at: null },
  ...{ failing_since: null, failure: null, certificate: { status: 'valid', expires_at: inDays(72.5) } },
}

const certified = (host: string, status: NonNullable<DomainRow['certificate']>['status'], days?: number) => ({
  ...ACTIVE,
  host,
  certificate: { status, expires_at: days === undefined ? null : inDays(days) },
})

const NO_TXT = 'There is no TXT record _tern.qr.northlight.example.'
const ELSEWHERE = 'schaufenster.nordlicht.example leads to 198.51.100.7, not to nls.example (203.0.113.5).'

/** One for each state of its records and of its certificate. */
export const DOMAINS: DomainRow[] = [
  {
    ...{ ...ACTIVE, host: 'nls.example', is_default: true, is_shared: true, link_count: 1190 },
    ...{ verification: null, certificate: null, created_at: null, checked_at: null },
  },
  ACTIVE,
  certified('soon.northlight.example', 'valid', 6.1),
  {
    ...{ ...ACTIVE, host: 'qr.northlight.example', status: 'pending', link_count: 0, home_url: null },
    ...{ failure: NO_TXT, certificate: null, checked_at: inDays(-0.001), next_check_at: inDays(0.006) },
    checks: { ownership: NO_TXT, dns: 'go.example.com has no public address.', addresses: [] },
  },
  {
    ...{ ...ACTIVE, host: 'back.northlight.example', status: 'pending', link_count: 1, certificate: null },
    failure: 'Somebody else on this server has proven that they control the domain.',
  },
  {
    ...certified('schaufenster.nordlicht.example', 'expired', -14),
    ...{ status: 'failing', failing_since: inDays(-8), link_count: 12 },
    failure: ELSEWHERE,
    checks: { ownership: null, dns: ELSEWHERE, addresses: ['198.51.100.7'] },
  },
  certified('old.northlight.example', 'expired', -14),
  certified('wrong.northlight.example', 'wrong_host', 40),
  certified('own.northlight.example', 'self_signed', 300),
  certified('chain.northlight.example', 'incomplete_chain', 60),
  certified('private.northlight.example', 'untrusted', 300),
  certified('silent.northlight.example', 'no_answer'),
]

/** A list of domains in every state, the records to set for one, and the workspaces to choose from. */
export function DomainParts() {
  const [isRemoving, setRemoving] = useState(false)
  const [root, setRoot] = useState<HTMLElement | null>(null)
  return (
    <>
      <Group title="Workspace switcher">
        <div ref={setRoot} style={{ width: 224 }}>
          <FloatingRoot value={root}>
            <WorkspaceSwitcher />
          </FloatingRoot>
        </div>
      </Group>
      <section className="stack" aria-label="Domains">
        <h2>Domains</h2>
        <DomainList onAdd={() => {}} />
        <div className="card" style={{ padding: 16 }}>
          <DomainRecords domain={ACTIVE} />
        </div>
        <div className="card" style={{ padding: 16 }}>
          <DomainRecords domain={{ ...ACTIVE, host: 'northlight.example' }} />
        </div>
        <div className="actions">
          <Button onClick={() => setRemoving(true)}>Open removal of a domain</Button>
        </div>
        {isRemoving && <RemoveDomainDialog domain={ACTIVE} onClose={() => setRemoving(false)} />}
      </section>
    </>
  )
}
