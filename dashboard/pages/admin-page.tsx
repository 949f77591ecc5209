import type { ReactNode } from 'react'
import { AccountsTab } from '../admin/accounts-tab.tsx'
import { HostsTab } from '../admin/hosts-tab.tsx'
import { InvitationsTab } from '../admin/invitations-tab.tsx'
import { lazyStrings } from '../strings/lazy-strings.ts'
import { TabbedPage } from './tabbed-page.tsx'

const { title, tabs } = lazyStrings.admin
const inTab = (content: ReactNode) => <div className="stack in-tab">{content}</div>

export default function AdminPage({ tab }: { tab: string | undefined }) {
  return (
    <TabbedPage
      title={title}
      root="/admin"
      open={tab}
      tabs={[
        { id: 'accounts', label: tabs.accounts, content: inTab(<AccountsTab />) },
        { id: 'hosts', label: tabs.hosts, content: inTab(<HostsTab />) },
        { id: 'invitations', label: tabs.invitations, content: inTab(<InvitationsTab />) },
      ]}
    />
  )
}
