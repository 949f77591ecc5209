import { SecretDialog } from '../parts/secret-dialog.tsx'
import { laterWords } from '../later-words.ts'

type LinkOnceProps = { title: string; text: string; link: string; onClose: () => void }

/** A link that the operator passes on by hand, because the server sends no email. */
export const LinkOnce = ({ title, text, link, onClose }: LinkOnceProps) => (
  <SecretDialog
    title={title}
    text={text}
    secret={link}
    copyLabel={laterWords.admin.copyLink}
    onClose={onClose}
  >
    <pre className="secret" role="group" aria-label={title}>
      {link}
    </pre>
  </SecretDialog>
)
