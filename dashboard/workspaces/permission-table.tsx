import { Check, Minus } from 'lucide-react'
import { Dialog } from '../components/dialogs/dialog.tsx'
import { workspaceStrings as texts } from './workspace-strings.ts'

const { permissions } = texts
const ROLES = ['viewer', 'editor', 'admin', 'owner'] as const
type Role = (typeof ROLES)[number]

/** The least role that may do it. */
const ROWS: { label: string; least: Role; ofViewers?: string }[] = [
  { label: permissions.read, least: 'viewer' },
  { label: permissions.write, least: 'editor' },
  { label: permissions.keys, least: 'editor', ofViewers: permissions.readOnly },
  { label: permissions.members, least: 'admin' },
  { label: permissions.settings, least: 'admin' },
  { label: permissions.own, least: 'owner' },
]

export const PermissionTable = () => (
  <table className="table is-tight permissions">
    <thead>
      <tr>
        <th scope="col">{texts.invitations.permission}</th>
        {ROLES.map((role) => (
          <th key={role} scope="col">
            {texts.roles[role]}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {ROWS.map(({ label, least, ofViewers }) => (
        <tr key={label}>
          <th scope="row">{label}</th>
          {ROLES.map((role) => (
            <td key={role}>
              {role === 'viewer' && ofViewers ? (
                <small className="soft">{ofViewers}</small>
              ) : ROLES.indexOf(role) >= ROLES.indexOf(least) ? (
                <Check size={15} aria-label={permissions.yes} />
              ) : (
                <Minus size={15} aria-label={permissions.no} />
              )}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
)

export const RolesDialog = ({ onClose }: { onClose: () => void }) => (
  <Dialog title={texts.members.whatRoles} width="wide" onClose={onClose}>
    <PermissionTable />
  </Dialog>
)
