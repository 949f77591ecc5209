import { Search, UserX } from 'lucide-react'
import { useState } from 'react'
import type { ManagedAccountView } from '../../src/http/dashboard-api/dashboard-types.ts'
import { Button } from '../components/button.tsx'
import { PageButtons } from '../components/page-buttons.tsx'
import { Empty, Failed } from '../components/states.tsx'
import { Table } from '../components/table.tsx'
import { useSignedIn } from '../use-session.ts'
import { useSettled } from '../use-settled.ts'
import { lazyStrings } from '../strings/lazy-strings.ts'
import { type AccountAct, accountColumns } from './account-columns.tsx'
import { AccountDialog } from './account-dialog.tsx'
import { useManagedAccounts } from './operator-queries.ts'
import { ConfirmAction } from './confirm-action.tsx'
import { ResetLinkDialog } from './reset-link-dialog.tsx'

const { admin: texts } = lazyStrings
const SETTLED_MS = 160

export function AccountsTab() {
  const { user, instance } = useSignedIn()
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const [opened, setOpened] = useState<{ act: AccountAct; account: ManagedAccountView }>()
  const accounts = useManagedAccounts({ search: useSettled(search, SETTLED_MS), page })
  const find = (text: string) => {
    setSearch(text)
    setPage(1)
  }
  const close = () => setOpened(undefined)
  if (accounts.error !== null && accounts.data === undefined) {
    return (
      <div className="card">
        <Failed error={accounts.error} onRetry={() => void accounts.refetch()} />
      </div>
    )
  }
  return (
    <>
      <SearchField text={search} onText={find} />
      <div className="card">
        {accounts.data?.data.length === 0 ? (
          <Empty icon={UserX} title={texts.noneTitle} text={texts.none}>
            <Button onClick={() => find('')}>{texts.clear}</Button>
          </Empty>
        ) : (
          <Table
            caption={texts.tabs.accounts}
            columns={accountColumns({
              ownId: user.id,
              sendsMail: instance.sends_mail,
              hasPlans: user.has_plans,
              onAct: (act, account) => setOpened({ act, account }),
            })}
            rows={accounts.data?.data}
            keyOf={({ id }) => id}
          />
        )}
        {accounts.data && <PageButtons label={texts.pages} meta={accounts.data.meta} onPage={setPage} />}
      </div>
      {opened?.act === 'edit' && <AccountDialog account={opened.account} onClose={close} />}
      {opened?.act === 'reset-link' && <ResetLinkDialog account={opened.account} onClose={close} />}
      {opened && opened.act !== 'edit' && opened.act !== 'reset-link' && (
        <ConfirmAction name={opened.act} account={opened.account} onClose={close} />
      )}
    </>
  )
}

const SearchField = ({ text, onText }: { text: string; onText: (text: string) => void }) => (
  <div className="list-tools" role="search">
    <span className="input-with">
      <Search size={16} aria-hidden />
      <input
        className="input"
        type="search"
        placeholder={texts.search}
        aria-label={texts.search}
        value={text}
        onChange={(event) => onText(event.target.value)}
      />
    </span>
  </div>
)
