import { Building2 } from 'lucide-react'
import { useState } from 'react'
import type { ManagedWorkspaceView } from '../../src/http/endpoints/browser-types.ts'
import { ask } from '../api-client.ts'
import { adminStrings } from './admin-strings.ts'
import { useSignedIn } from '../use-session.ts'
import { ManagedList } from './managed-list.tsx'
import { managedWorkspaceColumns, type WorkspaceAct } from './managed-workspace-columns.tsx'
import { useManagedWorkspaces } from './operator-queries.ts'
import { type OperatorAction, ConfirmAction } from './confirm-action.tsx'
import { WorkspaceLimitsDialog } from './workspace-limits-dialog.tsx'

const { tabs, workspaces: texts } = adminStrings

export function WorkspacesTab() {
  const { has_plans: hasPlans, email: ownEmail } = useSignedIn().user
  const [opened, setOpened] = useState<{ act: WorkspaceAct; of: ManagedWorkspaceView }>()
  const close = () => setOpened(undefined)
  const columns = managedWorkspaceColumns({
    hasPlans,
    ownEmail,
    onAct: (act, of) => setOpened({ act, of }),
  })
  return (
    <>
      <ManagedList
        caption={tabs.workspaces}
        texts={texts}
        icon={Building2}
        useRows={useManagedWorkspaces}
        columns={columns}
      />
      {opened?.act === 'edit' && <WorkspaceLimitsDialog workspace={opened.of} onClose={close} />}
      {opened && opened.act !== 'edit' && (
        <ConfirmAction action={workspaceAction(opened.act, opened.of)} onClose={close} />
      )}
    </>
  )
}

function workspaceAction(act: 'suspend' | 'reinstate', { id, name }: ManagedWorkspaceView): OperatorAction {
  return {
    title: texts.ask[act](name),
    text: texts.askText[act],
    label: texts.actions[act],
    saidAfter: texts.done[act](name),
    run: () => ask(`POST /admin/workspaces/{id}/${act}`, { path: { id } }),
  }
}
