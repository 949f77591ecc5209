import { useData } from '../api/use-data.ts'
import { CircleQuestionMark, Search } from 'lucide-react'
import { useState } from 'react'
import { ask } from '../api/api-client.ts'
import { Button } from '../components/button.tsx'
import { Question } from '../components/dialogs/dialog.tsx'
import { SearchField, Select } from '../components/fields/field.tsx'
import { folded } from '../components/pickers/option-rows.ts'
import { PageButtons } from '../components/page-buttons.tsx'
import { Empty, FailedCard, hasFailed } from '../components/states.tsx'
import { useErrorToast } from '../components/dialogs/toasts.tsx'
import { workspaceStrings } from './workspace-strings.ts'
import { useSignedIn } from '../use-session.ts'
import { memberColumns, type MemberRow, type Role } from './member-columns.tsx'
import { useMemberChange } from './member-queries.ts'
import { RolesDialog } from './permission-table.tsx'
import { ListCard } from '../components/table.tsx'

const { members: texts, roles } = workspaceStrings
const ROWS = 25

type Filters = { text: string; role: Role | 'any'; factor: 'any' | 'on' | 'off' }
const NONE: Filters = { text: '', role: 'any', factor: 'any' }

/** Members of the current workspace, with their roles. */
export function MemberList() {
  const { user } = useSignedIn()
  const members = useData('GET /members')
  const [filters, setFilters] = useState(NONE)
  const [page, setPage] = useState(1)
  const [removed, setRemoved] = useState<MemberRow>()
  const changeRole = useRoleChange()
  const matches = members.data?.filter((member) => isFound(member, filters))
  const pages = Math.max(1, Math.ceil((matches?.length ?? 0) / ROWS))
  const openPage = Math.min(page, pages)
  if (hasFailed(members)) return <FailedCard what={texts.title} query={members} />
  const columns = memberColumns({
    ownId: user.id,
    isOwner: user.can.includes('workspace:own'),
    owners: members.data?.filter(({ role }) => role === 'owner').length ?? 1,
    isFactorRequired: user.workspace.requires_second_factor,
    onRole: changeRole,
    onRemove: setRemoved,
  })
  return (
    <>
      <MemberTools
        filters={filters}
        onFilters={(next) => {
          setFilters(next)
          setPage(1)
        }}
      />
      <ListCard
        query={members}
        empty={<Empty icon={Search} title={texts.none} text="" />}
        caption={texts.title}
        columns={columns}
        rows={matches?.slice((openPage - 1) * ROWS, openPage * ROWS)}
        keyOf={({ id }) => id}
        skeletonRows={3}
      >
        {matches && (
          <PageButtons
            label={texts.pages}
            meta={{ current_page: openPage, last_page: pages, per_page: ROWS, total: matches.length }}
            onPage={setPage}
          />
        )}
      </ListCard>
      {removed && <RemoveDialog member={removed} onClose={() => setRemoved(undefined)} />}
    </>
  )
}

function isFound({ name, email, role, has_two_factor: hasFactor }: MemberRow, filters: Filters): boolean {
  const text = folded(filters.text.trim())
  if (!folded(name).includes(text) && !folded(email).includes(text)) return false
  if (filters.role !== 'any' && role !== filters.role) return false
  return filters.factor === 'any' || hasFactor === (filters.factor === 'on')
}

/** Acts at once, and can be undone. */
function useRoleChange(): (member: MemberRow, role: Role) => void {
  const onError = useErrorToast()
  const undo = useMemberChange(editRole, { onError })
  const change = useMemberChange(editRole, {
    said: (_, { member, role }) => ({
      text: texts.changed(member.name, roles[role]),
      onUndo: () => undo.mutate({ member, role: member.role }),
    }),
    onError,
  })
  return (member, role) => change.mutate({ member, role })
}

const editRole = ({ member: { id }, role }: { member: MemberRow; role: Role }) =>
  ask('PUT /members/{id}', { path: { id }, input: { role } })

type ToolsProps = { filters: Filters; onFilters: (filters: Filters) => void }

function MemberTools({ filters, onFilters }: ToolsProps) {
  const [isExplained, setExplained] = useState(false)
  const names = Object.entries(roles) as [Role, string][]
  return (
    <div className="member-tools">
      <SearchField
        label={texts.search}
        text={filters.text}
        onText={(text) => onFilters({ ...filters, text })}
      />
      <Select
        aria-label={texts.filterRole}
        choices={[
          { value: 'any' as const, label: texts.anyRole },
          ...names.map(([value, label]) => ({ value, label })),
        ]}
        value={filters.role}
        onChoice={(role) => onFilters({ ...filters, role })}
      />
      <Select
        aria-label={texts.filterFactor}
        choices={[
          { value: 'any', label: texts.anyFactor },
          { value: 'on', label: texts.withFactor },
          { value: 'off', label: texts.withoutFactor },
        ]}
        value={filters.factor}
        onChoice={(factor) => onFilters({ ...filters, factor })}
      />
      <Button variant="quiet" icon={CircleQuestionMark} onClick={() => setExplained(true)}>
        {texts.whatRoles}
      </Button>
      {isExplained && <RolesDialog onClose={() => setExplained(false)} />}
    </div>
  )
}

function RemoveDialog({ member, onClose }: { member: MemberRow; onClose: () => void }) {
  const { id, name, keys } = member
  const [keepsKeys, setKeepsKeys] = useState(false)
  const removal = useMemberChange(
    () => ask('DELETE /members/{id}', { path: { id }, input: { keep_keys: keepsKeys } }),
    { said: texts.removed(name) },
  )
  return (
    <Question
      title={texts.removeTitle(name)}
      text={texts.removeText(keepsKeys ? 0 : keys)}
      action={texts.remove}
      onYes={() => removal.mutateAsync()}
      onClose={onClose}
    >
      {keys > 0 && (
        <label className="check-line">
          <input type="checkbox" checked={keepsKeys} onChange={() => setKeepsKeys(!keepsKeys)} />
          {texts.keepKeys}
        </label>
      )}
    </Question>
  )
}
