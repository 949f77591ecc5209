import { SecretDialog } from '../components/dialogs/secret-dialog.tsx'
import { adminStrings } from './admin-strings.ts'

type LinkOnceProps = { title: string; text: string; link: string; onClose: () => void }

/** For servers without email: the operator passes the link on. */
export const OneTimeLink = ({ title, text, link, onClose }: LinkOnceProps) => (
  <SecretDialog
    title={title}
    text={text}
    secret={link}
    copyLabel={adminStrings.copyLink}
    savedLabel={adminStrings.linkSaved}
    onClose={onClose}
  />
)
