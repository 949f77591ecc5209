import type { ReactNode } from 'react'
import { DataTab } from './data-tab.tsx'
import { ProfileTab } from './profile-tab.tsx'
import { SecurityTab } from './security-tab.tsx'
import { SessionsTab } from './sessions-tab.tsx'
import { accountStrings } from './account-strings.ts'
import { TabbedPage } from '../components/page.tsx'
import './account.css'

const { title, tabs } = accountStrings
const inTab = (content: ReactNode) => <div className="settings in-tab">{content}</div>

export default function AccountPage({ tab }: { tab: string | undefined }) {
  return (
    <TabbedPage
      title={title}
      root="/account"
      open={tab}
      tabs={[
        { id: 'profile', label: tabs.profile, content: inTab(<ProfileTab />) },
        { id: 'security', label: tabs.security, content: inTab(<SecurityTab />) },
        { id: 'sessions', label: tabs.sessions, content: inTab(<SessionsTab />) },
        { id: 'yours', label: tabs.yours, content: inTab(<DataTab />) },
      ]}
    />
  )
}
