import { useData } from '../api/use-data.ts'
import { useId, useState } from 'react'
import type { DataOf } from '../api/api-client.ts'
import { ask } from '../api/api-client.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialogs/dialog.tsx'
import { FormDialog } from '../components/fields/form.tsx'
import { errorsOf } from '../components/states.tsx'
import { TagInput } from '../components/fields/tag-input.tsx'
import { workspaceStrings } from './workspace-strings.ts'
import { useSignedIn } from '../use-session.ts'
import { CopyLinkButton } from './copy-link-button.tsx'
import { isEmail, withoutNames } from './email-list.ts'
import { useMemberChange } from './member-queries.ts'
import { PermissionTable } from './permission-table.tsx'
import '../styles/facts.css'
import './workspaces.css'

const { invitations: texts, roles, roleTexts } = workspaceStrings
const INVITED_ROLES = ['viewer', 'editor', 'admin'] as const
type InvitedRole = (typeof INVITED_ROLES)[number]
const SEPARATOR = /[\s,;]+/

/** Several addresses at once, with one role. Says of each what came of it. */
export default function InviteMembersDialog({ onClose }: { onClose: () => void }) {
  const { sends_mail: sendsMail } = useSignedIn().instance
  const [emails, setEmails] = useState<string[]>([])
  const [role, setRole] = useState<InvitedRole>('editor')
  const [sent, setSent] = useState<readonly string[]>([])
  const invite = useMemberChange(() => {
    setSent(emails)
    return ask('POST /members/invitations', { input: { emails, role } })
  })
  if (invite.data) return <Results results={invite.data.data} onClose={onClose} />
  const count = new Set(emails.map((email) => email.toLowerCase())).size
  const errorsByEmail = new Map(
    sent.map((email, at) => [email, errorsOf(invite.error, `emails.${at}`)?.join(' ')]),
  )
  const errorOf = (email: string) =>
    isEmail(email) ? refusalOf(email, errorsByEmail.get(email)) : texts.notAnEmail(email)
  return (
    <FormDialog
      title={workspaceStrings.invite}
      action={(sendsMail ? texts.send : texts.create)(count)}
      change={invite}
      missing={count === 0 ? texts.noEmails : undefined}
      // What came of it is shown.
      onDone={() => {}}
      onClose={onClose}
      width="wide"
    >
      <TagInput
        label={texts.emails}
        hint={texts.emailsHint}
        values={emails}
        onValues={(words) => setEmails(withoutNames(words))}
        errorOf={errorOf}
        separator={SEPARATOR}
        autoCapitalize="none"
        spellCheck={false}
        apiName="emails"
      />
      <RoleTiles role={role} onRole={setRole} />
      <PermissionTable />
      <p className="hint">{texts.foot}</p>
    </FormDialog>
  )
}

const refusalOf = (email: string, reason: string | undefined) =>
  reason === undefined ? undefined : `${email}: ${reason}`

function RoleTiles({ role, onRole }: { role: InvitedRole; onRole: (role: InvitedRole) => void }) {
  const name = useId()
  return (
    <fieldset className="role-tiles">
      <legend>{texts.role}</legend>
      {INVITED_ROLES.map((each) => (
        <label key={each}>
          <input
            type="radio"
            name={name}
            value={each}
            checked={each === role}
            onChange={() => onRole(each)}
          />
          <span>
            <strong>{roles[each]}</strong>
            <small>{roleTexts[each]}</small>
          </span>
        </label>
      ))}
    </fieldset>
  )
}

type ResultsProps = { results: DataOf<'POST /members/invitations'>; onClose: () => void }

function Results({ results, onClose }: ResultsProps) {
  const { sends_mail: sendsMail } = useSignedIn().instance
  const invitations = useData('GET /members/invitations').data ?? []
  return (
    <Dialog
      title={texts.resultTitle}
      onClose={onClose}
      foot={
        <Button variant="primary" onClick={onClose}>
          {texts.done}
        </Button>
      }
    >
      <dl className="facts">
        {results.map(({ email, outcome }) => (
          <div key={email}>
            <dt>{email}</dt>
            <dd className="invitation-tools">
              {texts.outcomes[outcome]}
              {!sendsMail && <InvitationLink invitation={invitations.find((each) => each.email === email)} />}
            </dd>
          </div>
        ))}
      </dl>
      {!sendsMail && <p className="hint">{texts.noMail}</p>}
    </Dialog>
  )
}

/** None for a member, and none until the list of invitations is there. */
const InvitationLink = ({ invitation }: { invitation: { id: number; email: string } | undefined }) =>
  invitation && <CopyLinkButton invitation={invitation} />
