import { missingStrings } from '../components/fields/missing-strings.ts'
import { CaseSensitive, Globe, Plus, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ManagedDomainView } from '../../src/http/endpoints/browser-types.ts'
import { ask } from '../api/api-client.ts'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { FormDialog, useFields } from '../components/fields/form.tsx'
import { Menu } from '../components/pickers/menu.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { type Column, menuColumn } from '../components/table.tsx'
import { DomainStatus } from '../domains/domain-status.tsx'
import { HostField, HostName } from '../domains/host-field.tsx'
import '../domains/domains.css'
import { adminStrings } from './admin-strings.ts'
import { BaseCaseCard, OperatorCaseDialog } from './operator-case.tsx'
import { ManagedList } from './managed-list.tsx'
import { ConfirmAction, useOperatorAction } from './confirm-action.tsx'
import { useErrorToast } from '../components/dialogs/toasts.tsx'

const { tabs, domains: texts } = adminStrings

export function ManagedDomainsTab() {
  const [isAdding, setAdding] = useState(false)
  const [removed, setRemoved] = useState<ManagedDomainView>()
  const [folded, setFolded] = useState<string>()
  const check = useDomainCheck()
  return (
    <>
      <ManagedList
        caption={tabs.domains}
        texts={texts}
        icon={Globe}
        route="GET /admin/domains"
        columns={domainColumns({ onCheck: check, onFold: setFolded, onRemove: setRemoved })}
        empty={{ title: texts.emptyTitle, text: texts.empty }}
        tools={
          <Button icon={Plus} onClick={() => setAdding(true)}>
            {texts.add}
          </Button>
        }
      />
      <BaseCaseCard />
      {folded !== undefined && <OperatorCaseDialog host={folded} onClose={() => setFolded(undefined)} />}
      {isAdding && <AddSharedDomainDialog onClose={() => setAdding(false)} />}
      {removed !== undefined && <Removal domain={removed} onClose={() => setRemoved(undefined)} />}
    </>
  )
}

type RemovalProps = { domain: ManagedDomainView; onClose: () => void }

const Removal = ({ domain: { host, workspace }, onClose }: RemovalProps) => (
  <ConfirmAction
    title={texts.ask(host)}
    text={workspace === null ? texts.askText : texts.askOwnText(workspace.name)}
    action={texts.remove}
    said={texts.removed(host)}
    run={() =>
      workspace === null
        ? ask('DELETE /admin/domains/{host}', { path: { host } })
        : ask('DELETE /admin/workspaces/{id}/domains/{host}', { path: { id: workspace.id, host } })
    }
    onClose={onClose}
  />
)

/** Looks at the domain of a workspace now, and says what is missing. */
function useDomainCheck() {
  const check = useOperatorAction(
    (path: { host: string; id: number }) =>
      ask('POST /admin/workspaces/{id}/domains/{host}/verify', { path }),
    { said: ({ data }, { host }) => data.failure ?? texts.verified(host), onError: useErrorToast() },
  )
  return (host: string, id: number) => check.mutate({ host, id })
}

type DomainActions = {
  onCheck: (host: string, workspaceId: number) => void
  onFold: (host: string) => void
  onRemove: (domain: ManagedDomainView) => void
}

const domainColumns = (actions: DomainActions): Column<ManagedDomainView>[] => [
  {
    id: 'domain',
    head: texts.columns.domain,
    cell: ({ host, workspace, failure }) => (
      <div className="domain-facts">
        <span className="domain-name">
          <Globe size={16} aria-hidden />
          <strong>
            <HostName host={host} />
          </strong>
          {workspace === null && <Badge>{texts.shared}</Badge>}
        </span>
        {failure !== null && <div className="hint">{failure}</div>}
      </div>
    ),
    skeleton: <Skeleton width={180} height={16} />,
  },
  {
    id: 'workspace',
    head: texts.columns.workspace,
    cell: ({ workspace }) =>
      workspace === null ? <span className="soft">{texts.all}</span> : workspace.name,
  },
  {
    id: 'status',
    head: texts.columns.status,
    cell: (domain) => <DomainStatus domain={domain} />,
  },
  menuColumn({
    head: adminStrings.menu,
    cell: (domain) => <Menu label={adminStrings.menuOf(domain.host)} items={itemsOf(domain, actions)} />,
  }),
]

/** A shared domain needs no proof, and the operator decides about its case. */
function itemsOf(domain: ManagedDomainView, { onCheck, onFold, onRemove }: DomainActions) {
  const { host, workspace, case_insensitive: isCaseIgnored } = domain
  const check = (id: number) => ({ label: texts.check, icon: RefreshCw, onSelect: () => onCheck(host, id) })
  const fold = { label: texts.ignoreCase, icon: CaseSensitive, onSelect: () => onFold(host) }
  const remove = { label: texts.remove, icon: Trash2, isDanger: true, onSelect: () => onRemove(domain) }
  if (workspace !== null) return [check(workspace.id), remove]
  return isCaseIgnored ? [remove] : [fold, remove]
}

function AddSharedDomainDialog({ onClose }: { onClose: () => void }) {
  const { values, field } = useFields({ host: '' })
  const host = values.host.trim()
  const add = useOperatorAction(() => ask('POST /admin/domains', { input: { host } }), {
    said: ({ data }) => texts.added(data.host),
  })
  return (
    <FormDialog
      title={texts.add}
      action={texts.add}
      change={add}
      missing={host === '' ? missingStrings.domain : undefined}
      onClose={onClose}
    >
      <HostField label={texts.columns.domain} hint={texts.addText} {...field('host')} />
    </FormDialog>
  )
}
