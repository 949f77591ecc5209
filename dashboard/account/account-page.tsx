import type { ReactNode } from 'react'
import { ProfileTab } from './profile-tab.tsx'
import { SecurityTab } from './security-tab.tsx'
import { SessionsTab } from './sessions-tab.tsx'
import { accountStrings } from './account-strings.ts'
import { TabbedPage } from '../components/page.tsx'
import './account.css'
import { Download } from 'lucide-react'
import { ask, exportUrl } from '../api/api-client.ts'
import { ButtonLink } from '../components/button.tsx'
import { ActionCard, Card } from '../components/card.tsx'
import { useToast } from '../components/dialogs/toasts.tsx'
import { useSessionChange, useSignedIn } from '../use-session.ts'
import { DeletionDialog } from './confirm-field.tsx'

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

function DataTab() {
  return (
    <>
      <Card title={accountStrings.export}>
        <div className="form">
          <p className="soft">{accountStrings.exportText}</p>
          <div className="actions">
            <ButtonLink icon={Download} href={exportUrl()} download>
              {accountStrings.exportButton}
            </ButtonLink>
          </div>
        </div>
      </Card>
      <ActionCard
        title={accountStrings.delete}
        text={accountStrings.deleteText}
        tone="danger"
        dialog={(onClose) => <DeleteDialog onClose={onClose} />}
      />
    </>
  )
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const { email } = useSignedIn().user
  const toast = useToast()
  const signedOut = useSessionChange()
  return (
    <DeletionDialog
      texts={{
        title: accountStrings.delete,
        action: accountStrings.deleteButton,
        text: accountStrings.deleteText,
        confirm: accountStrings.deleteConfirm,
      }}
      name={email}
      remove={(password) => ask('DELETE /account', { input: { password } })}
      onSuccess={() => {
        toast({ text: accountStrings.deleted })
        return signedOut()
      }}
      onClose={onClose}
    />
  )
}
