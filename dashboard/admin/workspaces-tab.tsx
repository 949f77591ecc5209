import { Ban, Building2, Gauge, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import type { ManagedWorkspaceView } from '../../src/http/endpoints/browser-types.ts'
import { ask } from '../api/api-client.ts'
import { adminStrings } from './admin-strings.ts'
import { useSignedIn } from '../use-session.ts'
import { ManagedList } from './managed-list.tsx'
import { ConfirmAction, useOperatorAction } from './confirm-action.tsx'
import { Badge, InitialBadge } from '../components/badge.tsx'
import { Menu, type MenuItem } from '../components/pickers/menu.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { type Column, menuColumn } from '../components/table.tsx'
import { fullNumber, shortNumber } from '../format.ts'
import { keyStrings } from '../keys/key-strings.ts'
import { SelectField, TextField } from '../components/fields/field.tsx'
import { FormDialog, useFields } from '../components/fields/form.tsx'
import { strings } from '../strings.ts'

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
        route="GET /admin/workspaces"
        columns={columns}
      />
      {opened?.act === 'edit' && <WorkspaceLimitsDialog workspace={opened.of} onClose={close} />}
      {opened && opened.act !== 'edit' && <Suspension act={opened.act} of={opened.of} onClose={close} />}
    </>
  )
}

type SuspensionProps = { act: 'suspend' | 'reinstate'; of: ManagedWorkspaceView; onClose: () => void }

const Suspension = ({ act, of: { id, name }, onClose }: SuspensionProps) => (
  <ConfirmAction
    title={texts.ask[act](name)}
    text={texts.askText[act]}
    action={texts.actions[act]}
    said={texts.done[act](name)}
    run={() => ask(`POST /admin/workspaces/{id}/${act}`, { path: { id } })}
    onClose={onClose}
  />
)

type WorkspaceAct = 'edit' | 'suspend' | 'reinstate'

/** `ownEmail`: of the operator, who does not suspend a workspace of their own. */
type Acts = {
  hasPlans: boolean
  ownEmail: string
  onAct: (act: WorkspaceAct, workspace: ManagedWorkspaceView) => void
}

const PLAN: Column<ManagedWorkspaceView> = {
  id: 'plan',
  head: texts.columns.plan,
  cell: ({ plan }) => <span className="plan-name">{plan}</span>,
  skeleton: <Skeleton width={48} height={14} />,
}

const managedWorkspaceColumns = ({ hasPlans, ownEmail, onAct }: Acts): Column<ManagedWorkspaceView>[] => [
  {
    id: 'workspace',
    head: texts.columns.workspace,
    cell: ({ name, owner }) => (
      <div className="link-cell">
        <InitialBadge name={name} />
        <div className="link-texts">
          <strong className="cut">{name}</strong>
          <div className="hint cut" title={owner ?? undefined}>
            {owner ?? texts.nobody}
          </div>
        </div>
      </div>
    ),
    skeleton: <Skeleton width={200} height={36} />,
  },
  ...(hasPlans ? [PLAN] : []),
  {
    id: 'limit',
    head: texts.columns.limit,
    isNumber: true,
    cell: ({ requests_per_hour: limit }) => (limit === null ? keyStrings.noLimit : fullNumber(limit)),
    skeleton: <Skeleton width={40} height={14} />,
  },
  count('members', ({ members }) => members),
  count('links', ({ links }) => links),
  count('clicks', ({ clicks }) => clicks),
  {
    id: 'state',
    head: texts.columns.state,
    cell: ({ is_suspended: isSuspended }) => (
      <Badge tone={isSuspended ? 'bad' : 'ok'}>
        {isSuspended ? adminStrings.suspended : adminStrings.active}
      </Badge>
    ),
    skeleton: <Skeleton width={64} height={20} />,
  },
  menuColumn({
    head: adminStrings.menu,
    cell: (workspace) => (
      <Menu
        label={adminStrings.menuOf(workspace.name)}
        items={menuOf(workspace, { ownEmail, onAct: (act) => onAct(act, workspace) })}
      />
    ),
  }),
]

function count(
  id: 'members' | 'links' | 'clicks',
  value: (workspace: ManagedWorkspaceView) => number,
): Column<ManagedWorkspaceView> {
  const head = texts.columns[id]
  return {
    id,
    head,
    isNumber: true,
    cell: (workspace) => <span title={fullNumber(value(workspace))}>{shortNumber(value(workspace))}</span>,
    skeleton: <Skeleton width={40} height={14} />,
  }
}

type MenuOf = { ownEmail: string; onAct: (act: WorkspaceAct) => void }

function menuOf(
  { is_suspended: isSuspended, owner }: ManagedWorkspaceView,
  { ownEmail, onAct }: MenuOf,
): MenuItem[] {
  const edit: MenuItem = { label: texts.edit, icon: Gauge, onSelect: () => onAct('edit') }
  if (owner === ownEmail && !isSuspended) return [edit]
  const { reinstate, suspend } = texts.actions
  return [
    edit,
    { kind: 'line' },
    isSuspended
      ? { label: reinstate, icon: RotateCcw, onSelect: () => onAct('reinstate') }
      : { label: suspend, icon: Ban, isDanger: true, onSelect: () => onAct('suspend') },
  ]
}

const PLANS = ['free', 'pro', 'business', 'enterprise'] as const
type Plan = (typeof PLANS)[number]

type LimitsDialogProps = { workspace: ManagedWorkspaceView; onClose: () => void }

function WorkspaceLimitsDialog({ workspace, onClose }: LimitsDialogProps) {
  const { has_plans: hasPlans } = useSignedIn().user
  const { values, set, field } = useFields({
    plan: workspace.plan as Plan,
    rate_limit: String(workspace.rate_limit ?? ''),
  })
  const input = { plan: values.plan, rate_limit: values.rate_limit === '' ? null : Number(values.rate_limit) }
  const edit = useOperatorAction(
    () => ask('PUT /admin/workspaces/{id}', { path: { id: workspace.id }, input }),
    { said: texts.saved(workspace.name) },
  )
  return (
    <FormDialog
      title={texts.limitsOf(workspace.name)}
      action={strings.actions.save}
      change={edit}
      onClose={onClose}
    >
      {hasPlans && (
        <SelectField
          label={texts.plan}
          value={values.plan}
          onChoice={(plan) => set({ plan })}
          choices={PLANS.map((value) => ({ value, label: value[0]!.toUpperCase() + value.slice(1) }))}
          apiName="plan"
        />
      )}
      <TextField
        label={texts.limit}
        hint={hasPlans ? texts.limitHintPlan : texts.limitHint}
        type="number"
        inputMode="numeric"
        min={1}
        {...field('rate_limit')}
      />
    </FormDialog>
  )
}
