import { useLocation } from 'wouter'
import { AccountsTab } from '../admin/accounts-tab.tsx'
import { HostsTab } from '../admin/hosts-tab.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { words } from '../words.ts'
import { useTitle } from './use-title.ts'

const { tabs } = words.admin
const FIRST = 'accounts'

/** For the operator: who is here, and which destinations are blocked. */
export default function AdminPage({ tab = FIRST }: { tab: string | undefined }) {
  useTitle(words.admin.title)
  const [, navigate] = useLocation()
  const panel = (content: React.ReactNode) => (
    <div className="stack" style={{ paddingTop: 24 }}>
      {content}
    </div>
  )
  return (
    <div className="page">
      <div className="page-head">
        <h1>{words.admin.title}</h1>
      </div>
      <Tabs
        label={words.admin.title}
        open={tab in tabs ? tab : FIRST}
        onOpen={(id) => navigate(id === FIRST ? '/admin' : `/admin/${id}`, { replace: true })}
        tabs={[
          { id: 'accounts', label: tabs.accounts, content: panel(<AccountsTab />) },
          { id: 'hosts', label: tabs.hosts, content: panel(<HostsTab />) },
        ]}
      />
    </div>
  )
}
