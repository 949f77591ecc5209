import type { ReactNode } from 'react'
import { HostsTab } from '../admin/hosts-tab.tsx'
import { InvitationsTab } from '../admin/invitations-tab.tsx'
import { ManagedDomainsTab } from '../admin/managed-domains-tab.tsx'
import { ReportsTab } from '../admin/reports-tab.tsx'
import { UsersTab } from '../admin/users-tab.tsx'
import { WorkspacesTab } from '../admin/workspaces-tab.tsx'
import { adminStrings } from '../strings/admin-strings.ts'
import { TabbedPage } from './tabbed-page.tsx'

const { title, tabs } = adminStrings
const inTab = (content: ReactNode) => <div className="stack in-tab">{content}</div>

export default function AdminPage({ tab }: { tab: string | undefined }) {
  return (
    <TabbedPage
      title={title}
      root="/admin"
      open={tab}
      tabs={[
        { id: 'users', label: tabs.users, content: inTab(<UsersTab />) },
        { id: 'workspaces', label: tabs.workspaces, content: inTab(<WorkspacesTab />) },
        { id: 'domains', label: tabs.domains, content: inTab(<ManagedDomainsTab />) },
        { id: 'reports', label: tabs.reports, content: inTab(<ReportsTab />) },
        { id: 'hosts', label: tabs.hosts, content: inTab(<HostsTab />) },
        { id: 'invitations', label: tabs.invitations, content: inTab(<InvitationsTab />) },
      ]}
    />
  )
}
