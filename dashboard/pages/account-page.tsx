import { useLocation } from 'wouter'
import { DataTab } from '../account/data-tab.tsx'
import { ProfileTab } from '../account/profile-tab.tsx'
import { SecurityTab } from '../account/security-tab.tsx'
import { SessionsTab } from '../account/sessions-tab.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { words } from '../words.ts'
import { useTitle } from './use-title.ts'

const { title, tabs } = words.account
const CONTENTS = { profile: ProfileTab, security: SecurityTab, sessions: SessionsTab, yours: DataTab }
type TabId = keyof typeof CONTENTS
const IDS = Object.keys(CONTENTS) as TabId[]

export default function AccountPage({ tab }: { tab: string | undefined }) {
  const open = IDS.find((id) => id === tab) ?? 'profile'
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
        onOpen={(id) => navigate(id === 'profile' ? '/account' : `/account/${id}`, { replace: true })}
        tabs={IDS.map((id) => ({ id, label: tabs[id], content: <Panel id={id} /> }))}
      />
    </div>
  )
}

function Panel({ id }: { id: TabId }) {
  const Content = CONTENTS[id]
  return (
    <div className="settings in-tab">
      <Content />
    </div>
  )
}
