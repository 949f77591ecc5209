import { useLocation } from 'wouter'
import { DataTab } from '../account/data-tab.tsx'
import { ProfileTab } from '../account/profile-tab.tsx'
import { SecurityTab } from '../account/security-tab.tsx'
import { SessionsTab } from '../account/sessions-tab.tsx'
import { useAccount } from '../account/account-queries.ts'
import { Skeleton } from '../parts/skeleton.tsx'
import { Failed } from '../parts/states.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { words } from '../words.ts'
import { useTitle } from './use-title.ts'

const { tabs } = words.account
const FIRST = 'profile'

export default function AccountPage({ tab = FIRST }: { tab: string | undefined }) {
  useTitle(words.account.title)
  const [, navigate] = useLocation()
  const { data: account, error, refetch } = useAccount()
  if (error !== null && account === undefined) {
    return (
      <div className="card">
        <Failed heading="h1" error={error} onRetry={() => void refetch()} />
      </div>
    )
  }
  const panel = (content: React.ReactNode) => (
    <div className="settings" style={{ paddingTop: 24 }}>
      {account === undefined ? <Skeleton width="100%" height={280} radius={10} /> : content}
    </div>
  )
  return (
    <div className="page">
      <div className="page-head">
        <h1>{words.account.title}</h1>
      </div>
      <Tabs
        label={words.account.title}
        open={tab in tabs ? tab : FIRST}
        onOpen={(id) => navigate(id === FIRST ? '/account' : `/account/${id}`, { replace: true })}
        tabs={[
          { id: 'profile', label: tabs.profile, content: panel(account && <ProfileTab account={account} />) },
          {
            id: 'security',
            label: tabs.security,
            content: panel(account && <SecurityTab account={account} />),
          },
          { id: 'sessions', label: tabs.sessions, content: panel(<SessionsTab />) },
          { id: 'yours', label: tabs.yours, content: panel(account && <DataTab account={account} />) },
        ]}
      />
    </div>
  )
}
