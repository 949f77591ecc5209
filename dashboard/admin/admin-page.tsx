import type { ReactNode } from 'react'
import { HostsTab } from './hosts-tab.tsx'
import { InvitationsTab } from './invitations-tab.tsx'
import { ManagedDomainsTab } from './managed-domains-tab.tsx'
import { ReportsTab } from './reports-tab.tsx'
import { UsersTab } from './users-tab.tsx'
import { WorkspacesTab } from './workspaces-tab.tsx'
import { adminStrings } from './admin-strings.ts'
import { TabbedPage } from '../components/page.tsx'
import './admin.css'

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
