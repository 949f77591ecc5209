import { useLocation } from 'wouter'
import { AccountsTab } from '../admin/accounts-tab.tsx'
import { HostsTab } from '../admin/hosts-tab.tsx'
import { InvitationsTab } from '../admin/invitations-tab.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { words } from '../words.ts'
import { useTitle } from './use-title.ts'

const { title, tabs } = words.admin
const CONTENTS = { accounts: AccountsTab, hosts: HostsTab, invitations: InvitationsTab }
type TabId = keyof typeof CONTENTS
const IDS = Object.keys(CONTENTS) as TabId[]

/** For the operator: who is here, who may come, and which destinations are blocked. */
export default function AdminPage({ tab }: { tab: string | undefined }) {
  const open = IDS.find((id) => id === tab) ?? 'accounts'
  useTitle(`${tabs[open]} · ${title}`)
  const [, navigate] = useLocation()
  return (
    <div className="page">
      <div className="page-head">
        <h1>{title}</h1>
      </div>
      <Tabs
        label={title}
        open={open}
        onOpen={(id) => navigate(id === 'accounts' ? '/admin' : `/admin/${id}`, { replace: true })}
        tabs={IDS.map((id) => ({ id, label: tabs[id], content: <Panel id={id} /> }))}
      />
    </div>
  )
}

function Panel({ id }: { id: TabId }) {
  const Content = CONTENTS[id]
  return (
    <div className="stack in-tab">
      <Content />
    </div>
  )
}
